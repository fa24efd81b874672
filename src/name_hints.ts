// The way out for a check file that uses a name which Reward Kit does not have: the Python package's,
// or one with a slip in it.

import { BUILTIN_NAMES, functionNameOf } from "./criterion/builtin.ts";
import { nearest } from "./nearest.ts";

const NAMES: readonly string[] = [...BUILTIN_NAMES.map(functionNameOf), "criterion"];

/** What the runtime says of a name that is not there; the specifier of a module tells whose it is. */
const MESSAGES = [
  /^TypeError: \w+\.(\w+) is not a function/,
  /^ReferenceError: (\w+) is not defined/,
  /requested module '[^']*rewardkit[^']*' does not provide an export named '(\w+)'/,
];

/**
 * Says what a name is called here, from the message of the error that it led to.
 *
 * @example
 * ```ts
 * import { nameHint } from "./name_hints.ts";
 * import assert from "node:assert/strict";
 *
 * assert.match(nameHint("TypeError: rk.file_exists is not a function")!, /fileExists/);
 * assert.equal(nameHint("TypeError: list.flatten is not a function"), undefined);
 * ```
 */
export function nameHint(message: string): string | undefined {
  for (const pattern of MESSAGES) {
    const name = pattern.exec(message)?.[1];
    if (name === undefined) continue;
    const camelCase = functionNameOf(name);
    if (name !== camelCase && NAMES.includes(camelCase)) {
      return `${name} is its name in Python; in TypeScript it is ${camelCase}`;
    }
    const meant = nearest(camelCase, NAMES);
    return meant === undefined ? undefined : `Did you mean ${meant}?`;
  }
  return undefined;
}
