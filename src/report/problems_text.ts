// Warnings and errors of a run, grouped by the file that they are about.

import { widthOf } from "./columns.ts";
import { type Paint, painter } from "./paint.ts";

/** A warning or an error. */
export interface ShownProblem {
  kind: "warning" | "error";
  /** As a person would type it; absent: the run as a whole. */
  file?: string;
  line?: number;
  column?: number;
  criterion?: string;
  message: string;
  hint?: string;
  stack?: string;
}

/**
 * Lines of the groups, which follow the order of first mention, errors before warnings; what is of no
 * file comes first.
 */
export function problemsText(
  problems: readonly ShownProblem[],
  { colours }: { colours: boolean },
): string {
  const paint = painter(colours);
  const groups = Map.groupBy(problems, ({ file = "" }) => file);
  const ordered = [...groups].sort(([one], [other]) => Number(one !== "") - Number(other !== ""));
  return ordered.map(([file, members]) => {
    const sorted = [
      ...members.filter(({ kind }) => kind === "error"),
      ...members.filter(({ kind }) => kind === "warning"),
    ];
    const head = file === "" ? [] : [paint(file, "bold")];
    return [...head, ...sorted.flatMap((problem) => lines(problem, file === "" ? "" : "  ", paint))]
      .join("\n");
  }).join("\n");
}

const COLOURS = { error: "red", warning: "yellow" } as const;

function lines(
  { kind, line, column, criterion, message, hint, stack }: ShownProblem,
  margin: string,
  paint: Paint,
): string[] {
  const place = [line, column].filter((part) => part !== undefined).join(":");
  const about = [place, criterion ?? ""].filter((part) => part !== "").map((part) => `${part}: `)
    .join("");
  const label = `${margin}${kind}: `;
  const indentation = " ".repeat(widthOf(label));
  const indented = (text: string) => text.replaceAll("\n", `\n${indentation}`);
  return [
    `${margin}${paint(`${kind}:`, COLOURS[kind])} ${indented(about + message)}`,
    ...(hint === undefined ? [] : [`${indentation}${paint("hint:", "dim")} ${indented(hint)}`]),
    ...(stack === undefined ? [] : [indentation + paint(indented(stack), "dim")]),
  ];
}
