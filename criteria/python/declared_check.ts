// For tests: a built-in as a check file declares it and the built-ins Worker gets it.

import { beginLoading, endLoading } from "../../src/criterion/registry.ts";
import { decodeValue, encodeValue } from "../../src/criterion/values.ts";

/** A call on its way to the check function. */
export interface DeclaredCall {
  criterion: string;
  args: unknown[];
}

/** What a call came to be; `undefined` if its arguments were refused, also by `validate`. */
export async function declared(declare: () => void): Promise<DeclaredCall | undefined> {
  beginLoading();
  try {
    declare();
    const [registration] = endLoading().registrations;
    await registration!.validate?.();
    return {
      criterion: registration!.criterion,
      args: decodeValue(encodeValue(registration!.args)) as unknown[],
    };
  } catch (error) {
    const isRefusal = error instanceof TypeError || error instanceof RangeError ||
      error instanceof SyntaxError;
    if (!isRefusal) throw error;
    return undefined;
  } finally {
    endLoading();
  }
}

/** Recorded arguments with `{workspace}` and repeated texts written out. */
export function withPlaceholders(args: readonly unknown[], workspace: string): unknown[] {
  return args.map((argument) => {
    if (typeof argument === "string") return argument.replaceAll("{workspace}", workspace);
    if (typeof argument !== "object" || argument === null || !("$repeat" in argument)) {
      return argument;
    }
    const [text, times] = argument.$repeat as [string, number];
    return text.repeat(times);
  });
}
