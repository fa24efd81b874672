// What a part of the bench is given, and how it repeats its measurements.

import type { Figure } from "./figures.ts";
import type { Point } from "./statistics.ts";
import type { Tool } from "./tools.ts";

/** A part of the bench. */
export interface Section {
  /** As `--only` spells it. */
  name: string;
  run(context: Context): Promise<void>;
}

/** What a section works with. */
export interface Context {
  /** An empty folder of the section's own. */
  folder: string;
  /** `null` if it is not installed. */
  original: Tool | null;
  /** Fewer and smaller runs. */
  isQuick: boolean;
  /** Adds a row to the table. */
  report(figure: Omit<Figure, "section">): void;
  /** Says what could not be measured. */
  warn(message: string): void;
}

/** Something that is measured at several sizes. */
export interface Contender {
  rounds: number;
  /** Returns seconds. */
  run(size: number): Promise<number>;
}

/**
 * Measures contenders at several sizes: in turns, so that what disturbs the machine for a while
 * disturbs all of them.
 *
 * @returns For each contender its measurements, in seconds.
 */
export async function sweep<Name extends string>(
  sizes: readonly number[],
  contenders: Record<Name, Contender | null>,
): Promise<Record<Name, Point[] | null>> {
  const measured = {} as Record<Name, Point[] | null>;
  const entries = Object.entries<Contender | null>(contenders) as [Name, Contender | null][];
  for (const [name, contender] of entries) measured[name] = contender && [];
  const rounds = Math.max(...entries.map(([, contender]) => contender?.rounds ?? 0));
  for (let round = 0; round < rounds; round++) {
    for (const size of sizes) {
      for (const [name, contender] of entries) {
        if (contender === null || round >= contender.rounds) continue;
        measured[name]!.push({ x: size, y: await contender.run(size) });
      }
    }
  }
  return measured;
}
