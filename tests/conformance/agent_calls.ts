// Holds how agents were started here against how they were when that was recorded.

import { parse } from "smol-toml";
import type { FakeCall } from "./fake_agent.ts";
import { type Compare, comparison } from "./judge_agreement.ts";

/** A recorded start. */
interface RecordedCall {
  tool: string;
  argv: string[];
  cwd: string;
  /** Absent where it was not to judge. */
  stdin?: string;
  prompt_names: string[];
  prompt_contains?: string[];
  schema: unknown;
  cwd_files: string[];
  env: Record<string, string>;
  codex_home_files?: Record<string, [mode: string, text: string]>;
}

/** What is not as it was recorded, in what matters; empty: it agrees. */
export function callProblems(
  calls: readonly RecordedCall[],
  runs: readonly FakeCall[],
): string[] {
  const { problems, compare } = comparison();
  // Agents of two judges start in any order.
  const waiting = [...runs];
  for (const call of calls) {
    if (call.stdin === undefined) continue;
    const at = waiting.findIndex(({ tool }) => tool === call.tool);
    const [run] = at < 0 ? [] : waiting.splice(at, 1);
    if (run === undefined) continue;
    compareCall(run, call, compare);
    compare("tool servers", serversIn(run), recordedServers(call, calls));
  }
  return problems;
}

function compareCall(run: FakeCall, call: RecordedCall, compare: Compare): void {
  for (const [what, names] of Object.entries(OPTIONS)) {
    compare(what, valuesOf(run.args, names), valuesOf(call.argv, names));
  }
  compare("working folder", placed(run.cwd, call.cwd), call.cwd);
  const option = optionOf(call.argv, "-C") ?? "";
  compare("-C", placed(optionOf(run.args, "-C") ?? "", option), option);
  compare("files in its folder", run.cwdFiles.toSorted(), call.cwd_files);
  compare("schema", inOrder(schemaOf(run)), inOrder(call.schema));
  const words = [
    ...call.prompt_names.map((name) => `"${name}"`),
    ...call.prompt_contains ?? [],
  ];
  compare("what the prompt lacks", words.filter((word) => !run.stdin.includes(word)), []);
  compare("environment", watched(run.env, call.tool), wantedEnvironment(call));
  const auth = run.files["auth.json"];
  const recorded = call.codex_home_files?.["auth.json"];
  compare("auth.json", auth && [`0o${auth.mode.toString(8)}`, auth.text], recorded);
}

const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  "model": ["--model", "-m"],
  "effort": ["--effort", "-c"],
  "tools without asking": ["--allowedTools"],
  "output format": ["--output-format"],
  "sandbox": ["--sandbox"],
};

/** What follows an option; tools are one argument or several. */
function valuesOf(args: readonly string[], names: readonly string[]): string | undefined {
  const at = args.findIndex((argument) => names.includes(argument));
  if (at < 0) return undefined;
  const end = args.findIndex((argument, index) => index > at && argument.startsWith("-"));
  return args.slice(at + 1, end < 0 ? undefined : end).join(" ");
}

function optionOf(args: readonly string[], name: string): string | undefined {
  return args.includes(name) ? args[args.indexOf(name) + 1] : undefined;
}

/** A view lies over the workspace itself, or, where it is a copy, in a folder of the run's own. */
function placed(path: string, recorded: string): string {
  if (recorded.startsWith("{OVERLAY}") && path.startsWith("{WS}")) {
    return path.replace("{WS}", "{OVERLAY}");
  }
  return path.replace(/^\{TMP\}\/rewardkit-[^/]+\/(?:views\/)?[0-9a-f-]{36}/, "{OVERLAY}");
}

function schemaOf({ args, files }: FakeCall): unknown {
  return JSON.parse(optionOf(args, "--json-schema") ?? files["schema.json"]?.text ?? "null");
}

/** The reasoning comes first here. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder).sort();
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, part]) => [key, inOrder(part)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => a < b ? -1 : 1));
}

/** Credentials that each of the programs may see. */
const OWN_CREDENTIALS: Readonly<Record<string, readonly string[]>> = {
  claude: ["ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"],
  codex: ["CODEX_API_KEY"],
};

/** Variables that are compared: what is a credential or ours, and some that have to arrive. */
function watched(env: FakeCall["env"], tool: string): Record<string, string> {
  const names = Object.keys(env).filter((name) =>
    /API_KEY|TOKEN|AUTH|^OPENAI_|^REWARDKIT_(?!RUN$)|^MARK$/.test(name)
  );
  if (tool === "codex" && env.CODEX_HOME === undefined) names.push("CODEX_HOME");
  return Object.fromEntries(names.sort().map((name) => [name, env[name] ?? "missing"]));
}

function wantedEnvironment({ env, tool }: RecordedCall): Record<string, string> {
  const names = [...OWN_CREDENTIALS[tool]!, "MARK"].filter((name) => env[name] !== undefined);
  return Object.fromEntries(names.sort().map((name) => [name, env[name]!]));
}

/** Tool servers that an agent has been told of, by name. */
type Servers = Record<string, Record<string, unknown>>;

function serversIn({ files }: FakeCall): Servers {
  const servers: unknown = files["config.toml"] === undefined
    ? JSON.parse(files["mcp.json"]?.text ?? "{}").mcpServers
    : parse(files["config.toml"].text).mcp_servers;
  // Ours alone: servers that have to start, and are found when the run has ended.
  for (const server of Object.values(servers ?? {})) {
    delete server.required;
    delete server.env_vars;
  }
  // A null prototype is no difference.
  return structuredClone(servers ?? {}) as Servers;
}

/** claude was told by a call for each. */
function recordedServers(
  { tool, codex_home_files: files }: RecordedCall,
  calls: readonly RecordedCall[],
): Servers {
  if (tool === "codex") {
    return structuredClone(parse(files?.["config.toml"]?.[1] ?? "").mcp_servers ?? {}) as Servers;
  }
  const added = calls.filter(({ argv }) => argv[0] === "mcp" && argv[1] === "add");
  return Object.fromEntries(added.map(({ argv: [, , ...rest] }) => {
    if (rest[0] === "--transport") return [rest[2], { type: rest[1], url: rest[3] }];
    return [rest[0], { type: "stdio", command: rest[2], args: rest.slice(3) }];
  }));
}
