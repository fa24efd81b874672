// Where in a tests folder something was thrown.

import { isWithin, pathOfFileUrl } from "../path.ts";

/** A place in a file. */
export interface StackPlace {
  /** Absolute. */
  path: string;
  /** From 1, as is the column. */
  line: number;
  column: number;
}

const FRAME_REGEXP = /(file:\/\/\/[^\s()]+):(\d{1,9}):(\d{1,9})\)?$/gm;

/**
 * The innermost place of a stack that lies in a folder: what a built-in throws about its arguments
 * is about whoever called it.
 *
 * @param stack As the author's Worker tells it; it may be anything.
 */
export function placeInStack(stack: string | undefined, folder: string): StackPlace | null {
  for (const [, url, line, column] of (stack ?? "").matchAll(FRAME_REGEXP)) {
    const path = pathOf(url!);
    if (path !== null && isWithin(path, folder)) {
      return { path, line: Number(line), column: Number(column) };
    }
  }
  return null;
}

function pathOf(url: string): string | null {
  try {
    return pathOfFileUrl(url);
  } catch {
    return null;
  }
}
