// Tells of a run what its stages know of it.

import type { JudgeResult } from "../judges/result.ts";
import type { EventFile, RunEvent } from "./events.ts";
import { explained, outcomeOfEnded } from "./results.ts";
import type { GradeWatcher } from "./sandbox/grade.ts";
import type { ScorePlan } from "./score/plan.ts";
import type { Suite } from "./suite/suite.ts";

type Tell = (event: RunEvent) => void;

/** A tests folder has been read. */
export function announceSuite(suite: Suite, tell: Tell): void {
  tell({
    type: "discovered",
    testsDir: suite.shown,
    files: filesOf(suite).map(({ file }) => file),
  });
}

/** What a tests folder will compute is known. */
export function announcePlan(suite: Suite, { inputs }: ScorePlan, tell: Tell): void {
  const criteria = new Map(
    inputs.map(({ leaf }) => [leaf.file, leaf.criteria.map(({ name }) => name)]),
  );
  const files = filesOf(suite).flatMap(({ id, file }) => {
    const planned = criteria.get(id);
    return planned === undefined ? [] : [{ ...file, criteria: planned }];
  });
  tell({ type: "planned", testsDir: suite.shown, files });
}

function filesOf({ checkFiles, judges }: Suite): { id: string; file: EventFile }[] {
  return [
    ...checkFiles.map(({ id, shown }) => ({
      id,
      file: { file: shown, kind: "programmatic" as const },
    })),
    ...judges.map(({ id, shown, config }) => ({ id, file: { file: shown, kind: config.kind } })),
  ];
}

/** A check file that could not be loaded: the one criterion that stands for it has ended. */
export function announceUnloadable(
  { shown, stem }: { shown: string; stem: string },
  error: string,
  tell: Tell,
): void {
  tell({ type: "criterionFinished", file: shown, index: 0, criterion: stem, score: 0, error });
  tell({ type: "fileFinished", file: shown, durationSec: 0 });
}

/** Tells how the check files of a tests folder get on. */
export function watcher({ checkFiles }: Suite, tell: Tell): GradeWatcher {
  const shown = new Map(checkFiles.map((file) => [file.id, file.shown]));
  return {
    fileStarted: (id) => tell({ type: "fileStarted", file: shown.get(id)! }),
    fileEnded: (id, { durationSec }) =>
      tell({ type: "fileFinished", file: shown.get(id)!, durationSec }),
    criterionStarted: (id, { index, name }) =>
      tell({ type: "criterionStarted", file: shown.get(id)!, index, criterion: name }),
    criterionEnded: (id, { index, name }, ended) =>
      tell({
        type: "criterionFinished",
        file: shown.get(id)!,
        index,
        criterion: name,
        ...outcomeOfEnded(ended),
      }),
  };
}

/** A judge is done. */
export function announceJudge(
  file: string,
  { criteria, durationSec }: JudgeResult,
  tell: Tell,
): void {
  for (const [index, found] of criteria.entries()) {
    const { name, value, error } = found;
    tell({
      type: "criterionFinished",
      file,
      index,
      criterion: name,
      ...explained(value, found),
      ...(error !== undefined && { error }),
    });
  }
  tell({ type: "fileFinished", file, durationSec });
}
