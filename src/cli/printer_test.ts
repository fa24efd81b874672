import assert from "node:assert/strict";
import { ConfigError, UsageError } from "../errors.ts";
import { Printer } from "./printer.ts";

/** What is written to standard output and standard error while it works. */
function written(
  work: (printer: Printer) => void,
  options: { verbose?: boolean; quiet?: boolean } = {},
): { out: string; err: string } {
  const text = { out: "", err: "" };
  const streams = [[Deno.stdout, "out"], [Deno.stderr, "err"]] as const;
  const originals = streams.map(([stream]) => stream.writeSync);
  for (const [stream, name] of streams) {
    stream.writeSync = (bytes) => {
      // As little at a time as a full pipe takes.
      const some = bytes.subarray(0, 7);
      text[name] += String.fromCharCode(...some);
      return some.length;
    };
  }
  try {
    work(new Printer({ verbose: false, quiet: false, ...options }));
  } finally {
    streams.forEach(([stream], index) => stream.writeSync = originals[index]!);
  }
  const decode = (binary: string) =>
    new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0)));
  return { out: decode(text.out), err: decode(text.err) };
}

Deno.test("results go to standard output, all else to standard error", () => {
  assert.deepEqual(
    written((printer) => {
      printer.line("reward: 0.75 €");
      printer.note("no reward");
      printer.event({ type: "warning", message: "odd" });
      printer.event({ type: "output", text: "printed\n" });
      printer.error(new UsageError("wrong", { hint: "right" }));
      printer.runError({ file: "a.ts", criterion: "c", message: "no", hint: "do" });
      printer.runError({ file: "a.ts", message: "not loaded" });
    }),
    {
      out: "reward: 0.75 €\n",
      err: `no reward
warning: odd
printed
error: wrong
hint: right
error: a.ts: c: no
hint: do
error: a.ts: not loaded
`,
    },
  );
});

Deno.test("quiet hides warnings and output, never errors", () => {
  const { err } = written((printer) => {
    printer.event({ type: "warning", message: "odd" });
    printer.event({ type: "output", text: "printed" });
    printer.error(new UsageError("wrong"));
  }, { quiet: true });
  assert.equal(err, "error: wrong\n");
});

Deno.test("stacks are for --verbose, also the one of a bug", () => {
  const work = (printer: Printer) => {
    printer.runError({ file: "a.ts", message: "no", stack: "at a.ts:1" });
    printer.bug(new RangeError("oops"));
    printer.bug("no error");
  };
  const plain = written(work).err;
  assert.doesNotMatch(plain, /at a\.ts:1|printer_test/);
  assert.match(plain, /^error: Reward Kit failed: oops\nhint: This is a bug: please report it/m);
  assert.match(plain, /^error: Reward Kit failed: no error$/m);
  const verbose = written(work, { verbose: true }).err;
  assert.match(verbose, /^error: a\.ts: no\nat a\.ts:1$/m);
  assert.match(verbose, /printer_test\.ts/);
});

Deno.test("a mistake in a file says where it is, once", () => {
  const place = { file: "tests/reward.toml", line: 3, column: 7 };
  const show = (error: ConfigError) => written((printer) => printer.error(error)).err;
  assert.equal(
    show(new ConfigError("no such key", { place })),
    "error: tests/reward.toml:3:7: no such key\n",
  );
  assert.equal(
    show(new ConfigError("no such key", { place: { file: "a.toml", line: 2 } })),
    "error: a.toml:2: no such key\n",
  );
  assert.equal(
    show(new ConfigError("a.toml is empty", { place: { file: "a.toml" } })),
    "error: a.toml is empty\n",
  );
  assert.equal(show(new ConfigError("nowhere")), "error: nowhere\n");
});

Deno.test("nothing that files say can steer the terminal", () => {
  const hostile = "\x1b[31mred\x1b[0m\x1b]0;title\x07\x1b[2J\r\u202eevil\u2066\x00\x9b1m\x7f";
  const { err } = written((printer) => {
    printer.event({ type: "warning", message: hostile });
    printer.event({ type: "output", text: hostile });
    printer.error(new UsageError(hostile, { hint: hostile }));
    printer.runError({ file: hostile, message: hostile, stack: hostile });
  }, { verbose: true });
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(err, /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
  assert.match(err, /^warning: red\ufffd/);
  const kept = written((printer) => printer.event({ type: "output", text: "tab\tline\nü😀" })).err;
  assert.equal(kept, "tab\tline\nü😀");
});

Deno.test("a reader that has gone away is no error, any other failure is", () => {
  const original = Deno.stdout.writeSync;
  const printer = new Printer({ verbose: false, quiet: false });
  const failing = (error: Error) => () => {
    throw error;
  };
  try {
    Deno.stdout.writeSync = failing(new Deno.errors.BrokenPipe("gone"));
    printer.line("x");
    Deno.stdout.writeSync = failing(new Deno.errors.Interrupted("no"));
    assert.throws(() => printer.line("x"), Deno.errors.Interrupted);
  } finally {
    Deno.stdout.writeSync = original;
  }
});
