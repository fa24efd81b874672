// What every criterion and judge of a tests folder asks for, and what of it is too much.

import { ConfigError } from "./errors.ts";
import type { JudgeConfig } from "./judge_config.ts";
import { resolvePath } from "./path.ts";
import { type Ask, asksOf, type Ceiling, type Excess, excessOf, ownRoots } from "./policy.ts";
import type { Collected } from "./sandbox/collect.ts";
import type { Roots } from "./sandbox/permissions.ts";
import type { Untrusted } from "./settings.ts";
import type { Suite } from "./suite/suite.ts";

/** What one criterion, or a judge, asks for. */
export interface ListedPermissions {
  /** As a person would type its path. */
  file: string;
  /** Absent: a judge as a whole. */
  criterion?: string;
  asks: Ask[];
  /** What goes beyond what the run allows; nothing does where check files are trusted. */
  exceeds: Excess[];
}

/**
 * Lists what is asked for: of check files that could be loaded, by criterion, and of judges.
 *
 * @param untrusted `null`: everything is allowed.
 */
export function listPermissions(
  { checkFiles, judges }: Suite,
  collected: ReadonlyMap<string, Collected>,
  roots: Roots,
  untrusted: Untrusted | null,
): ListedPermissions[] {
  const ofFiles = checkFiles.flatMap(({ id, shown, path }) => {
    const found = collected.get(id)!;
    if ("problem" in found) return [];
    const own = untrusted === null ? roots : ownRoots(roots, path);
    return found.declarations.map((declaration) =>
      listed({ file: shown, criterion: declaration.name }, asksOf(declaration, own), own, untrusted)
    );
  });
  const ofJudges = judges.map(({ shown, path, config }) =>
    listed({ file: shown }, judgeAsks(config, roots), ownRoots(roots, path), untrusted)
  );
  return [...ofFiles, ...ofJudges];
}

function listed(
  where: Pick<ListedPermissions, "file" | "criterion">,
  asks: Ask[],
  own: Roots,
  untrusted: Untrusted | null,
): ListedPermissions {
  const exceeds = untrusted === null ? [] : excessOf(asks, ceilingOf(untrusted, own));
  return { ...where, asks, exceeds };
}

/** What a stranger's file may ask for: the workspace and its own folder, and what flags add. */
function ceilingOf({ allow }: Untrusted, { workspace, tests }: Roots): Ceiling {
  return { ...allow, read: allow.read === true ? true : [workspace, tests, ...allow.read] };
}

/**
 * What a judge asks of this machine. What a model is shown leaves it, so its files are read like any
 * others; an agent is a program, and its tool servers are programs, hosts and variables.
 */
function judgeAsks(config: JudgeConfig, { workspace }: Roots): Ask[] {
  const { kind, judge, files, reference, trajectory, cwd, criteria, mcpServers } = config;
  const paths = [
    ...files,
    ...criteria.flatMap(({ files }) => files ?? []),
    ...[reference, trajectory, cwd].filter((path) => path !== undefined),
  ];
  const reads = paths.map((path): Ask => ({ kind: "read", value: resolvePath(workspace, path) }));
  const agent: Ask[] = kind === "agent" ? [{ kind: "run", value: judge }] : [];
  return [...reads, ...agent, ...mcpServers.flatMap(serverAsks)];
}

function serverAsks({ command, args, url }: JudgeConfig["mcpServers"][number]): Ask[] {
  const texts = [command, url, ...args].filter((text) => text !== undefined);
  const variables = texts.flatMap((text) =>
    [...text.matchAll(/\$(?:\{(\w+)\}|(\w+))/g)].map(([, braced, bare]) => braced ?? bare!)
  );
  return [
    ...(command === undefined ? [] : [{ kind: "run", value: command } as const]),
    ...(url === undefined ? [] : [{ kind: "net", value: hostOf(url) } as const]),
    ...variables.map((value) => ({ kind: "env", value } as const)),
  ];
}

function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}

/** Everything that is too much, as problems of the tests folder. */
export function excessProblems(permissions: readonly ListedPermissions[]): ConfigError[] {
  return permissions.flatMap(({ file, criterion, exceeds }) =>
    exceeds.map(({ kind, value, flag }) => {
      const who = criterion === undefined ? "the judge" : `criterion "${criterion}"`;
      const what = `${kind}: ${value === true ? "everything" : value}`;
      return new ConfigError(`${file}: ${who} asks for more than --untrusted allows: ${what}`, {
        place: { file },
        hint: `Grant it with ${flag}, or take it out`,
      });
    })
  );
}
