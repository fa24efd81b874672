import assert from "node:assert/strict";
import fc from "fast-check";
import { readReply } from "../../judges/reply.ts";
import { damaged, textSamples } from "./damage.ts";
import { isolatedTest } from "./isolated.ts";
import { tries, within } from "./runs.ts";

const LIMITS = { limitSec: 60, maxMib: 900 };

const NAMES = ["clear", "__proto__", "constructor"];

const REPLIES = [
  '{"clear": {"reasoning": "it is", "score": "yes"}, "constructor": {"score": 1}}',
  'Here it is:\n```json\n{"verdicts": [{"name": "clear", "score": 4, "reasoning": "a\nb",},]}\n```',
  '{"reasoning": "says {\\"score\\": 1}", "score": "no"} // done',
  '{"__proto__": {"score": "yes"}, "clear": {"score": 0.5e1, "reasoning": "\\ud83d\\ude00"}}',
];

const WORDS = [
  ...['{"clear":', '"score":', '"reasoning":', "```json\n", "```", "{", "}", "[", "]", '"', "\\"],
  ...["\\u", "\n", ",", ":", "//", "/*", "NaN", "1e999", "{".repeat(2000), "[".repeat(2000), "\0"],
];

isolatedTest(
  import.meta.url,
  "a damaged reply holds verdicts of those asked for, or says why not",
  LIMITS,
  async () => {
    await fc.assert(
      fc.asyncProperty(
        damaged(textSamples(REPLIES), WORDS),
        fc.boolean(),
        async ({ bytes }, isCutOff) => {
          const text = new TextDecoder().decode(bytes);
          const { entries, problem } = await within(3, () => readReply(text, NAMES, { isCutOff }));
          for (const name of entries.keys()) assert.ok(NAMES.includes(name), name);
          if (entries.size === 0) assert.ok(problem!.length < 300, problem);
          assert.equal(
            ({} as Record<string, unknown>).score,
            undefined,
            "no prototype was changed",
          );
        },
      ),
      tries(1500),
    );
  },
);

isolatedTest(
  import.meta.url,
  "a reply that is made to be slow or large is read soon",
  LIMITS,
  async () => {
    const million = (text: string) => text.repeat(1_000_000);
    const replies = [
      million("{"),
      million("["),
      million('{"'),
      million('{"clear":'),
      million('{"clear":{"score":1}}'),
      million("\\"),
      million("```json\n"),
      `{"clear":{"score":"${million("yes ")}"}}`,
      `{"clear":{"score":${million("9")}}}`,
      `{"clear":{"score":1,"reasoning":"${million("a\n")}"}}`,
      `{"clear":{${million('"score":1,')}}}`,
      `${million("/*")}{"clear":{"score":1}}`,
    ];
    for (const reply of replies) await within(10, () => readReply(reply, NAMES));
  },
);
