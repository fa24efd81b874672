import assert from "node:assert/strict";
import { ConfigError } from "../../src/errors.ts";
import type { Agent, Environment } from "./agent.ts";
import { findProgram, type ProgramOptions } from "./program.ts";

const AGENT: Agent = { name: "house-agent", program: "house", command: () => ({ args: [] }) };
const FROM_NPM: Agent = { ...AGENT, npmPackage: "@house/agent" };

/** Folders with programs that print a version, and an environment that knows them. */
class Place implements Disposable {
  readonly root = Deno.realPathSync(Deno.makeTempDirSync());
  readonly workspace = `${this.root}/work`;
  readonly bin = `${this.root}/bin`;
  readonly cache = `${this.root}/cache`;
  readonly notices: string[] = [];

  constructor() {
    for (const folder of [this.workspace, this.bin]) Deno.mkdirSync(folder);
  }

  program(path: string, version: string): string {
    Deno.writeTextFileSync(`${this.root}/${path}`, `#!/bin/sh\necho house ${version}\n`);
    Deno.chmodSync(`${this.root}/${path}`, 0o755);
    return `${this.root}/${path}`;
  }

  find(agent: Agent, options: Partial<ProgramOptions> = {}) {
    const { bin, cache, workspace } = this;
    return findProgram(agent, {
      environment: { PATH: `${workspace}:${bin}:/usr/bin:/bin`, XDG_CACHE_HOME: cache },
      workspace,
      install: false,
      onNotice: (message) => this.notices.push(message),
      ...options,
    });
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.root, { recursive: true });
  }
}

/** Whether an error is about the configuration, with a message and a hint like these. */
function like(message: RegExp, hint: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof ConfigError, String(error));
    assert.match(error.message, message);
    assert.match(error.hint ?? "", hint);
    return true;
  };
}

Deno.test("findProgram() takes the program on PATH, whatever its version", async () => {
  using place = new Place();
  const path = place.program("bin/house", "0.0.1");
  assert.deepEqual(await place.find(AGENT), { path });
});

Deno.test("findProgram() says what is missing and how to get it", async () => {
  using place = new Place();
  await assert.rejects(
    place.find(FROM_NPM),
    like(
      /^the program of house-agent, "house", is not on PATH$/,
      /`npm install -g @house\/agent`, or set "version" in \[judge\]/,
    ),
  );
  await assert.rejects(place.find(AGENT), like(/"house", is not on PATH$/, /^Install it where/));
  const planted = place.program("work/house", "1.2.3");
  await assert.rejects(
    place.find(FROM_NPM),
    like(new RegExp(`not on PATH; ${planted} lies in the graded work and is not run$`), /npm/),
  );
});

Deno.test("findProgram() takes an absolute path as it is", async () => {
  using place = new Place();
  const program = `${place.root}/elsewhere`;
  await assert.rejects(
    place.find({ ...AGENT, program }),
    like(/elsewhere", is not there, or is not executable$/, /spelling/),
  );
  place.program("elsewhere", "1.2.3");
  assert.deepEqual(await place.find({ ...AGENT, program }), { path: program });
  assert.deepEqual(await place.find({ ...AGENT, program }, { version: "1.2.3" }), {
    path: program,
  });
});

Deno.test("findProgram() takes the program on PATH if it is the version", async () => {
  using place = new Place();
  const path = place.program("bin/house", "1.2.3");
  assert.deepEqual(await place.find(AGENT, { version: "1.2.3" }), { path });
  assert.deepEqual(await place.find(FROM_NPM, { version: "1.2.3", install: true }), { path });
  place.program("bin/house", "1.2.3-beta.1");
  assert.deepEqual(await place.find(FROM_NPM, { version: "1.2.3" }), {
    toInstall: "@house/agent@1.2.3 from npm",
  });
  await assert.rejects(
    place.find(AGENT, { version: "1.2.3" }),
    like(
      /^house-agent 1\.2\.3 is not on PATH, .* no npm package/,
      /^Put that version of house on PATH, or take "version" out of \[judge\]$/,
    ),
  );
  assert.deepEqual(place.notices, []);
});

Deno.test("findProgram() refuses what is no version", async () => {
  using place = new Place();
  for (const version of ["latest", "1.2", "../../1.2.3", "1.2.3-", "1.2.3-a/b", "^1.2.3", ""]) {
    await assert.rejects(
      place.find(FROM_NPM, { version, install: true }),
      like(/is no version of house-agent$/, /three numbers/),
    );
  }
  const { toInstall } = await place.find(FROM_NPM, { version: "0.5.0-beta.1" }) as {
    toInstall: string;
  };
  assert.equal(toInstall, "@house/agent@0.5.0-beta.1 from npm");
});

Deno.test("findProgram() wants a cache folder outside of the graded work", async () => {
  using place = new Place();
  const version = "1.2.3";
  const { root, workspace } = place;
  const PATH = "/usr/bin:/bin";
  Deno.symlinkSync("work", `${root}/alias`);
  Deno.mkdirSync(`${root}/linked`);
  Deno.symlinkSync("../work", `${root}/linked/rewardkit`);
  const inside: Environment[] = [
    { PATH, XDG_CACHE_HOME: `${workspace}/cache` },
    { PATH, XDG_CACHE_HOME: `${root}/alias/not/there` },
    { PATH, XDG_CACHE_HOME: `${root}/linked` },
    { PATH, HOME: workspace },
    { PATH, XDG_CACHE_HOME: "cache", HOME: workspace },
  ];
  for (const environment of inside) {
    await assert.rejects(
      place.find(FROM_NPM, { version, environment, install: true }),
      like(/^house-agent 1\.2\.3 cannot be installed into .* graded work$/, /XDG_CACHE_HOME/),
    );
  }
  const nowhere: Environment[] = [{ PATH }, { PATH, XDG_CACHE_HOME: "", HOME: "home" }];
  for (const environment of nowhere) {
    await assert.rejects(
      place.find(FROM_NPM, { version, environment, install: true }),
      like(/neither XDG_CACHE_HOME nor HOME/, /XDG_CACHE_HOME/),
    );
  }
  assert.deepEqual([...Deno.readDirSync(workspace)], []);
});
