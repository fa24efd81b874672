// What the bench found out, and how it is shown.

import Table from "cli-table3";

/** Units of figures; `×` is a ratio. */
export type Unit = "ms" | "s" | "MiB" | "×";

/** What a figure ought to be. */
export interface Target {
  is: "at most" | "at least";
  value: number;
}

/** A row of the table. Values are `null` where nothing was measured. */
export interface Figure {
  section: string;
  name: string;
  unit: Unit;
  rewardKit: number | null;
  /** The least that could be done. */
  floor?: number | null;
  original?: number | null;
  target?: Target;
}

/** Whether a figure is as it ought to be; `null` if there is no target or nothing was measured. */
export function isMet({ rewardKit, target }: Figure): boolean | null {
  if (target === undefined || rewardKit === null) return null;
  return target.is === "at most" ? rewardKit <= target.value : rewardKit >= target.value;
}

/** The figures as a table. */
export function tableOf(figures: readonly Figure[]): string {
  const table = new Table({
    head: ["", "Reward Kit", "floor", "original", "target", ""],
    colAligns: ["left", "right", "right", "right", "left", "left"],
    style: { head: [], border: [], compact: true },
  });
  let section = "";
  for (const figure of figures) {
    if (figure.section !== section) {
      section = figure.section;
      table.push([{ content: section.toUpperCase(), colSpan: 6 }]);
    }
    const { name, unit, rewardKit, floor = null, original = null, target } = figure;
    const met = isMet(figure);
    table.push([
      name,
      withUnit(rewardKit, unit),
      withUnit(floor, unit),
      withUnit(original, unit),
      target === undefined ? "" : `${target.is} ${target.value} ${unit}`,
      met === null ? "" : met ? "ok" : "MISSED",
    ]);
  }
  return table.toString();
}

/** The figures for programs. */
export function jsonOf(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => ({
    section: figure.section,
    name: figure.name,
    unit: figure.unit,
    reward_kit: figure.rewardKit,
    floor: figure.floor ?? null,
    original: figure.original ?? null,
    target: figure.target === undefined ? null : { [figure.target.is]: figure.target.value },
    ok: isMet(figure),
  }));
  return JSON.stringify(rows, null, 2);
}

/** Three digits are more than such measurements are worth. */
function withUnit(value: number | null, unit: Unit): string {
  if (value === null) return "";
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${unit}`;
}
