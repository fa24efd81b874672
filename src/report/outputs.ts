// Everything that a run writes: checked before anything is graded, written when all of it is.

import { UsageError } from "../errors.ts";
import { lazily } from "../lazy.ts";
import { nameOf, parentOf } from "../path.ts";
import type { Settings } from "../settings.ts";
import type { EndedRun, FurtherFile } from "./further_files.ts";
import { prepareOutput, type RewardFiles, rewardFiles, writeRewardFiles } from "./reward_files.ts";
import {
  type OutputFile,
  removeEarlier,
  removePlanted,
  requireWritable,
  writeWhole,
} from "./whole_file.ts";

/** The files of a run. */
export class Outputs {
  readonly #reward: RewardFiles | null;
  readonly #further: readonly FurtherFile[];

  private constructor(reward: RewardFiles | null, further: readonly FurtherFile[]) {
    this.#reward = reward;
    this.#further = further;
  }

  /**
   * Makes sure that all of them can be written, and removes what an earlier run has left.
   *
   * @throws {UsageError} If one cannot be written, two are one, or something that no run has written
   * is there.
   */
  static async open(settings: Settings): Promise<Outputs> {
    const { output, onEvent } = settings;
    const reward = output === null ? null : rewardFiles(output);
    if (reward !== null) {
      for (const message of prepareOutput(reward)) onEvent({ type: "warning", message });
    }
    const further = await furtherFiles(settings);
    for (const file of further) requireWritable(parentOf(file.path), file);
    const outputs = new Outputs(reward, further);
    requireDistinct(outputs.#all());
    for (const file of further) removeEarlier(file);
    return outputs;
  }

  #all(): OutputFile[] {
    return [...(this.#reward === null ? [] : Object.values(this.#reward)), ...this.#further];
  }

  /** There is no result: nothing that has come to lie at their places must pass for one. */
  discard(): void {
    for (const file of this.#all()) removePlanted(file);
  }

  /** @throws {UsageError} If one cannot be written after all. */
  async write(run: EndedRun): Promise<void> {
    if (this.#reward !== null) await writeRewardFiles(this.#reward, run.rewards, run.details);
    await this.writeFurther(run);
  }

  /** Writes those that are no reward. */
  async writeFurther(run: EndedRun): Promise<void> {
    for (const file of this.#further) {
      removePlanted(file);
      await writeWhole(file.path, file.textOf(run));
    }
  }
}

/** Their code loads only for a run that is asked for one. */
async function furtherFiles({ report, junit }: Settings): Promise<FurtherFile[]> {
  if (report === null && junit === null) return [];
  const { junitFile, reportFile } = await lazily<typeof import("./further_files.ts")>(
    "./further_files.ts",
    import.meta.url,
  );
  return [
    ...(report === null ? [] : [reportFile(report)]),
    ...(junit === null ? [] : [junitFile(junit)]),
  ];
}

/** Folders may be reached over links: what counts is where a file really lies. */
function requireDistinct(files: readonly OutputFile[]): void {
  const taken = new Map<string, OutputFile>();
  for (const file of files) {
    const place = `${Deno.realPathSync(parentOf(file.path))}/${nameOf(file.path)}`;
    const other = taken.get(place);
    if (other !== undefined) {
      throw new UsageError(`Cannot write ${file.path}: a file of ${other.flag} goes there`, {
        hint: `Give another place with ${file.flag}`,
      });
    }
    taken.set(place, file);
  }
}
