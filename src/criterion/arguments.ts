// Looks at what an author handed to a built-in criterion: types hold in TypeScript only.

/** Refuses anything but a string. `parameter` is the TypeScript name that the author sees. */
export function requireText(
  criterion: string,
  parameter: string,
  value: unknown,
): asserts value is string {
  if (typeof value !== "string") throw wrong(criterion, parameter, value, "a string");
}

/** Refuses anything but a number that is at least `least`; infinities and NaN too. */
export function requireNumber(
  criterion: string,
  parameter: string,
  value: unknown,
  least = -Number.MAX_VALUE,
): asserts value is number {
  if (typeof value !== "number" || !Number.isFinite(value) || value < least) {
    const expected = least === -Number.MAX_VALUE ? "a number" : `a number of at least ${least}`;
    throw wrong(criterion, parameter, value, expected);
  }
}

/** Refuses anything but a whole number that is at least `least`. */
export function requireInteger(
  criterion: string,
  parameter: string,
  value: unknown,
  least = Number.MIN_SAFE_INTEGER,
): asserts value is number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < least) {
    const expected = least === Number.MIN_SAFE_INTEGER
      ? "a whole number"
      : `a whole number of at least ${least}`;
    throw wrong(criterion, parameter, value, expected);
  }
}

/** The error for a wrong argument: which criterion, which parameter, what it got and wants. */
export function wrong(
  criterion: string,
  parameter: string,
  value: unknown,
  expected: string,
): TypeError {
  return new TypeError(
    `${criterion}() got ${show(value)} for "${parameter}", expected ${expected}`,
  );
}

/** A value as messages show it: short, and as an author writes it. */
export function show(value: unknown): string {
  if (typeof value === "string") {
    return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  }
  if (value === undefined) return "nothing";
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return "a function";
  if (value !== null && typeof value === "object") {
    return Array.isArray(value) ? "an array" : "an object";
  }
  return String(value);
}
