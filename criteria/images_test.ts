import assert from "node:assert/strict";
import {
  isAccepted,
  outcomeOf,
  recordedCases,
  recordedWorkspace,
} from "./conformance_workspace.ts";
import { checks, imageSimilarity, imageSizeEquals } from "./images.ts";

/** Where the outcome is another one than the original's, and why. */
const DIFFERENT: Record<string, number | "refused"> = {
  "image_size_equals-005": "refused", // true as a size: an author's mistake
  "image_size_equals-030": 1, // the size is in the header, however large it is
};

Deno.test("imageSizeEquals() scores the recorded cases as the original does", async (t) => {
  using workspace = recordedWorkspace();
  const cases = recordedCases("image_size_equals");
  assert.ok(cases.length >= 26);
  for (const { id, args, value } of cases) {
    await t.step(id, async () => {
      const expected = DIFFERENT[id] ?? value;
      const accepted = isAccepted(() => imageSizeEquals(...args as [string, number, number]));
      if (!accepted) return assert.equal("refused", expected);
      const { result } = await outcomeOf(checks.image_size_equals!, workspace.path, ...args);
      assert.equal(Number(result), expected);
    });
  }
});

Deno.test("imageSimilarity() scores the recorded cases as the original does", async (t) => {
  using workspace = recordedWorkspace();
  const cases = recordedCases("image_similarity");
  assert.ok(cases.length >= 37);
  for (const { id, args, value } of cases) {
    await t.step(id, async () => {
      assert.ok(isAccepted(() => imageSimilarity(...args as [string, string])));
      const { result, warnings } = await outcomeOf(
        checks.image_similarity!,
        workspace.path,
        ...args,
      );
      assert.equal(result, value, warnings.join());
    });
  }
});

const EXAMPLES = new URL("../fixtures/images/", import.meta.url);

/** Images that Pillow wrote or was given, each beside what Pillow read, as an RGBA PNG. */
function examples(): string[] {
  return [...Deno.readDirSync(EXAMPLES)].map((entry) => entry.name)
    .filter((name) => !name.endsWith(".expected.png")).sort();
}

Deno.test("imageSimilarity() reads every kind of image as Pillow does", async (t) => {
  assert.ok(examples().length > 60);
  for (const name of examples()) {
    await t.step(name, async () => {
      const { result, warnings } = await outcomeOf(
        checks.image_similarity!,
        Deno.realPathSync(EXAMPLES),
        name,
        `${name}.expected.png`,
      );
      assert.equal(result, 1, warnings.join());
    });
  }
});

async function withImage(
  bytes: Uint8Array,
  run: (folder: string) => Promise<{ result: unknown; warnings: string[] }>,
) {
  const folder = Deno.realPathSync(Deno.makeTempDirSync());
  try {
    Deno.writeFileSync(`${folder}/image`, bytes);
    return await run(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.test("imageSimilarity() survives any byte of an image being wrong", async () => {
  const names = ["RGB.png", "h2_16_1_1.png", "RGB.gif", "RGB.bmp", "RGBl.webp", "RGB_75.jpg"]
    .concat(["RGB_pred.tif", "P_packbits.tif", "a.pgm", "i.ico", "ib.ico"]);
  for (const name of names) {
    const bytes = Deno.readFileSync(new URL(name, EXAMPLES));
    const step = Math.max(1, Math.floor(bytes.length / 60));
    for (let at = 0; at < bytes.length; at += at < 60 ? 1 : step) {
      const damaged = bytes.slice();
      damaged[at]! ^= 0xff;
      for (const candidate of [damaged, bytes.slice(0, at)]) {
        const { result } = await withImage(
          candidate,
          (folder) => outcomeOf(checks.image_similarity!, folder, "image", "image"),
        );
        // Either it still is an image, which is like itself, or it is refused.
        assert.ok(result === 0 || result === 1, `${name} at ${at}: ${result}`);
      }
    }
  }
});

Deno.test("imageSimilarity() refuses pictures that are larger than they look", async () => {
  const gif = new TextEncoder().encode("GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0....\0\x02\x02L\x01\0;");
  gif.set([0xff, 0xff, 0xff, 0xff], 18);
  const icon = Uint8Array.from(Deno.readFileSync(new URL("ib.ico", EXAMPLES)));
  new DataView(icon.buffer).setInt32(new DataView(icon.buffer).getUint32(18, true) + 4, 9999, true);
  new DataView(icon.buffer).setInt32(new DataView(icon.buffer).getUint32(34, true) + 4, 9999, true);
  for (const [bytes, reason] of [[gif, /65535 x 65535/], [icon, /another size/]] as const) {
    const start = performance.now();
    const { result, warnings } = await withImage(
      bytes,
      (folder) => outcomeOf(checks.image_similarity!, folder, "image", "image"),
    );
    assert.equal(result, 0);
    assert.match(warnings[0]!, reason);
    assert.ok(performance.now() - start < 1000);
  }
});

Deno.test("imageSimilarity() ignores the checksum of pixels, not that of the header", async () => {
  using workspace = recordedWorkspace();
  const check = checks.image_similarity!;
  const ofPixels = await outcomeOf(check, workspace.path, "img/bad_idat_crc.png", "img/noise.png");
  assert.equal(ofPixels.result, 1);
  const ofHeader = await outcomeOf(check, workspace.path, "img/bad_ihdr_crc.png", "img/noise.png");
  assert.match(ofHeader.warnings[0]!, /"img\/bad_ihdr_crc.png".*checksum/);
});

Deno.test("imageSizeEquals() names the image and what is wrong with it", async () => {
  using workspace = recordedWorkspace();
  const check = checks.image_size_equals!;
  for (
    const [path, reason] of [
      ["img/text.png", /"img\/text.png" cannot be read: it is not an image/],
      ["img/short_header.png", /PNG header is damaged or cut short/],
      ["img/missing.png", /"img\/missing.png" does not exist/],
      ["dir", /"dir" is a folder/],
    ] as const
  ) assert.match((await outcomeOf(check, workspace.path, path, 1, 1)).warnings[0]!, reason);
  assert.throws(() => imageSizeEquals("a.png", 1.5, 1), TypeError);
  assert.throws(() => imageSizeEquals("a.png", -1, 1), TypeError);
});
