// Imports run one way, and files are named for what they hold.

import assert from "node:assert/strict";
import { VERSION } from "../src/version.ts";
import { nameOf, parentOf, resolvePath } from "../src/path.ts";

/** An import as the source spells it. */
interface Import {
  specifier: string;
  /** Gone when the program runs. */
  isTypeOnly: boolean;
}

const STATIC_REGEXP =
  /^(?:import|export)\s+(type\s+)?((?:[\w$]+\s*,\s*)?(?:\*(?:\s+as\s+[\w$]+)?|\{[^}]*\}|[\w$]+))\s*from\s*"([^"]+)"/gm;
const BARE_REGEXP = /^import\s*"([^"]+)"/gm;
const DYNAMIC_REGEXP = /(typeof\s+)?\bimport\(\s*"([^"]+)"/g;
/** As `lazily()` and `new URL()` take it, for modules and for entries of Workers. */
const ADDRESS_REGEXP = /[`"]([^`"\s]+\.ts)[`"],\s*import\.meta\.url/g;
const COMMENT_REGEXP = /^\s*(?:\*|\/\*|\/\/).*$/gm;

/** Every module that a source imports, whichever way. */
function importsOf(source: string): Import[] {
  const code = source.replace(COMMENT_REGEXP, "");
  const found: Import[] = [];
  for (const [, type, names, specifier] of code.matchAll(STATIC_REGEXP)) {
    const each = names!.startsWith("{") ? names!.slice(1, -1).split(",") : [];
    const named = each.map((name) => name.trim()).filter((name) => name !== "");
    const isTypeOnly = type !== undefined ||
      (named.length > 0 && named.every((name) => name.startsWith("type ")));
    found.push({ specifier: specifier!, isTypeOnly });
  }
  for (const [, specifier] of code.matchAll(BARE_REGEXP)) {
    found.push({ specifier: specifier!, isTypeOnly: false });
  }
  for (const [, type, specifier] of code.matchAll(DYNAMIC_REGEXP)) {
    found.push({ specifier: specifier!, isTypeOnly: type !== undefined });
  }
  for (const [, specifier] of code.matchAll(ADDRESS_REGEXP)) {
    found.push({ specifier: specifier!, isTypeOnly: false });
  }
  return found;
}

/** What every layer may import that is not one of them. */
const BASIS = [
  "deadline",
  "deno_program",
  "errors",
  "lazy",
  "own_folder",
  "path",
  "slots",
  "nearest",
  "own_children",
];

/** What each layer may import; a type may come from anywhere but a {@link STRANGERS} layer. */
const KNOWN: Record<string, readonly string[]> = {
  errors: [],
  path: [],
  deadline: [],
  deno_program: ["errors"],
  own_folder: ["path"],
  lazy: [],
  slots: [],
  nearest: [],
  own_children: [],
  swapped: [],
  name_hints: ["criterion", "nearest"],
  version: [],
  score: ["errors"],
  "criteria/python": ["criterion", ...BASIS],
  criteria: ["criteria/python", "criterion", ...BASIS],
  criterion: ["criteria/python", "errors", "path"],
  suite: ["criterion", "score", "judge_config", ...BASIS],
  judge_config: [],
  judges: ["judge_config", "command", "criterion", "criteria", "criteria/python", ...BASIS],
  command: BASIS,
  view: ["command", ...BASIS],
  confinement: BASIS,
  sandbox: [
    ...["confinement", "criterion", "command", "view", "checks", "criteria", "criteria/python"],
    ...BASIS,
  ],
  report: ["score", "version", ...BASIS],
  authoring: ["version", ...BASIS],
  policy: ["path"],
  permission_list: ["policy", "sandbox", "settings", "suite", "judge_config", ...BASIS],
  settings: ["criterion", "policy", "view", "path", "errors"],
  announcements: ["results"],
  events: [],
  results: ["criterion", "sandbox", "score", "errors"],
  judge_results: ["judge_config", "results", "suite"],
  judging: [
    "announcements",
    "judges",
    "judge_results",
    "settings",
    "suite",
    "criterion",
    "view",
    ...BASIS,
  ],
  stage: ["view", "confinement", "checks", "settings", "suite", "sandbox", "command", ...BASIS],
  shown_place: BASIS,
  checking: [
    "grading",
    "judging",
    "loading",
    "sandbox",
    "settings",
    "shown_place",
    "stage",
    "suite",
    ...BASIS,
  ],
  loading: [
    "shown_place",
    "stage",
    "announcements",
    "name_hints",
    "swapped",
    "permission_list",
    "policy",
    "judges",
    "settings",
    "suite",
    "sandbox",
    "score",
    ...BASIS,
  ],
  grading: [
    "loading",
    "stage",
    "announcements",
    "results",
    "judging",
    "settings",
    "suite",
    "sandbox",
    "criterion",
    "score",
    ...BASIS,
  ],
  run: [
    "checking",
    "judging",
    "loading",
    "permission_list",
    "settings",
    "stage",
    "suite",
    "sandbox",
    "whole_run",
    ...BASIS,
  ],
  whole_run: ["grading", "report", "settings", "stage", ...BASIS],
  cli: [
    "authoring",
    "run",
    "whole_run",
    "events",
    "policy",
    "view",
    "report",
    "settings",
    "results",
    "version",
    ...BASIS,
  ],
  checks: ["criteria", "criterion", "errors"],
  mod: [
    "sandbox",
    "checks",
    "run",
    "whole_run",
    "judging",
    "judges",
    "results",
    "settings",
    "score",
    "suite",
    "errors",
    "cli",
  ],
};

/** Layers that do not know each other at all, but for those that {@link KNOWN} allows. */
const STRANGERS = ["suite", "sandbox", "command", "view", "judges"];

/** The layer of a file, by its path from the root of the project. */
function layerOf(file: string): string {
  if (file.startsWith("criteria/python/")) return "criteria/python";
  if (file.startsWith("criteria/")) return "criteria";
  if (file.startsWith("judges/")) return "judges";
  if (file === "cli.ts") return "mod";
  const [first, second] = file.split("/");
  return (first === "src" ? second! : first!).replace(/\.ts$/, "");
}

/** What is wrong with an import, or `null`. */
function objection(file: string, { specifier, isTypeOnly }: Import): string | null {
  if (!specifier.startsWith(".")) return null;
  const target = resolvePath(`/${parentOf(file)}`, specifier).slice(1);
  const [from, to] = [layerOf(file), layerOf(target)];
  const shown = `${file} imports ${specifier}`;
  if (from === to) return null;
  const known = KNOWN[from];
  if (known === undefined) return `${file}: its layer "${from}" is not in the table of this test`;
  if (known.includes(to)) return null;
  if (!isTypeOnly) return `${shown}: ${from} must not know ${to}`;
  const areStrangers = STRANGERS.includes(from) && STRANGERS.includes(to);
  return areStrangers ? `${shown}: ${from} must not know even a type of ${to}` : null;
}

const ROOT = new URL("..", import.meta.url).pathname;

/** Paths from the root of every module of ours that is no test. */
function sources(): string[] {
  const found: string[] = [];
  const visit = (folder: string) => {
    for (const { name, isDirectory } of Deno.readDirSync(`${ROOT}/${folder}`)) {
      if (isDirectory) visit(`${folder}/${name}`);
      else if (name.endsWith(".ts") && !name.endsWith("_test.ts")) found.push(`${folder}/${name}`);
    }
  };
  for (const folder of ["src", "criteria", "judges"]) visit(folder);
  return [...found, "mod.ts", "checks.ts", "cli.ts"].sort();
}

function importsOfFile(file: string): Import[] {
  return importsOf(Deno.readTextFileSync(`${ROOT}/${file}`));
}

Deno.test("importsOf() sees every way to import, and no example in a comment", () => {
  const source = `// import { a } from "./comment.ts";
/**
 * import { b } from "./example.ts";
 */
import { c } from "./c.ts";
import type { D } from "./d.ts";
import { type E, type F } from "./e.ts";
import {
  g,
  type H,
} from "./g.ts";
import i, { j } from "./i.ts";
import * as k from "./k.ts";
import "./l.ts";
export { m } from "./m.ts";
export * from "./n.ts";
export type { O } from "./o.ts";
const text = 'import { p } from "./p.ts";';
const q = await import("./q.ts");
const r = lazily<typeof import("./r.ts")>("./r.ts", import.meta.url);
const s = lazily<Family>(\`../s/\${name}.ts\`, import.meta.url);
const t = new URL("./t.ts", import.meta.url);
const root = new URL("../", import.meta.url);
`;
  const seen = importsOf(source);
  const named = (isTypeOnly: boolean) =>
    seen.filter((it) => it.isTypeOnly === isTypeOnly).map(({ specifier }) => specifier).sort();
  assert.deepEqual(named(true), ["./d.ts", "./e.ts", "./o.ts", "./r.ts"]);
  assert.deepEqual(named(false), [
    "../s/${name}.ts",
    ...["./c.ts", "./g.ts", "./i.ts", "./k.ts", "./l.ts", "./m.ts", "./n.ts", "./q.ts", "./r.ts"],
    "./t.ts",
  ]);
});

Deno.test("objection() refuses what runs the wrong way", () => {
  const wrong: [string, string, boolean, RegExp][] = [
    ["src/score/tree.ts", "../criterion/values.ts", false, /score must not know criterion/],
    ["src/errors.ts", "./path.ts", false, /errors must not know path/],
    ["src/suite/a.ts", "../sandbox/cell.ts", true, /not know even a type of sandbox/],
    ["src/command/run.ts", "../view/view.ts", false, /command must not know view/],
    ["src/criterion/a.ts", "../../criteria/json.ts", false, /criterion must not know criteria/],
    ["criteria/json.ts", "../src/sandbox/cell.ts", false, /criteria must not know sandbox/],
    ["criteria/python/json.ts", "../json.ts", false, /criteria\/python must not know criteria/],
    ["src/sandbox/cell.ts", "../suite/suite.ts", true, /not know even a type/],
    ["src/report/listing.ts", "../run.ts", false, /report must not know run/],
    ["src/cli/main.ts", "../grading.ts", false, /cli must not know grading/],
    ["src/new/a.ts", "../errors.ts", false, /its layer "new" is not in the table/],
  ];
  for (const [file, specifier, isTypeOnly, message] of wrong) {
    assert.match(objection(file, { specifier, isTypeOnly }) ?? "nothing", message);
  }
  const right: [string, string, boolean][] = [
    ["src/score/tree.ts", "../errors.ts", false],
    ["src/report/listing.ts", "../run.ts", true],
    ["src/sandbox/program.ts", "../view/view.ts", false],
    ["criteria/xlsx/zip.ts", "../../src/errors.ts", false],
    ["src/cli/help.ts", "commander", false],
  ];
  for (const [file, specifier, isTypeOnly] of right) {
    assert.equal(objection(file, { specifier, isTypeOnly }), null);
  }
});

Deno.test("imports run one way", () => {
  const objections = sources().flatMap((file) =>
    importsOfFile(file).map((it) => objection(file, it)).filter((text) => text !== null)
  );
  assert.deepEqual(objections, []);
});

Deno.test("only loading, grading, their stage, run and results put stages together", () => {
  const stages = ["suite", "sandbox", "score", "report"];
  const joining = sources().filter((file) => {
    const layers = importsOfFile(file)
      .filter(({ specifier, isTypeOnly }) => specifier.startsWith(".") && !isTypeOnly)
      .map(({ specifier }) => layerOf(resolvePath(`/${parentOf(file)}`, specifier).slice(1)));
    return stages.filter((stage) => layers.includes(stage) && layerOf(file) !== stage).length > 1;
  });
  const allowed = [
    "src/checking.ts",
    "src/grading.ts",
    "src/loading.ts",
    "src/results.ts",
    "src/run.ts",
    "src/stage.ts",
  ];
  assert.deepEqual(joining.filter((file) => !allowed.includes(file)), []);
});

Deno.test("no module imports itself over others", () => {
  const targets = new Map(
    sources().map((file) => [
      file,
      importsOfFile(file)
        .filter(({ specifier, isTypeOnly }) => specifier.startsWith(".") && !isTypeOnly)
        .map(({ specifier }) => resolvePath(`/${parentOf(file)}`, specifier).slice(1)),
    ]),
  );
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, way: readonly string[]) => {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(" → "));
    if (done.has(file) || way.includes(file)) return;
    for (const target of targets.get(file) ?? []) visit(target, [...way, file]);
    done.add(file);
  };
  for (const file of targets.keys()) visit(file, []);
  assert.deepEqual(circles, []);
});

Deno.test("what is imported is there, and every package is named in deno.json", () => {
  const { imports } = JSON.parse(Deno.readTextFileSync(`${ROOT}/deno.json`));
  const files = new Set(sources());
  const missing = [...files].flatMap((file) =>
    importsOfFile(file).filter(({ specifier }) => {
      if (specifier.startsWith("node:") || specifier.includes("${")) return false;
      if (!specifier.startsWith(".")) return !(specifier in imports) && !isBelowPackage(specifier);
      const target = resolvePath(`/${parentOf(file)}`, specifier).slice(1);
      return target.endsWith(".ts") && !files.has(target);
    }).map(({ specifier }) => `${file} imports ${specifier}`)
  );
  function isBelowPackage(specifier: string): boolean {
    return Object.keys(imports).some((name) => specifier.startsWith(`${name}/`));
  }
  assert.deepEqual(missing, []);
});

Deno.test("files are named for their subject", () => {
  const vague = /^(utils?|helpers?|types?|constants?|common|misc|shared|lib)(_|\.|$)/;
  assert.match("utils.ts", vague);
  const all = sources().filter((file) =>
    vague.test(nameOf(file)) || vague.test(nameOf(parentOf(file)))
  );
  assert.deepEqual(all, []);
  assert.deepEqual(sources().filter((file) => !/^[a-z0-9_]+(\.d)?\.ts$/.test(nameOf(file))), []);
});

Deno.test("the version is the one in deno.json", () => {
  assert.equal(VERSION, JSON.parse(Deno.readTextFileSync(`${ROOT}/deno.json`)).version);
});
