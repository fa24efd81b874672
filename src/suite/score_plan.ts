// From a tests folder and what its check files declare to the tree of scores.

import type {
  PlanComponent,
  PlanGroup,
  PlanLeaf,
  PlannedInput,
  PlannedReward,
  ScorePlan,
} from "../score/plan.ts";
import { knownNames } from "../nearest.ts";
import { Problems } from "./problems.ts";
import { checkThreshold, type Reach, reachOf } from "./reach.ts";
import type { RewardTable } from "./reward_toml.ts";
import { DEFAULT_SCORING, resolveScoring, type ScoringTable } from "./scoring_table.ts";
import type { CheckFile, Folder, JudgeFile, Suite } from "./suite.ts";
import { checkWeights, warnOfLostWeights, warnOfZeroWeights } from "./weights.ts";

/** What a check file declared, as far as scoring is concerned. */
export interface DeclaredCriterion {
  name: string;
  weight: number;
  description?: string;
  /** Built-in criteria score from 0 to 1; a custom one may return any number. Default custom. */
  kind?: "builtin" | "custom";
}

/** How to plan. */
export interface PlanOptions {
  /** What counts as passed where no table says so: at least this, in (0, 1]. Default: above 0. */
  passMark?: number;
}

/**
 * Plans the scores of a tests folder.
 *
 * @param registered By the id of the check file. A file without criteria has no score.
 * @throws {DiscoveryError} If names, weights or thresholds do not fit, or nothing is scored; holds
 * every problem.
 */
export function planScores(
  suite: Suite,
  registered: ReadonlyMap<string, readonly DeclaredCriterion[]>,
  options: PlanOptions = {},
): ScorePlan {
  return new Planner(suite, registered, options.passMark).plan();
}

/** A component and the highest score it can have. */
interface Input extends PlanComponent {
  max: number;
  isFolder: boolean;
  /** Path as messages name it. */
  shown: string;
}

class Planner {
  readonly #problems = new Problems();
  readonly #inputs: PlannedInput[] = [];

  constructor(
    readonly suite: Suite,
    readonly registered: ReadonlyMap<string, readonly DeclaredCriterion[]>,
    readonly passMark: number | undefined,
  ) {}

  plan(): ScorePlan {
    const { root } = this.suite;
    const inputs = this.#inputsOf(root);
    if (inputs.length === 0) this.#refuseEmpty();
    const isNested = inputs.some(({ isFolder }) => isFolder);
    const rewards = isNested ? this.#nested(root, inputs) : this.#flat(root, inputs);
    if (!rewards.some(({ name }) => name === "reward")) {
      this.#problems.warn(
        root.shown,
        'no score is called "reward", so Harbor has no main score; a [[reward]] table with ' +
          'name = "reward" in reward.toml adds one',
      );
    }
    this.#problems.throwIfAny();
    return { rewards, inputs: this.#inputs.sort(byName), warnings: this.#problems.warnings };
  }

  /** No folder scores: everything is combined into one reward, or as the tables say. */
  #flat(root: Folder, inputs: readonly Input[]): PlannedReward[] {
    if (root.rewards.length === 0) {
      const node = inputs.length === 1
        ? this.#onlyInput(root, inputs[0]!).node
        : this.#group(root, inputs, undefined).node;
      return [{ name: "reward", node, inDetails: true }];
    }
    return root.rewards.map((table, index) => ({
      name: table.name ?? "",
      node: this.#group(root, inputs, table).node,
      inDetails: index === 0,
    }));
  }

  /** Every input is a reward, and the tables add totals. */
  #nested(root: Folder, inputs: readonly Input[]): PlannedReward[] {
    if (root.rewards.length === 0) inputs.forEach((input) => this.#onlyInput(root, input));
    const totals = root.rewards.map((table) => {
      const name = table.name ?? "";
      if (inputs.some((input) => input.name === name)) {
        this.#problems.add(
          table.place ?? { file: tomlOf(root) },
          `the [[reward]] name "${name}" is also the name of a score`,
          "Choose another name",
        );
      }
      return { name, node: this.#group(root, inputs, table).node, inDetails: false };
    });
    return [...inputs.map(({ name, node }) => ({ name, node, inDetails: true })), ...totals];
  }

  /** An input that stands alone; without a sum, its weight may still not be negative. */
  #onlyInput(folder: Folder, input: Input): Input {
    checkWeights("weighted-mean", [input], folder.shown, this.#problems);
    return input;
  }

  /** What scores in a folder, sorted by name. */
  #inputsOf(folder: Folder): Input[] {
    const checks = folder.checkFiles.flatMap((file) => this.#checkInput(folder, file) ?? []);
    const judges = folder.judges.map((file) => this.#judgeInput(file));
    for (const { name, weight, node } of [...checks, ...judges]) {
      const qualified = folder.id === "" ? name : `${folder.id}/${name}`;
      this.#inputs.push({ name: qualified, weight, leaf: node as PlanLeaf });
    }
    this.#checkScoringNames(folder, checks);
    const folders = folder.folders.flatMap((inner) => this.#folderInput(inner) ?? []);
    const inputs = [...checks, ...judges, ...folders].sort(byName);
    inputs.forEach((input, index) => {
      const next = inputs[index + 1];
      if (next?.name !== input.name) return;
      this.#problems.add(
        { file: next.shown },
        `its score is called "${input.name}", as is that of ${input.shown}`,
        "Rename one of them",
      );
    });
    return inputs;
  }

  #checkInput(folder: Folder, file: CheckFile): Input | undefined {
    const declared = this.registered.get(file.id) ?? [];
    if (declared.length === 0) return undefined;
    const scoring = folder.scoring.get(file.stem) ?? DEFAULT_SCORING;
    const leaf: PlanLeaf = {
      kind: "programmatic",
      file: file.id,
      scoring: resolveScoring(scoring, this.passMark),
      criteria: declared.map(({ name, weight, description }) => ({ name, weight, description })),
    };
    const reaches = declared.map(({ weight, kind }) => ({
      weight,
      max: kind === "builtin" ? 1 : Infinity,
    }));
    return this.#leafInput(file, leaf, 1, reaches);
  }

  #judgeInput(file: JudgeFile): Input {
    const { kind, scoring, criteria, weight, guard } = file.config;
    const leaf: PlanLeaf = {
      kind,
      file: file.id,
      scoring: resolveScoring(scoring, this.passMark),
      criteria: criteria.map(({ name, weight, description, id, negate, optional }) => ({
        name,
        weight,
        description,
        id,
        negate,
        optional,
      })),
      penalize: guard === "penalize",
    };
    const isRequired = scoring.aggregation === "required-pass";
    if (isRequired && criteria.length > 0 && criteria.every(({ optional }) => optional)) {
      this.#problems.add(
        { file: file.shown },
        "every criterion is optional, and required-pass needs one that is not",
      );
    }
    return this.#leafInput(file, leaf, weight, criteria.map(({ weight }) => ({ weight, max: 1 })));
  }

  #leafInput(file: CheckFile, leaf: PlanLeaf, weight: number, reaches: readonly Reach[]): Input {
    const { stem: name, shown } = file;
    const { aggregation } = leaf.scoring;
    checkWeights(aggregation, leaf.criteria, shown, this.#problems);
    warnOfZeroWeights(aggregation, leaf.criteria, shown, this.#problems);
    checkThreshold(leaf.scoring, reaches, shown, this.#problems);
    return { name, weight, node: leaf, shown, isFolder: false, max: reachOf(aggregation, reaches) };
  }

  #folderInput(folder: Folder): Input | undefined {
    const inputs = this.#inputsOf(folder);
    const table = folder.rewards[0];
    if (inputs.length === 0 && table === undefined) return undefined;
    const { node, max } = inputs.length === 1 && table === undefined
      ? this.#onlyInput(folder, inputs[0]!)
      : this.#group(folder, inputs, table);
    return { name: folder.name, weight: 1, node, shown: folder.shown, isFolder: true, max };
  }

  #group(
    folder: Folder,
    inputs: readonly Input[],
    table: RewardTable | undefined,
  ): { node: PlanGroup; max: number } {
    const scoring: ScoringTable = table ?? DEFAULT_SCORING;
    const place = table === undefined ? folder.shown : tomlOf(folder);
    const weighed = inputs.map((input) => ({
      ...input,
      weight: table?.weights.get(input.name) ?? input.weight,
    }));
    const group: PlanGroup = {
      kind: "group",
      place,
      scoring: resolveScoring(scoring, this.passMark),
      spelling: scoring.spelling,
      components: weighed.map(({ name, weight, node }) => ({ name, weight, node })),
    };
    if (table !== undefined) this.#checkTable(folder, inputs, table);
    if (inputs.length > 0) {
      checkWeights(scoring.aggregation, weighed, place, this.#problems);
      warnOfZeroWeights(scoring.aggregation, weighed, place, this.#problems);
      checkThreshold(group.scoring, weighed, place, this.#problems);
      if (table === undefined || table.weights.size === 0) {
        const files = weighed.flatMap(({ node, isFolder }) =>
          node.kind === "programmatic" && !isFolder ? [node] : []
        );
        warnOfLostWeights(scoring.aggregation, files, folder.shown, this.#problems);
      }
    }
    return { node: group, max: reachOf(scoring.aggregation, weighed) };
  }

  #checkTable(folder: Folder, inputs: readonly Input[], table: RewardTable): void {
    const place = table.place ?? { file: tomlOf(folder) };
    if (inputs.length === 0) {
      this.#problems.add(place, "has a [[reward]] table, but nothing scores in its folder");
      return;
    }
    const names = inputs.map(({ name }) => name);
    for (const name of table.weights.keys()) {
      if (names.includes(name)) continue;
      const silent = folder.checkFiles.find(({ stem }) => stem === name);
      const reason = silent === undefined ? "" : `: ${silent.shown} registers no criteria`;
      this.#problems.add(
        table.weightPlaces?.get(name) ?? place,
        `"weights" names "${name}", which has no score${reason}`,
        knownNames(name, names),
      );
    }
  }

  #checkScoringNames(folder: Folder, checks: readonly Input[]): void {
    const names = checks.map(({ name }) => name);
    for (const [stem, { place = { file: tomlOf(folder) } }] of folder.scoring) {
      if (names.includes(stem)) continue;
      const [reason, hint] = folder.judges.some((judge) => judge.stem === stem)
        ? ["is a judge", `Put a [scoring] table into ${stem}.toml instead`]
        : folder.checkFiles.some((file) => file.stem === stem)
        ? ["registers no criteria", undefined]
        : folder.folders.some(({ name }) => name === stem)
        ? ["is a folder", `Put a [[reward]] table into ${stem}/reward.toml instead`]
        : ["is no check file beside it", knownNames(stem, names)];
      this.#problems.add(place, `[scoring.${stem}]: "${stem}" ${reason}`, hint);
    }
  }

  #refuseEmpty(): void {
    const { suite } = this;
    const files = [...suite.checkFiles.map(({ id }) => id), ...suite.ignored];
    const found = files.length === 0
      ? "it has no check file and no judge TOML"
      : `these files declare none: ${files.slice(0, 10).join(", ")}${
        files.length > 10 ? ", …" : ""
      }`;
    this.#problems.add(
      { file: suite.shown },
      `no criteria: ${found}`,
      "Call a criterion in a .ts file, or describe one in a judge TOML",
    );
  }
}

function tomlOf(folder: Folder): string {
  return `${folder.shown.replace(/\/+$/, "")}/reward.toml`;
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
