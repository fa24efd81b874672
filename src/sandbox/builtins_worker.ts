// Entry of a Worker that computes built-in criteria. No author's code is ever loaded into it.

import type { Check, CheckContext, CheckResult, Mismatch } from "../criterion/builtin.ts";
import { WorkspaceReader } from "../criterion/reader.ts";
import { decodeValue, encodeValue } from "../criterion/values.ts";
import { lazily } from "../lazy.ts";
import { checksOf } from "./builtin_checks.ts";
import { problemOf } from "./problem.ts";
import type { EndedMessage, FromWorker, RunMessage, ToWorker } from "./protocol.ts";

const scope = self as unknown as {
  postMessage(message: FromWorker): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
};

let files: WorkspaceReader;

scope.onmessage = ({ data }) => {
  if (data.type === "prepare") {
    files = new WorkspaceReader(data.setting);
    scope.postMessage({ type: "prepared", criteria: [] });
  } else if (data.type === "run") void run(data).then(scope.postMessage.bind(scope));
  else if (data.type === "all") void runAll(data.messages);
};

async function runAll(messages: readonly RunMessage[]): Promise<void> {
  const ended: EndedMessage[] = [];
  for (const message of messages) ended.push(await run(message));
  scope.postMessage({ type: "all", messages: ended });
}

async function run({ index, check: builtin }: RunMessage): Promise<EndedMessage> {
  const { criterion, args, command } = builtin!;
  const warnings: string[] = [];
  let mismatch: Mismatch | undefined;
  const context: CheckContext = {
    files,
    warn: (message) => warnings.push(message),
    mismatch: (how, expected, found) => {
      mismatch = { how, expected, found };
      return false;
    },
    command: () => Promise.resolve(command!),
  };
  try {
    const check: Check = await checksOf(criterion);
    const result = await check(context, ...decodeValue(args) as unknown[]);
    const explained = mismatch === undefined ? result : await withExcerpts(result, mismatch);
    return { type: "scored", index, result: encodeValue(explained), warnings };
  } catch (error) {
    return { type: "failed", index, problem: problemOf(error), warnings };
  }
}

async function withExcerpts(score: CheckResult, mismatch: Mismatch): Promise<unknown> {
  const { excerpts } = await lazily<typeof import("../criterion/mismatch.ts")>(
    "../criterion/mismatch.ts",
    import.meta.url,
  );
  return { score, ...excerpts(mismatch) };
}
