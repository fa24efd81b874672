// A registration becomes a declaration: options checked, name and description worked out.

import { firstCodePoints, str } from "../../criteria/python/text.ts";
import { CriterionError } from "../errors.ts";
import { show } from "./arguments.ts";
import { functionNameOf } from "./builtin.ts";
import type { Declaration } from "./declaration.ts";
import type { CriterionOptions } from "./options.ts";
import type { Registration } from "./registry.ts";
import { encodeValue, UnsendableError } from "./values.ts";

/** How much of the first argument a name shows, in code points; the original's figure. */
const NAME_ARGUMENT_LENGTH = 50;

const COMMON_OPTIONS = ["weight", "name", "isolated"];

/**
 * Works out what the coordinator needs to know of a registered criterion.
 *
 * @throws {CriterionError} If an option is unknown or of the wrong kind, or an argument cannot be
 * sent between Workers; names criterion, option or argument.
 */
export function declare(registration: Registration, index: number): Declaration {
  const { criterion, args, needs, command, timeoutSec, description } = registration;
  const options = checkedOptions(registration);
  const encoded = encodeArguments(registration);
  return {
    index,
    kind: registration.kind,
    criterion,
    name: options.name ?? defaultName(criterion, args),
    description,
    weight: options.weight ?? 1,
    isolated: options.isolated ?? false,
    needs: needs ?? [],
    ...(registration.readsByDefault && { readsByDefault: true }),
    ...(timeoutSec !== undefined && { timeoutSec }),
    ...(command !== undefined && { command }),
    ...(registration.kind === "builtin" && { args: encoded }),
  };
}

function defaultName(criterion: string, args: readonly unknown[]): string {
  if (args.length === 0 || args[0] === undefined) return criterion;
  return `${criterion}:${firstCodePoints(str(args[0]), NAME_ARGUMENT_LENGTH)}`;
}

/** Refuses options that are unknown or of the wrong kind: a typo must not change a score. */
function checkedOptions(registration: Registration): CriterionOptions {
  const { options, ownOptions = [] } = registration;
  const criterion = shownName(registration);
  if (options === undefined) return {};
  if (options === null || typeof options !== "object" || Array.isArray(options)) {
    throw new CriterionError(
      `${criterion}: options must be one object, such as { weight: 2 }, got ${show(options)}`,
    );
  }
  const known = [...COMMON_OPTIONS, ...ownOptions];
  for (const key of Object.keys(options)) {
    if (!known.includes(key)) {
      throw new CriterionError(`${criterion}: unknown option "${key}"`, {
        hint: `Options are ${known.join(", ")}`,
      });
    }
  }
  const { weight, name, isolated } = options as Record<string, unknown>;
  if (weight !== undefined && (typeof weight !== "number" || !Number.isFinite(weight))) {
    throw new CriterionError(`${criterion}: weight must be a finite number, got ${show(weight)}`);
  }
  if (name !== undefined && (typeof name !== "string" || name === "")) {
    throw new CriterionError(`${criterion}: name must be a text that is not empty`);
  }
  if (isolated !== undefined && typeof isolated !== "boolean") {
    throw new CriterionError(`${criterion}: isolated must be true or false, got ${show(isolated)}`);
  }
  return options;
}

/** As the author calls it. */
function shownName({ kind, criterion }: Registration): string {
  return kind === "builtin" ? functionNameOf(criterion) : criterion;
}

function encodeArguments(registration: Registration): string {
  const { args } = registration;
  const criterion = shownName(registration);
  const encoded = args.map((argument, position) => {
    try {
      return encodeValue(argument);
    } catch (error) {
      if (!(error instanceof UnsendableError)) throw error;
      throw new CriterionError(
        `${criterion}: argument ${position + 1} is no use: ${error.message}`,
        {
          hint: "Hand over plain data: text, numbers, dates, bytes, regular expressions, lists, " +
            "objects and maps of them",
        },
      );
    }
  });
  return `[${encoded.join(",")}]`;
}
