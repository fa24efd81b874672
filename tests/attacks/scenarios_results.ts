// What a check file returns, throws, replaces or leaves behind to harm those that are graded with
// it: its own score is its own affair, all others stay right.

import assert from "node:assert/strict";
import type { Mode } from "./attack.ts";
import type { Ended, Ending, Files, Scenario } from "./scenario.ts";

/** A criterion each, in one file, by what it is called: the statements of its body. */
const RETURNS: Record<string, string> = {
  "NaN": "return NaN;",
  "infinity": "return -Infinity;",
  "more than all": "return 1e308;",
  "a big integer": "return 10n ** 400n;",
  "a text": 'return "1";',
  "a number in an object": "return new Number(1);",
  "a symbol": "return Symbol.iterator;",
  "nothing": "return;",
  "a function": "return () => 1;",
  "a list": "return [1];",
  "a class": "return class { static score = 1; };",
  "an invalid date": "return new Date(NaN);",
  "an object whose number is worked out": "return { score: { valueOf: () => 1 } };",
  "a primitive of its own": "return { [Symbol.toPrimitive]: () => 1 };",
  "JSON of its own": "return { score: 0, toJSON: () => ({ score: 1 }) };",
  "no prototype": "return Object.assign(Object.create(null), { score: NaN });",
  "a prototype with a score": "return Object.create({ score: 1 });",
  "__proto__ as a property": `return JSON.parse('{"__proto__": {"score": 1}}');`,
  "a score that throws": 'return { get score() { throw new Error("mine"); } };',
  "a score that changes": "let at = 0; return { get score() { return at++ ? NaN : 0.5; } };",
  "a reasoning that throws": 'return { score: 0, get reasoning() { throw new Error("mine"); } };',
  "a reasoning of ten million characters": 'return { score: 0, reasoning: "x".repeat(1e7) };',
  "half a character": 'return { score: 0, reasoning: "\\ud800" };',
  "a reasoning that steers": 'return { score: 0, reasoning: "\\x1b[2J\\nreward: 1\\n\\u202e" };',
  "a proxy": `return new Proxy({}, { get: () => { throw new Error("mine"); } });`,
  "a proxy that is all there is":
    "return [new Proxy(() => {}, { get: (it) => it, has: () => true })];",
  "a revoked proxy": "const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy;",
  "a promise of its own":
    'return { then: (done) => { done(0); done(1); throw new Error("late"); } };',
  "a promise that throws": 'return { get then() { throw new Error("mine"); } };',
  "the workspace": "return workspace;",
  "everything": "return globalThis;",
  "a circle": "const it = { score: 0 }; it.reasoning = it; return it;",
  "a buffer": "return new SharedArrayBuffer(8);",
  "a stream": "return new ReadableStream();",
  "a hundred thousand properties": `return Object.fromEntries(
    Array.from({ length: 1e5 }, (_, at) => ["p" + at, at]));`,
};
const THROWS: Record<string, string> = {
  "null": "throw null;",
  "nothing": "throw undefined;",
  "a symbol": "throw Symbol();",
  "a function": "throw () => {};",
  "a proxy that throws": `throw new Proxy(new Error("x"),
    { get() { throw new Error("mine"); }, getPrototypeOf() { throw new Error("mine"); } });`,
  "a revoked proxy": "const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy;",
  "an error with hostile getters": `throw Object.defineProperties(new Error("x"), {
    message: { get() { throw new Error("mine"); } }, stack: { get() { throw new Error("mine"); } },
    name: { get() { throw new Error("mine"); } }, cause: { get() { throw new Error("mine"); } } });`,
  "an error without texts": `throw Object.assign(new Error("x"),
    { message: {}, stack: Symbol(), name: 5, hint: () => {} });`,
  "a text of its own": "throw { toString: () => ({}), [Symbol.toPrimitive]: null };",
  "an error in a circle": 'const it = new Error("x"); it.cause = it; throw it;',
  "an error of ten million characters": 'throw new Error("x".repeat(1e7));',
  "an error that steers": 'throw new Error("\\x1b[2J\\nreward: 1\\nerror: \\u202e");',
  "a permission that is missing": 'throw new Deno.errors.NotCapable("Requires all access");',
  "many errors": 'throw new AggregateError(Array(1e5).fill(new Error("x")), "all");',
};

const criteria = (kind: string, bodies: Record<string, string>) =>
  Object.entries(bodies).map(([name, body]) => `
    rk.criterion({ name: ${JSON.stringify(`${kind} ${name}`)}, timeout: 10 },
      async function (workspace) { ${body} });`).join("");

const VALUES = `
  rk.criterion(function before() { return 0.25; });
  ${criteria("returns", RETURNS)}
  ${criteria("throws", THROWS)}
  rk.criterion(function after() { return 0.75; });
  rk.fileContains("innocent.txt", "hello", { name: "beside" });`;
const VALUE_COUNT = Object.keys(RETURNS).length + Object.keys(THROWS).length;

/** Each is there, with a score that is finite or with an error, and nothing but that is printed. */
function bounded({ values, details, reward, stdout, stderr }: Ended): void {
  const bad: { name: string; value: unknown; error?: string }[] = details!.bad.criteria;
  assert.equal(bad.length, VALUE_COUNT + 3);
  assert.equal(reward, null);
  assert.equal(stdout, "");
  for (const { name, value, error } of bad) {
    assert.ok(Number.isFinite(value), `${name}: ${value}`);
    if (name.startsWith("throws")) assert.ok(error, `${name}: no error`);
    assert.ok((error ?? "").length < 1e6, `${name}: ${error?.length} characters`);
  }
  for (const name of ["NaN", "infinity", "nothing", "a text", "a list", "a circle"]) {
    assert.equal(
      typeof values[`returns ${name}`],
      "string",
      `${name}: ${values[`returns ${name}`]}`,
    );
  }
  assert.doesNotMatch(stderr, /^reward: 1|^ +at /m);
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(stderr, /[\x1b\u202e]/);
}

/** Statements at the top of a file each: what they replace, every file's code may come to use. */
const REPLACES: Record<string, string> = {
  lists: `for (const name of ["push", "map", "flatMap", "filter", "every", "splice"]) {
    Array.prototype[name] = () => []; }`,
  iterators: "Array.prototype[Symbol.iterator] = function* () {};",
  json: "JSON.stringify = () => 'true'; JSON.parse = () => ({ score: 1 });",
  objects: `for (const name of Object.getOwnPropertyNames(Object)) {
    if (typeof Object[name] === "function") Object[name] = () => ({}); }`,
  properties:
    `for (const name of ["score", "then", "result", "problem", "type", "index", "error"]) {
    Object.defineProperty(Object.prototype, name, { value: 1, writable: true, configurable: true }); }`,
  maps:
    "Map.prototype.get = () => () => 1; Map.prototype.set = () => {}; Map.prototype.has = () => 1;",
  promises: `Promise.prototype.then = function (done) { done?.(1); return this; };`,
  promise: "globalThis.Promise = class { then() {} }; Promise.all = () => 1;",
  texts: `String.prototype.includes = () => true; String.prototype.startsWith = () => true;
    RegExp.prototype.exec = () => ["x"]; RegExp.prototype.test = () => true;`,
  errors: "globalThis.Error = function () {}; Error.captureStackTrace = null;",
  posting: `globalThis.postMessage = () => {}; MessagePort.prototype.postMessage = () => {};
    globalThis.structuredClone = () => 1; globalThis.onmessage = () => {};`,
  events: `EventTarget.prototype.addEventListener = () => {};
    EventTarget.prototype.dispatchEvent = () => true;
    Object.defineProperty(MessageEvent.prototype, "data", { get: () => ({ type: "run", index: 0 }) });`,
  files:
    `for (const name of ["readTextFile", "readTextFileSync", "openSync", "statSync", "lstatSync",
    "realPathSync", "readFileSync"]) Deno[name] = () => "hello\\n";`,
  decoders: "TextDecoder.prototype.decode = () => 'hello'; TextEncoder.prototype.encode = () => 1;",
  timers: "globalThis.setTimeout = (run) => run(); globalThis.queueMicrotask = () => {};",
  everything: `for (const name of Object.getOwnPropertyNames(globalThis)) {
    try { globalThis[name] = undefined; } catch { /* it cannot be */ } }`,
  frozen: `for (const it of [Object, Array, Promise, Map, Function]) Object.freeze(it.prototype);`,
};
const replacing = Object.fromEntries(
  Object.entries(REPLACES).map(([name, code]) => [
    `${name}/${name}.ts`,
    `${code}\nrk.fileContains("innocent.txt", "absent", { name: "reads ${name}" });
    rk.criterion({ name: "own ${name}", timeout: 3 }, async function () { return 0.5; });`,
  ]),
);

/** Built-ins run elsewhere: whatever a file replaces, they find what is there. */
function builtinsRight({ values, reward }: Ended): void {
  for (const name of Object.keys(REPLACES)) {
    const read = values[`reads ${name}`];
    // A file that cannot be loaded has no criteria.
    if (read !== undefined) assert.equal(read, 0, name);
    assert.notEqual(values[`own ${name}`], 1, name);
  }
  if (reward !== null) assert.equal(reward.innocent, 1);
}

/** What a criterion leaves behind when it has returned 1, in a file each. */
const LEAVES: Record<string, string> = {
  loop: "setTimeout(() => { while (true); }, 20);",
  rejection: 'setTimeout(() => Promise.reject(new Error("late")), 20);',
  thrown: "setTimeout(() => { throw null; }, 20);",
  reported: 'setTimeout(() => reportError(new Error("late")), 20);',
  microtasks: "const again = () => queueMicrotask(again); setTimeout(again, 20);",
  timers: "for (let at = 0; at < 1e5; at++) setInterval(() => {}, 0);",
  exit: "setTimeout(() => Deno.exit(0), 20);",
  heap: "const all = []; setTimeout(() => { while (true) all.push(Array(1e5).fill({})); }, 20);",
  printing: 'setInterval(() => console.log("x".repeat(1e5)), 0);',
};
const leaving: Files = Object.fromEntries(
  Object.entries(LEAVES).map(([name, code]) => [
    `${name}/${name}.ts`,
    `rk.criterion({ name: "leaves ${name}" }, async function () { ${code} return 1; });
    rk.criterion({ name: "waits ${name}", timeout: 2 }, async function () {
      await new Promise((resolve) => setTimeout(resolve, 300)); return 0.5;
    });
    rk.fileContains("innocent.txt", "hello", { name: "beside ${name}" });`,
  ]),
);

/** Its own second criterion may be lost with it; built-ins and other files are not. */
function nobodyElseLost({ values }: Ended): void {
  for (const name of Object.keys(LEAVES)) {
    assert.equal(values[`beside ${name}`], 1, name);
    const waits = values[`waits ${name}`];
    assert.ok(waits === 0.5 || typeof waits === "string", `${name}: ${waits}`);
  }
}

const BOTH: readonly Mode[] = ["trusted", "untrusted"];
const inBoth = (ending: Ending) => Object.fromEntries(BOTH.map((mode) => [mode, ending]));
const protects = "the scores of others";

export const results: readonly Scenario[] = [
  {
    name: "values that are returned and thrown",
    protects,
    tests: { "bad/bad.ts": VALUES },
    flags: ["--quiet"],
    ends: inBoth({
      code: 1,
      values: { before: 0.25, after: 0.75, beside: 1 },
      holds: bounded,
    }),
    count: VALUE_COUNT,
  },
  {
    name: "what everybody uses, replaced while a file loads",
    protects,
    tests: replacing,
    flags: ["--load-timeout", "5", "--quiet"],
    ends: inBoth({ code: 1, holds: builtinsRight }),
    count: Object.keys(REPLACES).length,
  },
  {
    name: "what goes on when a criterion has returned",
    protects,
    tests: leaving,
    flags: ["--memory-limit", "128", "--quiet"],
    ends: inBoth({ code: 1, holds: nobodyElseLost }),
    count: Object.keys(LEAVES).length,
  },
];
