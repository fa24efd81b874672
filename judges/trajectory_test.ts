import assert from "node:assert/strict";
import { WorkspaceReader } from "../src/criterion/reader.ts";
import { SubmissionError } from "../src/errors.ts";
import { loadTokenizer } from "./tokens.ts";
import { readTrajectory, type Trajectory } from "./trajectory.ts";
import { trajectoryBlocks } from "./trajectory_blocks.ts";

const PNG = Deno.readFileSync(new URL("../fixtures/documents/picture.png", import.meta.url));

/** A workspace with a trajectory, beside a folder with a secret image. */
async function reading<T>(
  trajectory: unknown,
  work: (read: () => Trajectory, folder: string) => T | Promise<T>,
): Promise<T> {
  const root = await Deno.realPath(await Deno.makeTempDir());
  try {
    await Deno.mkdir(`${root}/ws/images`, { recursive: true });
    await Deno.writeFile(`${root}/secret.png`, PNG);
    await Deno.writeFile(`${root}/ws/images/a.png`, PNG);
    await Deno.symlink(`${root}/secret.png`, `${root}/ws/link.png`);
    const text = typeof trajectory === "string" ? trajectory : JSON.stringify(trajectory);
    await Deno.writeTextFile(`${root}/ws/t.json`, text);
    const reader = new WorkspaceReader({ workspace: `${root}/ws`, maxFileBytes: 1e9 });
    return await work(() => readTrajectory("t.json", reader), root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

function textOf({ blocks }: Awaited<ReturnType<typeof trajectoryBlocks>>): string {
  return blocks.map((block) => block.type === "text" ? block.text : `<${block.mediaType}>`)
    .join("\n---\n");
}

const STEPS = {
  agent: { name: "toy", version: "1" },
  steps: [
    { step_id: 1, source: "user", message: "Do the thing" },
    {
      step_id: 2,
      source: "agent",
      message: "Working",
      reasoning_content: "hm",
      tool_calls: [{ tool_call_id: "t1", function_name: "sh", arguments: { cmd: "ls" } }],
      observation: { results: [{ source_call_id: "t1", content: "a.txt" }] },
    },
    {
      step_id: 3,
      source: "agent",
      message: [
        { type: "text", text: "see" },
        { type: "image", source: { media_type: "image/png", path: "images/a.png" } },
      ],
    },
  ],
};

Deno.test("each step is a block with all that it holds, and its images follow", async () => {
  await reading(STEPS, async (read) => {
    const { blocks } = await trajectoryBlocks(read(), 1e6);
    assert.equal(
      textOf({ blocks }),
      [
        "The trajectory of toy 1: 3 steps.",
        "Step 1 (user)\nMessage:\nDo the thing",
        'Step 2 (agent)\nMessage:\nWorking\nReasoning:\nhm\nCall of "sh" "t1" with:\n' +
        '{"cmd":"ls"}\nResult "t1":\na.txt',
        'Step 3 (agent)\nMessage:\nsee\n[image "images/a.png"]',
        "<image/png>",
      ].join("\n---\n"),
    );
  });
});

Deno.test("what is no trajectory is the graded work's fault, and the path is named", async () => {
  for (const [text, message] of [["{", /"t\.json" is no JSON/], ["[]", /no trajectory/]] as const) {
    await reading(text, (read) => {
      assert.throws(
        read,
        (error) => error instanceof SubmissionError && message.test(error.message),
      );
    });
  }
});

Deno.test("odd fields are shown rather than refused", async () => {
  const odd = {
    steps: [
      null,
      "text",
      { message: { role: "x" }, tool_calls: "none", observation: "plain" },
      {
        tool_calls: [{ function_name: 7 }, null],
        observation: { results: [3, { content: [{}] }] },
      },
    ],
  };
  await reading(odd, async (read) => {
    const shown = textOf(await trajectoryBlocks(read(), 1e6));
    for (const part of ["null", '"text"', '{"role":"x"}', "none", "plain", "3", "{}"]) {
      assert.ok(shown.includes(part), part);
    }
  });
});

Deno.test("images come from the trajectory's own folder only", async () => {
  const paths = ["../secret.png", "link.png", "/etc/hostname", "gone.png", "t.json", ""];
  const steps = paths.map((path) => ({ message: [{ type: "image", source: { path } }] }));
  await reading({ steps }, (read) => {
    const { steps, warnings } = read();
    assert.ok(steps.every(({ images }) => images.length === 0));
    assert.equal(warnings.length, paths.length);
    assert.match(warnings.join("\n"), /outside of[^]*through a link[^]*does not exist[^]*no PNG/);
  });
});

Deno.test("a long trajectory is cut to the budget, and every step stays visible", async () => {
  const steps = Array.from({ length: 50 }, (_, i) => ({
    source: "agent",
    message: `short ${i}`,
    observation: { results: [{ content: `BEGIN ${"many words ".repeat(2000)} END ${i}` }] },
  }));
  const { count } = await loadTokenizer();
  await reading({ steps }, async (read) => {
    for (const budget of [5000, 20_000]) {
      const shown = await trajectoryBlocks(read(), budget);
      const text = textOf(shown);
      assert.ok(count(text) <= budget, `${count(text)} of ${budget}`);
      for (let i = 0; i < 50; i++) assert.ok(text.includes(`Step ${i + 1} (agent)`), `${i}`);
      assert.match(text, /short 7\n[^]*BEGIN[^]*tokens left out[^]*END 49/);
      assert.match(shown.warning!, /is cut for the judge: \d+ tokens, \d+ are left/);
    }
  });
});

Deno.test("with too many steps for that, runs of them are told in a line each", async () => {
  const steps = Array.from({ length: 20_000 }, () => ({
    source: "agent",
    message: "x",
    tool_calls: [{ function_name: "bash", arguments: {} }],
  }));
  const { count } = await loadTokenizer();
  await reading({ steps }, async (read) => {
    const shown = await trajectoryBlocks(read(), 3000);
    const text = textOf(shown);
    assert.ok(count(text) <= 3000, `${count(text)}`);
    assert.match(text, /Step 1 \(agent\) to Step \d+ \(agent\), \d+ steps; tools: bash × \d+/);
    assert.match(text, /Step 20000 \(agent\)/);
    assert.notEqual(shown.warning, undefined);
  });
});

Deno.test("a trajectory without steps says so", async () => {
  await reading({ steps: [] }, async (read) => {
    assert.match(textOf(await trajectoryBlocks(read(), 100)), /0 steps\. It did nothing/);
  });
});
