// What a terminal shows of a run while it goes on: from how far it is to lines.

import { cut, cutStart, oneLine, widthOf } from "../report/columns.ts";
import { painter } from "../report/paint.ts";
import type { FileProgress, Progress } from "./progress.ts";

/** The room there is. */
export interface Room {
  columns: number;
  /** Lines. */
  rows: number;
  /** With escape sequences for colours. */
  colours: boolean;
}

/** Most lines that are taken of a terminal, however large it is. */
const MAX_LINES = 12;

const FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";

/** Milliseconds for which one picture of the sign that something moves is shown. */
const FRAME_MS = 100;

/**
 * A line for each check file and judge that is being computed, as far as there is room, and one for
 * the whole. No line is wider than the terminal.
 *
 * @param now Milliseconds, of the clock that `progress` was told.
 */
export function progressLines(progress: Progress, room: Room, now: number): string[] {
  const width = Math.max(room.columns - 1, 1);
  const { running } = progress;
  const most = Math.max(Math.min(room.rows - 2, MAX_LINES) - 1, 0);
  const isTooMuch = running.length > most;
  const shown = running.slice(0, isTooMuch ? Math.max(most - 1, 0) : most);
  const frame = FRAMES[Math.floor(now / FRAME_MS) % FRAMES.length]!;
  const names = shown.map(({ file }) => oneLine(shortName(file, progress.testsDir)));
  const nameWidth = Math.min(
    Math.max(0, ...names.map(widthOf)),
    Math.max(Math.floor(width / 2) - 2, 4),
  );
  const paint = painter(room.colours);
  const lines = shown.map((state, index) => {
    const name = cutStart(names[index]!, nameWidth);
    const padding = " ".repeat(nameWidth - widthOf(name));
    const left = cut(`${frame} ${name}${padding}`, width);
    const says = cut(stateText(state, now), Math.max(width - widthOf(left) - 2, 0));
    if (widthOf(left) + 2 >= width || says === "…") return paint(left, "cyan");
    return `${paint(left, "cyan")}  ${says}`;
  });
  if (isTooMuch && most > 0) {
    lines.push(paint(cut(`  and ${running.length - shown.length} more`, width), "dim"));
  }
  lines.push(paint(cut(summary(progress, now), width), "bold"));
  return lines;
}

/** A path without the tests folder in front. */
function shortName(file: string, testsDir: string): string {
  const prefix = `${testsDir.replace(/\/+$/, "")}/`;
  return file.startsWith(prefix) ? file.slice(prefix.length) : file;
}

/**
 * How far one check file or judge is, on one line.
 *
 * @param now Milliseconds.
 */
export function stateText(state: FileProgress, now: number): string {
  const { isJudge, criteria, done, failed, running, startedAt } = state;
  const since = startedAt === null ? [] : [seconds(now - startedAt)];
  if (isJudge) return [...judgeParts(state), ...since].join(", ");
  const [first] = running;
  const others = running.size > 1 ? ` and ${running.size - 1} more` : "";
  return [
    `${criteria.length - done} of ${criteria.length} left`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...since,
    // Last, as it may be long.
    ...(first === undefined ? [] : [`${oneLine(criteria[first[0]] ?? "")}${others}`]),
  ].join(", ");
}

function judgeParts({ judge, criteria, isOver }: FileProgress): string[] {
  if (judge === null) return [count(criteria.length, "criterion", "criteria"), "preparing"];
  const { done, total, calls, costUsd } = judge;
  return [
    isOver || done === total
      ? count(total, "judgement")
      : `${done} of ${count(total, "judgement")}`,
    count(calls, "call"),
    ...(costUsd === undefined ? [] : [dollars(costUsd)]),
  ];
}

function summary(progress: Progress, now: number): string {
  const { files, isLoading, costUsd, startedAt } = progress;
  const time = seconds(now - startedAt);
  const folder = oneLine(progress.testsDir);
  if (isLoading) return [`Loading ${folder}`, count(files.length, "file"), time].join(", ");
  const sum = (of: (file: FileProgress) => number) => files.reduce((all, it) => all + of(it), 0);
  const total = sum(({ criteria }) => criteria.length);
  const failed = sum((file) => file.failed);
  const waiting = files.filter((file) => file.startedAt === null && !file.isOver).length;
  return [
    `${sum(({ done }) => done)} of ${count(total, "criterion", "criteria")}`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(waiting === 0 ? [] : [`${count(waiting, "file")} waiting`]),
    ...(costUsd === null ? [] : [dollars(costUsd)]),
    time,
    // Last, as it may be long.
    folder,
  ].join(", ");
}

/** A duration for people, from milliseconds. */
export function seconds(ms: number): string {
  const whole = Math.floor(Math.max(ms, 0) / 1000);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

function dollars(usd: number): string {
  return `$${usd.toFixed(4)}`;
}

/** A number of things. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}
