// The image for verifiers. Its file is read as Docker reads it; what it says is then done without
// Docker: a root folder that holds what the image would, in which its command runs with nothing else.

import assert from "node:assert/strict";
import { type Dockerfile, DockerfileParser } from "dockerfile-ast";
import { validate } from "dockerfile-utils";
import { bundle } from "../../bundle/bundle.ts";
import { readJson } from "../cli.ts";
import { parentOf } from "../../src/path.ts";
import { canReachNpm, runProgram, temporaryFolder } from "./programs.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const TEXT = await Deno.readTextFile(`${ROOT}docker/verifier.Dockerfile`);
const FILE: Dockerfile = DockerfileParser.parse(TEXT);

/** An instruction of the file. */
interface Layer {
  keyword: string;
  args: string;
  /** The stage that a `COPY` takes from. */
  from: string | undefined;
}

/** What a stage is made of, what it starts from first. */
function layersOf(stage: number): Layer[] {
  const stages = FILE.getFROMs();
  const start = stages[stage]!.getRange().start.line;
  const end = stages[stage + 1]?.getRange().start.line ?? Infinity;
  const base = stages.findIndex((it) => it.getBuildStage() === stages[stage]!.getImage());
  const own = FILE.getInstructions()
    .filter((it) => it.getRange().start.line > start && it.getRange().start.line < end)
    .map((it) => ({
      keyword: it.getKeyword(),
      args: it.getArgumentsContent() ?? "",
      from: /--from=(\S+)/.exec(it.getTextContent())?.[1],
    }));
  return [...(base === -1 ? [] : layersOf(base)), ...own];
}

const IMAGE = layersOf(FILE.getFROMs().length - 1);

Deno.test("the Dockerfile is well-formed, and its images are pinned", () => {
  assert.deepEqual(validate(TEXT), []);
  for (const from of FILE.getFROMs()) {
    const image = from.getImage() ?? "";
    const isStage = FILE.getFROMs().some((other) => other.getBuildStage() === image);
    if (!isStage) assert.match(image, /:(?!latest)\S+$/);
  }
});

Deno.test("it has the Deno that the tests run with, and says where the bundle comes from", () => {
  assert.match(TEXT, new RegExp(`^ARG DENO_VERSION=${Deno.version.deno}$`, "m"));
  assert.match(TEXT, /^RUN deno task bundle \/opt\/rewardkit$/m);
});

/** A root folder with what the image's own steps put there; the system's programs are this machine's. */
async function makeRoot(root: string): Promise<{ env: string[]; workdir: string; cmd: string[] }> {
  for (const name of ["usr", "app", "tests", "logs/verifier", "tmp", "proc", "dev"]) {
    await Deno.mkdir(`${root}/${name}`, { recursive: true });
  }
  for (const name of SYSTEM) await Deno.mkdir(`${root}/usr/${name}`);
  for (const name of SYSTEM) await Deno.symlink(`usr/${name}`, `${root}/${name}`);
  const image = { env: [] as string[], workdir: "/", cmd: [] as string[] };
  for (const { keyword, args, from } of IMAGE) {
    const second = args.split(/\s+/)[1]!;
    if (keyword === "COPY") {
      await Deno.mkdir(parentOf(`${root}${second}`), { recursive: true });
      if (from === "bundle") await bundle(`${root}${second}`);
      // A place for it: it is large, and there already.
      else await Deno.writeTextFile(`${root}${second}`, "");
    } else if (keyword === "RUN" && args.startsWith("ln ")) {
      const [, , target, link] = args.split(" ") as [string, string, string, string];
      await Deno.symlink(target, `${root}${link}`);
    } else if (keyword === "ENV") image.env.push("--setenv", ...args.split("=") as string[]);
    else if (keyword === "WORKDIR") image.workdir = args;
    else if (keyword === "CMD") image.cmd = JSON.parse(args);
    else assert.match(`${keyword} ${args}`, /^RUN apt-get update/);
  }
  return image;
}

const SYSTEM = ["bin", "lib", "lib64"].filter((name) => existsSync(`/usr/${name}`));

function existsSync(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

const canConfine = await runProgram(["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"])
  .then(({ code }) => code === 0, () => false);
if (!canConfine) {
  console.log("SKIPPED: running what is in the image: bubblewrap does not work here");
}

Deno.test({
  name: "what is in the image grades as any user, without a network, a home or a place to write to",
  ignore: !canConfine || !await canReachNpm(),
  async fn() {
    await using place = await temporaryFolder();
    const root = `${place.path}/root`;
    const { env, workdir, cmd } = await makeRoot(root);
    const seed = `${ROOT}fixtures/seeds/hello-world`;
    for (
      const [run, flags] of [["plain", []], ["strangers", [
        "--untrusted",
        "--sandbox=deno",
      ]]] as const
    ) {
      const output = `${place.path}/${run}`;
      await Deno.mkdir(output);
      await Deno.chmod(output, 0o777);
      const { code, stdout, stderr } = await runProgram([
        ...["bwrap", "--unshare-all", "--die-with-parent", "--uid", "12345", "--gid", "12345"],
        ...["--ro-bind", root, "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"],
        ...SYSTEM.flatMap((name) => ["--ro-bind", `/usr/${name}`, `/usr/${name}`]),
        ...["--ro-bind", Deno.execPath(), "/usr/local/bin/deno"],
        ...["--ro-bind", `${seed}/tests`, "/tests", "--ro-bind", `${seed}/workspace`, "/app"],
        ...["--bind", output, "/logs/verifier", "--clearenv", ...env],
        ...["--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin", "--chdir", workdir],
        ...[...cmd, ...flags],
      ]);
      assert.equal(code, 0, `${run}: ${stderr}`);
      assert.equal(stdout, "reward: 1\n");
      assert.deepEqual(await readJson(`${output}/reward.json`), { reward: 1 });
    }
  },
});
