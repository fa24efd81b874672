import assert from "node:assert/strict";
import fc from "fast-check";
import { SandboxError } from "../../src/errors.ts";
import { Channel } from "../../src/sandbox/channel.ts";
import { parseFromCell } from "../../src/sandbox/protocol.ts";
import { damaged, textSamples } from "./damage.ts";
import { isolatedTest } from "./isolated.ts";
import { tries, within } from "./runs.ts";

const TOKEN = "5f2b";

const DECLARATION = {
  index: 0,
  kind: "builtin",
  criterion: "file_exists",
  name: "file_exists:a",
  description: "a is there",
  weight: 1,
  isolated: false,
  needs: [{ read: "a" }, { write: true }, { net: "localhost:1" }, { run: "ls" }, { env: "A" }],
  timeoutSec: 2.5,
  command: { command: "make", cwd: "sub", timeoutSec: 30 },
  args: '["a"]',
};

const PROBLEM = { fault: "check", message: "no", hint: "do", stack: "at x" };

const STREAMS = [
  [{ type: "collected", declarations: [DECLARATION], warnings: ["w"] }],
  [{ type: "prepared", criteria: ["a", "b"] }, { type: "exiting", how: "Deno.exit()" }],
  [{ type: "scored", index: 3, result: "true", warnings: [] }],
  [{
    type: "all",
    messages: [
      { type: "scored", index: 0, result: "0.5", warnings: ["w"] },
      { type: "failed", index: 1, problem: PROBLEM, warnings: [] },
    ],
  }],
  [{ type: "program", call: 7, index: 1, argv: ["ls"], options: { stdin: { base64: "AA==" } } }],
].map((messages) =>
  messages.map((message) => `${TOKEN}${JSON.stringify({ type: "message", worker: 2, message })}\n`)
    .join("")
);

const WORDS = [
  ...[
    "\n",
    TOKEN,
    `\n${TOKEN}`,
    "null",
    "{}",
    "[]",
    "{",
    "[",
    '"',
    "\\",
    ",",
    "-1",
    "1e999",
    "1.5",
  ],
  ...['"__proto__":{"worker":1},', '"type":"scored",', '"type":"broken",', "[".repeat(2000)],
  ...["\\ud800", "\0", "x".repeat(3000)],
];

/** The coordinator's end of a channel through which these bytes come, in pieces of this size. */
function arriving(pieces: Iterable<Uint8Array>): Channel {
  const source = pieces[Symbol.iterator]();
  const read = (buffer: Uint8Array) => {
    const { value, done } = source.next();
    if (done) return Promise.resolve(null);
    buffer.set(value);
    return Promise.resolve(value.length);
  };
  return new Channel({ read } as unknown as Deno.Conn);
}

function* piecesOf(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Receives as the coordinator does, up to the first thing that is wrong. */
async function receive(pieces: Iterable<Uint8Array>): Promise<unknown[]> {
  const received: unknown[] = [];
  try {
    for await (const message of arriving(pieces).receive(TOKEN)) {
      received.push(parseFromCell(message));
    }
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    assert.ok(error.message.length < 300, "what is refused is shown shortly");
    received.push(error);
  }
  return received;
}

const LIMITS = { limitSec: 60, maxMib: 900 };

isolatedTest(
  import.meta.url,
  "damaged messages are of the protocol, or end with a SandboxError",
  LIMITS,
  async () => {
    const samples = textSamples(STREAMS);
    const size = fc.constantFrom(1, 7, 100, 65_536);
    for (const { bytes } of samples) {
      for (const message of await receive(piecesOf(bytes, 100))) {
        assert.ok(!(message instanceof SandboxError));
      }
    }
    await fc.assert(
      fc.asyncProperty(damaged(samples, WORDS), size, async ({ bytes }, size) => {
        const received = await receive(piecesOf(bytes, size));
        // However they are cut, the same messages arrive.
        assert.deepEqual(received, await receive(piecesOf(bytes, 1000)));
      }),
      tries(600),
    );
  },
);

isolatedTest(
  import.meta.url,
  "any JSON and any bytes end with a SandboxError",
  LIMITS,
  async () => {
    const json = fc.json({ depthSize: "medium" }).map((text) => `${TOKEN}${text}\n`);
    const bytes = fc.oneof(
      json.map((text) => new TextEncoder().encode(text)),
      fc.uint8Array({ maxLength: 300 }),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (bytes) => {
        for (const message of await receive(piecesOf(bytes, 64))) {
          assert.ok(message instanceof SandboxError);
        }
      }),
      tries(1000),
    );
  },
);

/** A message whose middle repeats, up to so many MiB; it is never all in memory here. */
function* flood(head: string, unit: string, tail: string, mib: number): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  const block = encoder.encode(unit.repeat(Math.floor(65_536 / unit.length)));
  yield encoder.encode(`${TOKEN}${head}`);
  for (let sent = 0; sent < mib * 2 ** 20; sent += block.length) yield* piecesOf(block, 65_536);
  yield encoder.encode(`${tail}\n`);
}

const MESSAGE = '{"type":"message","worker":0,"message":{"type":"scored",';

const FLOODS: Record<string, [head: string, unit: string, tail: string]> = {
  "lists": [`${MESSAGE}"x":[`, "[],", "1]}}"],
  "objects": [`${MESSAGE}"x":[`, "{},", "1]}}"],
  "numbers": [`${MESSAGE}"x":[`, "1,", "1]}}"],
  "nesting": [`${MESSAGE}"x":`, "[", "}}"],
  "warnings": [`${MESSAGE}"index":0,"result":"1","warnings":[`, '"",', '""]}}'],
  "keys": [`${MESSAGE}"x":{`, '"a":1,', '"a":1}}}'],
  "quotes": [`${MESSAGE}"x":"`, '\\"', '"}}'],
  "backslashes": [`${MESSAGE}"x":"`, "\\\\", '"}}'],
  "nothing": ["", " ", ""],
  "bad UTF-8": ["", "\udfff", ""],
};

for (const [what, [head, unit, tail]] of Object.entries(FLOODS)) {
  isolatedTest(
    import.meta.url,
    `a flood of ${what} in one message is refused soon`,
    LIMITS,
    async () => {
      const [message] = await within(10, () => receive(flood(head, unit, tail, 48)));
      assert.ok(message instanceof SandboxError);
    },
  );
}

isolatedTest(
  import.meta.url,
  "a message without an end is refused before it fills the memory",
  LIMITS,
  async () => {
    const [message] = await within(20, () => receive(flood("", "x", "", 100_000)));
    assert.match(String(message), /too long/);
  },
);
