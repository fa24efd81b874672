// Runs the recorded tests folders through the command line.

import { type CliRun, rewardkit } from "../cli.ts";
import { type LayoutCase, type RecordedFiles, workspaceWithModes } from "./recorded.ts";
import { checkFile } from "./source.ts";

/** What came of a layout here. */
export interface LayoutOutcome {
  code: number;
  reward: Record<string, number> | null;
  // deno-lint-ignore no-explicit-any -- any part of reward-details.json
  details: Record<string, any> | null;
  // deno-lint-ignore no-explicit-any
  discovered: any[] | null;
  /** Of a run of its own; of others it is empty. */
  stdout: string;
  stderr: string;
  /** Which of the looked-for files were in the workspace after the run. */
  exists: Record<string, boolean>;
}

/** Runs at the same time that are not part of a larger one. */
const AT_ONCE = 2;

/**
 * Grades or lists every layout.
 *
 * @param runsAlone Whether a layout must have a run of its own; all others are suites of one.
 */
export async function gradeLayouts(
  layouts: readonly LayoutCase[],
  runsAlone: (layout: LayoutCase) => boolean,
): Promise<Map<string, LayoutOutcome>> {
  const root = await Deno.makeTempDir({ prefix: "rewardkit-layouts-" });
  using workspace = workspaceWithModes();
  try {
    for (const layout of layouts) await writeLayout(`${root}/${layout.id}`, layout);
    const alone = layouts.filter((layout) => runsAlone(layout) || needsOwnRun(layout));
    const together = layouts.filter((layout) => !alone.includes(layout));
    const outcomes = new Map(await gradeTogether(root, together, workspace.path));
    const waiting = [...alone];
    await Promise.all(Array.from({ length: AT_ONCE }, async () => {
      for (let layout = waiting.shift(); layout !== undefined; layout = waiting.shift()) {
        outcomes.set(layout.id, await gradeAlone(`${root}/${layout.id}`, layout, workspace.path));
      }
    }));
    return outcomes;
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

function needsOwnRun({ suites, workspace }: LayoutCase): boolean {
  return suites !== undefined || typeof workspace === "object";
}

/** One run that grades, one that lists; a suite of them is called as its layout is. */
async function gradeTogether(
  root: string,
  layouts: readonly LayoutCase[],
  workspace: string,
): Promise<[string, LayoutOutcome][]> {
  const { listed = [], graded = [] } = Object.groupBy(
    layouts,
    ({ mode }) => mode === "discover" ? "listed" : "graded",
  );
  const places = (some: readonly LayoutCase[]) => some.map(({ id }) => `${root}/${id}/tests/${id}`);
  const options = ["--workspace", workspace, "--quiet"];
  await using run = await rewardkit([...places(graded), "--pass-mark", "1", ...options]);
  await using listing = await rewardkit(["discover", ...places(listed), "--json", ...options]);
  if (run.reward === null) throw new Error(`No reward:\n${run.stderr.slice(-2000)}`);
  if (listing.stdout === "") throw new Error(`No listing:\n${listing.stderr.slice(-2000)}`);
  const discovered = JSON.parse(listing.stdout);
  return [
    ...graded.map(({ id }): [string, LayoutOutcome] => [id, {
      ...nothing(run.code),
      reward: within(id, run.reward!),
      details: within(id, run.details!),
    }]),
    ...listed.map(({ id }): [string, LayoutOutcome] => [id, {
      ...nothing(listing.code),
      discovered: discovered[id],
    }]),
  ];
}

function nothing(code: number): LayoutOutcome {
  return {
    code,
    reward: null,
    details: null,
    discovered: null,
    stdout: "",
    stderr: "",
    exists: {},
  };
}

function within<T>(suite: string, values: Readonly<Record<string, T>>): Record<string, T> {
  const own = Object.entries(values).filter(([key]) => key.startsWith(`${suite}/`));
  return Object.fromEntries(own.map(([key, value]) => [key.slice(suite.length + 1), value]));
}

async function gradeAlone(
  place: string,
  layout: LayoutCase,
  shared: string,
): Promise<LayoutOutcome> {
  const { id, mode, suites, after } = layout;
  const folders = suites === undefined
    ? [`${place}/tests/${id}`]
    : Object.keys(suites).map((name) => `${place}/tests/${name}`);
  const workspace = typeof layout.workspace === "object" ? `${place}/workspace` : shared;
  await using run: CliRun = mode === "discover"
    ? await rewardkit(["discover", ...folders, "--json", "--workspace", workspace])
    : await rewardkit([...folders, "--pass-mark", "1", "--workspace", workspace]);
  const { code, reward, details, stdout, stderr } = run;
  return {
    code,
    reward,
    details,
    discovered: mode === "discover" && code === 0 ? JSON.parse(stdout) : null,
    stdout,
    stderr,
    exists: Object.fromEntries(await Promise.all(
      (after?.exists ?? []).map(async (path) =>
        [path, await Deno.lstat(`${workspace}/${path}`).then(() => true, () => false)] as const
      ),
    )),
  };
}

async function writeLayout(place: string, layout: LayoutCase): Promise<void> {
  const suites = layout.suites ?? { [layout.id]: layout.files };
  for (const [name, files] of Object.entries(suites)) {
    await Deno.mkdir(`${place}/tests`, { recursive: true });
    if (files !== null) await writeFiles(`${place}/tests/${name}`, files);
  }
  if (typeof layout.workspace === "object") {
    await writeFiles(`${place}/workspace`, layout.workspace);
  }
}

async function writeFiles(folder: string, files: RecordedFiles): Promise<void> {
  await Deno.mkdir(folder);
  for (const [name, content] of Object.entries(files)) {
    const isCheckFile = typeof content === "object" && content.calls !== undefined;
    const path = `${folder}/${name}${isCheckFile ? ".ts" : ""}`;
    const parent = typeof content === "object" && content.dir ? path : path.slice(0, path.lastIndexOf("/"));
    await Deno.mkdir(parent, { recursive: true });
    if (typeof content === "string") await Deno.writeTextFile(path, content);
    else if (isCheckFile) await Deno.writeTextFile(path, checkFile(name, content.calls!, files));
  }
}
