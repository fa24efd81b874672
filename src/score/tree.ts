// From results to the rewards and the tree that explains them.

import type { Warning } from "../errors.ts";
import { aggregate, type Weighted } from "./aggregate.ts";
import type { CriterionScore, JsonValue } from "./criterion_score.ts";
import type {
  InputKind,
  PlanGroup,
  PlanLeaf,
  PlannedCriterion,
  PlanNode,
  ScorePlan,
} from "./plan.ts";
import { round4 } from "./round.ts";

/** Something that went wrong while grading and is not the graded work's fault. */
export interface ScoreError {
  file: string;
  criterion?: string;
  message: string;
}

/** What a run adds to the results of a file; shown in the details as it is. */
export interface InputNotes {
  /** What the file was granted. */
  permissions?: JsonValue;
  /** Which isolation backend served. */
  isolation?: JsonValue;
  /** What confined a stranger's file. */
  sandbox?: JsonValue;
  duration_sec?: number;
  /** Settings of a judge. */
  judge?: JsonValue;
  /** A judge's answers as text. */
  judge_output?: string;
  usage?: JsonValue;
  judge_logs?: JsonValue;
  guard?: { [key: string]: JsonValue };
}

/** Results of one check file or judge file. */
export interface InputResult extends InputNotes {
  /** In the order in which they were declared. */
  criteria: readonly CriterionScore[];
  warnings?: readonly string[];
  errors?: readonly ScoreError[];
}

/** A file's criteria in `reward-details.json`. */
export interface LeafNode extends InputNotes {
  score: number;
  criteria: CriterionScore[];
  kind: InputKind;
  warnings?: string[];
  errors?: ScoreError[];
}

/** A combination of scores in `reward-details.json`. */
export interface GroupNode {
  kind: "group";
  score: number;
  aggregation: string;
  components: { name: string; weight: number; detail: ScoreNode }[];
  threshold?: number;
  errors?: ScoreError[];
}

/** One reward in `reward-details.json`. */
export type ScoreNode = LeafNode | GroupNode;

/** The scores of a tests folder. */
export interface SuiteScore {
  /** What `reward.json` holds, rounded to 4 decimals; null where errors allow none. */
  rewards: Record<string, number> | null;
  /** What `reward-details.json` holds. */
  details: Record<string, ScoreNode>;
  /** Every error, also where they are scored 0. */
  errors: ScoreError[];
  /** Every warning of the results; files are named by their paths from the tests folder. */
  warnings: Warning[];
}

/** What to do with criteria that could not be scored: no reward at all, or 0 for them. */
export type OnError = "fail" | "zero";

/** A node with its score not yet rounded: gates above it compare that one. */
interface Scored {
  score: number;
  node: ScoreNode;
}

/**
 * Combines results as planned. Weights, names and descriptions are the plan's: the process that
 * delivered the results has run the author's code, and is believed only about values.
 *
 * @param results By the path of the file from the tests folder. A planned criterion without a
 * result is an error.
 * @throws {Error} If a result bears another name than the criterion planned in its place.
 */
export function scoreSuite(
  plan: ScorePlan,
  results: ReadonlyMap<string, InputResult>,
  { onError = "fail" }: { onError?: OnError } = {},
): SuiteScore {
  const leaves = new Map(plan.inputs.map(({ leaf }) => [leaf, scoreLeaf(leaf, results)]));
  const groupErrors: ScoreError[] = [];
  const scored = plan.rewards.map(({ name, node, inDetails }) => ({
    name,
    inDetails,
    ...scoreNode(node, leaves, groupErrors),
  }));

  const errors = [...leaves.values()].flatMap(({ node }) => node.errors ?? []).concat(groupErrors);
  const warnings = [...leaves].flatMap(([leaf, { node }]) =>
    "warnings" in node ? node.warnings!.map((message) => ({ file: leaf.file, message })) : []
  );
  // Object.fromEntries defines properties, so that a file called "__proto__" is one like any other.
  return {
    rewards: errors.length > 0 && onError === "fail"
      ? null
      : Object.fromEntries(scored.map(({ name, score }) => [name, round4(score)])),
    details: Object.fromEntries(
      scored.filter(({ inDetails }) => inDetails).map(({ name, node }) => [name, node]),
    ),
    errors,
    warnings,
  };
}

function scoreNode(
  node: PlanNode,
  leaves: ReadonlyMap<PlanLeaf, Scored>,
  errors: ScoreError[],
): Scored {
  return node.kind === "group" ? scoreGroup(node, leaves, errors) : leaves.get(node)!;
}

function scoreGroup(
  group: PlanGroup,
  leaves: ReadonlyMap<PlanLeaf, Scored>,
  errors: ScoreError[],
): Scored {
  const components = group.components.map(({ name, weight, node }) => ({
    name,
    weight,
    ...scoreNode(node, leaves, errors),
  }));
  const inputs = components.map(({ score, weight }) => ({ value: score, weight }));
  const own: ScoreError[] = [];
  const score = finite(aggregate(inputs, group.scoring), group.place, own);
  errors.push(...own);
  const node: GroupNode = {
    kind: "group",
    score: round4(score),
    aggregation: group.spelling,
    components: components.map(({ name, weight, node }) => ({ name, weight, detail: node })),
  };
  if (group.scoring.aggregation === "threshold") node.threshold = group.scoring.threshold;
  if (own.length > 0) node.errors = own;
  return { score, node };
}

function scoreLeaf(leaf: PlanLeaf, results: ReadonlyMap<string, InputResult>): Scored {
  const { criteria: found, warnings: given = [], errors: givenErrors = [], ...notes } =
    results.get(leaf.file) ?? { criteria: [] };
  const errors = [...givenErrors];
  const warnings = [...given];
  const criteria: CriterionScore[] = [];
  const inputs: Weighted[] = [];

  for (const [index, planned] of leaf.criteria.entries()) {
    const result = resultOf(leaf, planned, found[index]);
    const { value, weight, optional, error } = result;
    if (error !== undefined && !isListed(givenErrors, planned.name, error)) {
      errors.push({ file: leaf.file, criterion: planned.name, message: error });
    }
    if (error === undefined && leaf.kind === "programmatic" && (value < 0 || value > 1)) {
      warnings.push(`"${planned.name}" returned ${value}, which is outside 0 to 1; it is kept`);
    }
    inputs.push({ value, weight, optional });
    criteria.push({ ...result, value: round4(value) });
  }

  let score = finite(aggregate(inputs, leaf.scoring), leaf.file, errors);
  if (leaf.penalize === true && notes.guard?.flagged === true) score = Math.min(score, 0);

  const node: LeafNode = { score: round4(score), criteria, kind: leaf.kind, ...notes };
  if (warnings.length > 0) node.warnings = warnings;
  if (errors.length > 0) node.errors = errors;
  return { score, node };
}

/** One criterion in the order of keys that the details have; what is absent leaves no key. */
function resultOf(
  { file }: PlanLeaf,
  { id, name, weight, description, negate, optional }: PlannedCriterion,
  found: CriterionScore | undefined,
): CriterionScore {
  if (found !== undefined && found.name !== name) {
    throw new Error(`Results of ${file} are out of order: "${found.name}" in place of "${name}"`);
  }
  const error = found === undefined
    ? "ended without a result"
    : found.error ?? (Number.isFinite(found.value) ? undefined : `the score is ${found.value}`);
  const { raw = null, reasoning, expected, found: instead, confidence, model, samples, agreement } =
    found ?? {};
  return {
    ...(id === undefined ? {} : { id }),
    name,
    value: error === undefined ? found!.value : 0,
    raw,
    weight,
    ...(description === undefined ? {} : { description }),
    ...(reasoning === undefined || reasoning === "" ? {} : { reasoning }),
    ...(expected === undefined ? {} : { expected }),
    ...(instead === undefined ? {} : { found: instead }),
    ...(error === undefined ? {} : { error }),
    ...(negate === true ? { negate } : {}),
    ...(optional === true ? { optional } : {}),
    ...(confidence === undefined ? {} : { confidence }),
    ...(model === undefined ? {} : { model }),
    ...(samples === undefined ? {} : { samples }),
    ...(agreement === undefined ? {} : { agreement: round4(agreement) }),
  };
}

function isListed(errors: readonly ScoreError[], criterion: string, message: string): boolean {
  return errors.some((error) => error.criterion === criterion && error.message === message);
}

function finite(score: number, file: string, errors: ScoreError[]): number {
  if (Number.isFinite(score)) return score;
  errors.push({
    file,
    message: `The combined score is ${score}: the weights or scores are too large to be added`,
  });
  return 0;
}
