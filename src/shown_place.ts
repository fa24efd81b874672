// Places in a tests folder as messages name them.

import { ConfigError, type Place } from "./errors.ts";
import type { StackPlace } from "./sandbox/stack_place.ts";
import type { Suite } from "./suite/suite.ts";

/** A place by its absolute path, as a person would type it. */
export function shownPlace({ shown, testsDir }: Suite, { path, line, column }: StackPlace): Place {
  return { file: `${shown.replace(/\/+$/, "")}${path.slice(testsDir.length)}`, line, column };
}

/** A problem with its place in front. */
export function configError(place: Place, message: string, hint?: string): ConfigError {
  const { file, line, column } = place;
  const at = line === undefined ? "" : `:${line}:${column}`;
  const options = { place, ...(hint !== undefined && { hint }) };
  return new ConfigError(`${file}${at}: ${message}`, options);
}
