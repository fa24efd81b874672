// Runs the recorded calls of the built-in criteria through the command line.

import { type CliRun, folder, rewardkit } from "../cli.ts";
import { startRoutes } from "../route_server.ts";
import { type CriterionCase, httpRoutes, workspaceWithModes } from "./recorded.ts";
import { builtinCall, filled, HEADER, type Places } from "./source.ts";

/** What came of a case here. */
export interface CriterionOutcome {
  /** Absent if the call was refused or it was an error. */
  value?: number;
  raw?: unknown;
  /** Why there is no value. */
  error?: string;
  /** Warnings of this criterion. */
  warnings: readonly string[];
  /** The name that it has by itself; absent if the call was refused. */
  name?: string;
  /** What the recorded name is with this run's addresses in it. */
  expectedName: string | null;
  /** Which of the looked-for files were there after the run. */
  exists: Record<string, boolean>;
}

/**
 * Grades every case in one run. Commands are a suite of their own, so that no other work is done
 * while their time is measured; only two of them write, and no other case looks for what they wrote.
 *
 * @param refused Ids of those that are expected to spoil the file that they are in.
 */
export async function gradeCriteria(
  cases: readonly CriterionCase[],
  refused: ReadonlySet<string>,
): Promise<Map<string, CriterionOutcome>> {
  using workspace = workspaceWithModes();
  const server = startRoutes(httpRoutes());
  try {
    const places = {
      workspace: workspace.path,
      http: server.url,
      dead: server.deadUrl,
      // The recorded workspace was called "ws", and a case asks for that.
      folder: workspace.path.slice(workspace.path.lastIndexOf("/") + 1),
    };
    const ordered = cases.toSorted((one, other) => startsFirst(one) - startsFirst(other))
      .map((one) => one.id === "command_output_matches-017" ? withFolderName(one) : one);
    await using named = await folder(
      checkFiles(ordered, refused, places, (one) => ({ name: nameIn(one) })),
    );
    await using plain = await folder(
      checkFiles(ordered.filter(({ id }) => !refused.has(id)), refused, places, () => ({})),
    );
    const options = ["--workspace", workspace.path];
    const [run, listing] = [
      await rewardkit([...suites(named.path), ...options]),
      await rewardkit(["discover", ...suites(plain.path), "--json", ...options]),
    ];
    await using _ = run;
    await using __ = listing;
    const names = namesOf(ordered.filter(({ id }) => !refused.has(id)), listing);
    return new Map(
      cases.map((one) => {
        const expectedName = one.name === null ? null : filled(one.name, places);
        const exists = Object.fromEntries(
          Object.keys(one.after?.exists ?? {}).map((
            path,
          ) => [path, isThere(`${workspace.path}/${path}`)]),
        );
        return [one.id, { ...outcomeOf(one, run), name: names.get(one.id), expectedName, exists }];
      }),
    );
  } finally {
    server.close();
  }
}

/** A case whose background process is looked for later comes first, so that it lives long enough. */
function startsFirst({ after }: CriterionCase): number {
  return after?.delay_ms === undefined ? 1 : 0;
}

function withFolderName(one: CriterionCase): CriterionCase {
  return { ...one, args: [one.args[0]!, "{folder}"] };
}

const SUITES = ["commands", "readers"] as const;

function suites(path: string): string[] {
  return SUITES.map((suite) => `${path}/${suite}`);
}

function suiteOf({ criterion }: CriterionCase): string {
  return criterion.startsWith("command_") ? "commands" : "readers";
}

/** Path of the check file of a case, without extension: its criterion's, or its own. */
function fileOf(one: CriterionCase, refused: ReadonlySet<string>): string {
  return `${suiteOf(one)}/${refused.has(one.id) ? one.id : one.criterion}`;
}

function checkFiles(
  cases: readonly CriterionCase[],
  refused: ReadonlySet<string>,
  places: Places,
  extra: (one: CriterionCase) => Record<string, string>,
): Record<string, string> {
  const byFile = Map.groupBy(cases, (one) => fileOf(one, refused));
  return Object.fromEntries(
    [...byFile].map(([file, inFile]) => [
      `${file}.ts`,
      HEADER + inFile.map((one) => builtinCall(one, places, extra(one))).join(""),
    ]),
  );
}

/** The name of a case in a run: its own, so that it can be told from all others. */
function nameIn({ id, kwargs }: CriterionCase): string {
  return typeof kwargs.name === "string" ? kwargs.name : id;
}

/** A file that could not be loaded has one criterion with the name of the file, which is the id. */
function outcomeOf(
  one: CriterionCase,
  { details, stderr }: CliRun,
): Pick<CriterionOutcome, "value" | "raw" | "error" | "warnings"> {
  for (const leaf of Object.values(details ?? {}).flatMap(leaves)) {
    const found = leaf.criteria.find(({ name }) => name === nameIn(one) || name === one.id);
    if (found === undefined) continue;
    const warnings = (leaf.warnings ?? []).filter((warning) =>
      warning.startsWith(`${nameIn(one)}: `)
    );
    if (found.error !== undefined) return { error: found.error, warnings };
    return { value: found.value, raw: found.raw, warnings };
  }
  throw new Error(`There is no result of ${one.id}; the run said:\n${stderr.slice(-2000)}`);
}

interface Leaf {
  criteria: { name: string; value: number; raw: unknown; error?: string }[];
  warnings?: string[];
}

// deno-lint-ignore no-explicit-any -- any node of reward-details.json
function leaves(node: any): Leaf[] {
  if (node.criteria !== undefined) return [node];
  return node.components.flatMap(({ detail }: { detail: unknown }) => leaves(detail));
}

/** The names by default: those of a file come in the order of its calls. */
function namesOf(cases: readonly CriterionCase[], { stdout, stderr }: CliRun): Map<string, string> {
  if (stdout === "") throw new Error(`Nothing was discovered:\n${stderr.slice(-2000)}`);
  const listing = JSON.parse(stdout) as Record<
    string,
    { name: string; criteria: { name: string }[] }[]
  >;
  const files = new Map<string, { name: string }[]>(
    Object.entries(listing).flatMap(([suite, rewards]) =>
      rewards.map(({ name, criteria }) => [`${suite}/${name}`, criteria])
    ),
  );
  const names = new Map<string, string>();
  for (const [file, inFile] of Map.groupBy(cases, (one) => fileOf(one, new Set()))) {
    inFile.forEach(({ id }, index) => names.set(id, files.get(file)![index]!.name));
  }
  return names;
}

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
