// What a run writes beside the reward: the report for people, the JUnit file for CI services.

import type { RunError } from "../results.ts";
import type { ScoreNode } from "../score/tree.ts";
import { VERSION } from "../version.ts";
import { htmlReport } from "./html/page.ts";
import { junitText } from "./junit.ts";
import type { OutputFile } from "./whole_file.ts";

/** A run that has ended. */
export interface EndedRun {
  /** `null` if errors allow no reward. */
  rewards: Readonly<Record<string, number>> | null;
  details: Readonly<Record<string, ScoreNode>>;
  errors: readonly RunError[];
  workspace: string;
  testsDirs: readonly string[];
  /** Base names of the tests folders. */
  names: readonly string[];
  startedAt: Date;
  /** Least score that passes, in (0, 1]; absent: anything above 0. */
  passMark?: number;
}

/** A file whose text follows from the run. */
export interface FurtherFile extends OutputFile {
  textOf(run: EndedRun): string;
}

/** @param path Absolute. */
export function reportFile(path: string): FurtherFile {
  return {
    path,
    flag: "--report",
    kind: "report of Reward Kit",
    isOurs: (path) =>
      beginsWith(path, /^<!doctype html>\n[^]*<meta name="generator" content="Reward Kit /),
    textOf: ({ testsDirs, names, startedAt, ...run }) =>
      htmlReport({
        ...run,
        testsDirs,
        folders: testsDirs.length > 1 ? names : [],
        date: startedAt,
        durationSec: (Date.now() - startedAt.getTime()) / 1000,
        version: VERSION,
      }),
  };
}

/** @param path Absolute. */
export function junitFile(path: string): FurtherFile {
  return {
    path,
    flag: "--junit",
    kind: "JUnit file of Reward Kit",
    isOurs: (path) => beginsWith(path, /^<\?xml [^>]*>\n<testsuites name="rewardkit"/),
    textOf: ({ details, errors, passMark }) =>
      junitText(details, { errors, ...(passMark !== undefined && { passMark }) }),
  };
}

/** Bytes within which both say whose they are. */
const HEAD_BYTES = 4096;

function beginsWith(path: string, pattern: RegExp): boolean {
  const head = new Uint8Array(HEAD_BYTES);
  using file = Deno.openSync(path);
  const length = file.readSync(head) ?? 0;
  return pattern.test(new TextDecoder().decode(head.subarray(0, length)));
}
