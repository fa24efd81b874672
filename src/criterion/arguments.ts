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

/**
 * How far two numbers may lie apart: an absolute distance, or `abs` and `rel` (a fraction of the
 * larger of the two magnitudes), of which the wider one counts. Each is finite and at least 0.
 */
export type Tolerance = number | { abs?: number; rel?: number };

/**
 * Refuses what is no tolerance; `undefined` is one.
 *
 * @throws {TypeError} If it is neither a number of at least 0 nor an object of such numbers.
 */
export function requireTolerance(
  criterion: string,
  value: unknown,
): asserts value is Tolerance | undefined {
  if (value === undefined || isDistance(value)) return;
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const entries = isObject ? Object.entries(value) : [];
  if (
    entries.length === 0 ||
    entries.some(([key, part]) => !["abs", "rel"].includes(key) || !isDistance(part))
  ) {
    throw wrong(
      criterion,
      "tolerance",
      value,
      "a number of at least 0, or { abs, rel } with such numbers",
    );
  }
}

function isDistance(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
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
