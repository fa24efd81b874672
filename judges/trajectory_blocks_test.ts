import assert from "node:assert/strict";
import fc from "fast-check";
import { WorkspaceReader } from "../src/criterion/reader.ts";
import type { Block } from "./model.ts";
import { loadTokenizer } from "./tokens.ts";
import { readTrajectory, type Trajectory } from "./trajectory.ts";
import { trajectoryBlocks } from "./trajectory_blocks.ts";

const PNG = Deno.readFileSync(new URL("../fixtures/documents/picture.png", import.meta.url));

/** A trajectory that was written to a file, beside an image. */
async function read(trajectory: unknown): Promise<Trajectory> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    await Deno.writeFile(`${folder}/a.png`, PNG);
    const text = typeof trajectory === "string" ? trajectory : JSON.stringify(trajectory);
    await Deno.writeTextFile(`${folder}/t.json`, text);
    return readTrajectory("t.json", new WorkspaceReader({ workspace: folder, maxFileBytes: 1e9 }));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function textOf({ blocks }: { blocks: readonly Block[] }): string {
  return blocks.map((block) => block.type === "text" ? block.text : `<${block.mediaType}>`)
    .join("\n---\n");
}

Deno.test("images do not take the room of the steps, and none are sent to a model without eyes", async () => {
  const message = ["a", "b", "c"].map((text) => ({ type: "text", text }));
  const image = { type: "image", source: { path: "a.png" } };
  const steps = Array.from({ length: 10 }, () => ({ message: [...message, image] }));
  const given = await read({ steps });
  const shown = await trajectoryBlocks(given, 2000);
  const images = shown.blocks.filter(({ type }) => type === "image");
  assert.ok(images.length > 0 && images.length < 10, `${images.length}`);
  assert.equal(shown.blocks.at(-1)!.type, "image");
  assert.match(textOf(shown), /Step 1 \(an image is left out\)\nMessage:\na\nb\nc/);
  assert.match(shown.warning!, /^\d images of the trajectory are not shown[^]*no room/);
  const blind = await trajectoryBlocks(given, 1e6, { takesImages: false });
  assert.ok(blind.blocks.every(({ type }) => type === "text"));
  assert.match(blind.warning!, /^10 images[^]*the model takes none$/);
});

Deno.test("a long trajectory is cut to the budget, and every step stays visible", async () => {
  const steps = Array.from({ length: 50 }, (_, i) => ({
    source: "agent",
    message: `short ${i}`,
    observation: { results: [{ content: `BEGIN ${"many words ".repeat(2000)} END ${i}` }] },
  }));
  const { count } = await loadTokenizer();
  const given = await read({ steps });
  for (const budget of [5000, 20_000]) {
    const shown = await trajectoryBlocks(given, budget);
    const text = textOf(shown);
    assert.ok(count(text) <= budget, `${count(text)} of ${budget}`);
    for (let i = 0; i < 50; i++) assert.ok(text.includes(`Step ${i + 1} (agent)`), `${i}`);
    assert.match(text, /short 7\n[^]*BEGIN[^]*tokens left out[^]*END 49/);
    assert.match(
      shown.warning!,
      /^the trajectory is cut for the judge to \d+ tokens: it has (about )?\d+, and long/,
    );
  }
});

Deno.test("with too many steps for that, the first and last are shown and the others told in runs", async () => {
  const steps = Array.from({ length: 15_000 }, (_, i) => ({
    source: "agent",
    message: `x${i}`,
    tool_calls: [{ function_name: "bash", arguments: {} }],
  }));
  const given = await read({ steps });
  const shown = await trajectoryBlocks(given, 6000);
  const text = textOf(shown);
  assert.match(text, /Step 1 \(agent\)\nMessage:\nx0\n/);
  assert.match(text, /Step 15000 \(agent\)\nMessage:\nx14999\n/);
  assert.match(text, /Steps \d+ to \d+: \d+ steps; tools: "bash" × \d+/);
  assert.equal(stepsIn(text), 15_000);
  assert.match(
    shown.warning!,
    /to \d+ tokens: it has 15000 steps, [^]*the first and the last \d+ are shown$/,
  );
});

/** How many steps a text accounts for, one by one or in runs without a gap between them. */
function stepsIn(text: string): number {
  let last = 0;
  for (const [, one, first, to] of text.matchAll(/^(?:Step (\d+)|Steps (\d+) to (\d+):)/gm)) {
    assert.equal(Number(one ?? first), last + 1);
    last = Number(one ?? to);
  }
  return last;
}

Deno.test("a trajectory that is made to be slow or large is shown within its budget", async () => {
  const { count } = await loadTokenizer();
  const many = `{"steps": [${'{"source":"agent","message":"x"},'.repeat(1_000_000)}{}]}`;
  const call = { function_name: "\u202e🙂".repeat(1000), arguments: "{}" };
  const hostile = [
    many,
    { steps: [{ tool_calls: Array.from({ length: 300_000 }, () => call.arguments) }] },
    {
      steps: Array.from(
        { length: 5000 },
        (_, i) => ({
          step_id: "🙂".repeat(500),
          tool_calls: [{ ...call, function_name: `${i}${call.function_name}` }],
        }),
      ),
    },
    { steps: [{ message: "a".repeat(30_000_000) }, { message: "end" }] },
    { steps: [{ message: " ".repeat(10_000_000) }, { message: "\u1234".repeat(1_000_000) }] },
    { agent: { name: "n".repeat(1e6) }, notes: "🙂".repeat(1e6), steps: [{ message: "m" }] },
  ];
  for (const trajectory of hostile) {
    const given = await read(trajectory);
    const started = performance.now();
    const shown = await trajectoryBlocks(given, 4000);
    const took = performance.now() - started;
    assert.ok(took < 15_000, `${took} ms`);
    assert.ok(count(textOf(shown)) <= 4000, `${count(textOf(shown))}`);
    assert.ok(shown.tokens <= 4000);
    if (trajectory === many) assert.equal(stepsIn(textOf(shown)), 1_000_001);
  }
});

Deno.test("what is shown fits the budget, whatever the steps hold", async () => {
  const { count } = await loadTokenizer();
  const content = fc.oneof(
    fc.string({ unit: "binary", maxLength: 2000 }),
    fc.string({ maxLength: 50 }).map((text) => text.repeat(200)),
    fc.lorem({ maxCount: 300 }),
  );
  const step = fc.record({
    source: fc.constantFrom("agent", "user", "system"),
    message: content,
    reasoning_content: fc.option(content),
    tool_calls: fc.array(fc.record({ function_name: fc.string(), arguments: fc.jsonValue() })),
  }, { requiredKeys: [] });
  const budgets = fc.integer({ min: 60, max: 3000 });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), budgets, async (steps, budget) => {
      const given = await read({ steps });
      const shown = await trajectoryBlocks(given, budget);
      const tokens = shown.blocks.reduce(
        (sum, block) => sum + (block.type === "text" ? count(block.text) : 0),
        0,
      );
      assert.ok(tokens <= budget, `${tokens} of ${budget}`);
      assert.ok(shown.tokens <= budget);
    }),
    { numRuns: 60 },
  );
});

Deno.test("a trajectory without steps says so", async () => {
  const given = await read({ steps: [] });
  assert.match(textOf(await trajectoryBlocks(given, 100)), /0 steps\. It did nothing/);
});
