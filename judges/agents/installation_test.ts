// Installs from a stand-in for the registry, with the real Deno.

import assert from "node:assert/strict";
import { type NpmPackage, NpmServer } from "../../tests/npm_server.ts";
import { ConfigError } from "../../src/errors.ts";
import type { Agent } from "./agent.ts";
import { findProgram, type ProgramOptions } from "./program.ts";

const AGENT: Agent = {
  name: "house-agent",
  program: "house",
  npmPackage: "@house/agent",
  command: () => ({ args: [] }),
};

const isLinux = Deno.build.os === "linux";

/** What an agent consists of: a package with a stub, and the program in a package beside it. */
function agentPackages(version = "1.2.3", printed = version): NpmPackage[] {
  const system = { os: [Deno.build.os], cpu: [Deno.build.arch === "x86_64" ? "x64" : "arm64"] };
  return [
    {
      manifest: {
        name: "@house/agent",
        version,
        bin: { house: "bin/house.exe" },
        optionalDependencies: { "@house/agent-own": version, "@house/agent-other": version },
      },
      files: { "bin/house.exe": "echo not installed >&2\n" },
    },
    {
      manifest: { name: "@house/agent-own", version, ...system },
      files: { "vendor/house": `#!/bin/sh\necho house ${printed}\n` },
    },
    {
      manifest: { name: "@house/agent-other", version, os: ["win32"] },
      files: { "vendor/house": "#!/bin/sh\nexit 1\n" },
    },
  ];
}

/** A registry, and folders of a user who installs from it. */
class Place implements AsyncDisposable {
  readonly root = Deno.realPathSync(Deno.makeTempDirSync());
  readonly workspace = `${this.root}/work`;
  readonly cache = `${this.root}/cache`;
  readonly parent = `${this.cache}/rewardkit/agents/house-agent-1.2.3`;
  readonly folder = `${this.parent}/${Deno.build.os}-${Deno.build.arch}`;
  readonly notices: string[] = [];
  readonly server: NpmServer;
  readonly environment: Record<string, string>;

  constructor(packages: readonly NpmPackage[] = agentPackages()) {
    this.server = new NpmServer(packages);
    for (const folder of ["work", "home"]) Deno.mkdirSync(`${this.root}/${folder}`);
    this.environment = {
      PATH: "/usr/bin:/bin",
      HOME: `${this.root}/home`,
      XDG_CACHE_HOME: this.cache,
      NPM_CONFIG_REGISTRY: this.server.url,
    };
  }

  async install(options: Partial<ProgramOptions> = {}): Promise<string> {
    const found = await findProgram(AGENT, {
      version: "1.2.3",
      environment: this.environment,
      workspace: this.workspace,
      install: true,
      onNotice: (message) => this.notices.push(message),
      ...options,
    });
    assert.ok("path" in found);
    return found.path;
  }

  /** Fails to install, and gives the error. */
  async refusal(options: Partial<ProgramOptions> = {}): Promise<ConfigError> {
    const error = await this.install(options).catch((error) => error);
    assert.ok(error instanceof ConfigError, String(error));
    return error;
  }

  /** Names beside the installation. */
  left(): string[] {
    return [...Deno.readDirSync(this.parent)].map(({ name }) => name).sort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    Deno.removeSync(this.root, { recursive: true });
  }
}

function printed(path: string): string {
  const { stdout } = new Deno.Command(path, { args: ["--version"] }).outputSync();
  return new TextDecoder().decode(stdout);
}

const OWN = `${Deno.build.os}-${Deno.build.arch}`;

Deno.test("a version is installed once, and then taken from the cache", async () => {
  await using place = new Place();
  const { server, folder, notices, root } = place;
  const path = await place.install();
  assert.ok(path.startsWith(`${folder}/node_modules/`) && path.endsWith("/vendor/house"), path);
  assert.equal(printed(path), "house 1.2.3\n");
  assert.deepEqual(notices, [`installing house-agent 1.2.3 from npm into ${folder}`]);
  assert.deepEqual(place.left(), [OWN, `${OWN}.lock`]);
  const files = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  assert.deepEqual(files, ["deno.json", "node_modules", "package.json", "program"]);
  assert.deepEqual([...Deno.readDirSync(`${root}/home`)], []);
  assert.equal(server.downloads("@house/agent-other"), 0);

  const requests = server.requests.length;
  assert.equal(await place.install(), path);
  assert.equal(await place.install({ install: false }), path);
  assert.equal(server.requests.length, requests);
  assert.equal(notices.length, 1);
});

Deno.test("check says what would be installed, and asks no registry", async () => {
  await using place = new Place();
  const { environment, workspace, server, cache } = place;
  const found = await findProgram(AGENT, {
    version: "1.2.3",
    environment,
    workspace,
    install: false,
    onNotice: () => assert.fail(),
  });
  assert.deepEqual(found, { toInstall: "@house/agent@1.2.3 from npm" });
  assert.deepEqual(server.requests, []);
  assert.throws(() => Deno.statSync(cache), Deno.errors.NotFound);
});

Deno.test("runs that want the same version at the same time install it once", async () => {
  await using place = new Place();
  const all = await Promise.all([1, 2, 3].map(() => place.install()));
  assert.equal(new Set(all).size, 1);
  assert.equal(place.server.downloads("@house/agent"), 1);
  assert.equal(place.server.downloads("@house/agent-own"), 1);
  const waiting = "waiting for another run that installs house-agent 1.2.3";
  assert.equal(place.notices.filter((notice) => notice === waiting).length, 2);
});

Deno.test("what is killed while it installs leaves nothing that counts", {
  ignore: !isLinux,
}, async () => {
  await using place = new Place();
  const { server, environment, workspace } = place;
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<undefined>();
  server.onRequest = (path) => {
    if (!path.endsWith(".tgz")) return;
    asked.resolve();
    return answered.promise;
  };
  const script = `
    import { findProgram } from ${JSON.stringify(new URL("./program.ts", import.meta.url).href)};
    const agent = ${JSON.stringify(AGENT)};
    const options = ${JSON.stringify({ version: "1.2.3", environment, workspace, install: true })};
    await findProgram(agent, { ...options, onNotice() {} });`;
  const run = new Deno.Command(Deno.execPath(), { args: ["eval", "--no-check", script] }).spawn();
  await asked.promise;
  run.kill("SIGKILL");
  await run.status;
  const installer = await pidOfInstaller(place.parent);
  assert.ok(installer !== null);
  Deno.kill(installer, "SIGKILL");
  assert.ok(place.left().some((name) => name.endsWith(".partial")));

  server.onRequest = () => undefined;
  const requests = server.requests.length;
  assert.equal(printed(await place.install()), "house 1.2.3\n");
  assert.ok(server.requests.length > requests);
  answered.resolve(undefined);
  assert.deepEqual(place.left(), [OWN, `${OWN}.lock`]);
});

Deno.test("an installation ends with its signal", { ignore: !isLinux }, async () => {
  await using place = new Place();
  const abort = new AbortController();
  const answered = Promise.withResolvers<undefined>();
  place.server.onRequest = (path) => {
    if (!path.endsWith(".tgz")) return;
    abort.abort(new Error("interrupted"));
    return answered.promise;
  };
  await assert.rejects(place.install({ signal: abort.signal }), /^Error: interrupted$/);
  assert.equal(await pidOfInstaller(place.parent), null);
  assert.deepEqual(place.left(), [`${OWN}.lock`]);
  answered.resolve(undefined);

  // So does waiting for another one.
  using lock = await Deno.open(`${place.folder}.lock`, { write: true });
  await lock.lock(true);
  const second = new AbortController();
  setTimeout(() => second.abort(new Error("interrupted")), 50);
  await assert.rejects(place.install({ signal: second.signal }), /^Error: interrupted$/);
});

Deno.test("a version that npm does not have is refused", async () => {
  await using place = new Place();
  const error = await place.refusal({ version: "9.9.9" });
  assert.equal(
    error.message,
    "there is no house-agent 9.9.9: npm has no @house/agent@9.9.9",
  );
  assert.equal(error.hint, "Take a version that `npm view @house/agent versions` lists");

  await using empty = new Place([]);
  assert.match((await empty.refusal()).message, /npm has no @house\/agent@1\.2\.3$/);
  assert.deepEqual(empty.left(), [`${OWN}.lock`]);
});

Deno.test("a registry out of reach is named, without its password", async () => {
  await using place = new Place();
  const NPM_CONFIG_REGISTRY = "http://user:hunter22@127.0.0.1:1/";
  const environment = { ...place.environment, NPM_CONFIG_REGISTRY };
  const { message, hint } = await place.refusal({ environment });
  assert.match(message, /^house-agent 1\.2\.3 cannot be installed: .*127\.0\.0\.1:1.*refused/);
  assert.ok(!message.includes("hunter22") && !message.includes("\n"), message);
  assert.equal(hint, "Install it with `npm install -g @house/agent@1.2.3`");
  assert.deepEqual(place.left(), [`${OWN}.lock`]);
});

Deno.test("packages that break off or are not what was published are refused", async () => {
  await using place = new Place();
  const [, own] = agentPackages();
  const forged = new NpmServer([{ ...own!, files: { "vendor/house": "#!/bin/sh\necho evil" } }]);
  try {
    const archive = await (await fetch(`${forged.url}house-agent-own-1.2.3.tgz`)).bytes();
    place.server.replace("house-agent-own-1.2.3.tgz", archive);
    const { message } = await place.refusal();
    assert.match(message, /^house-agent 1\.2\.3 cannot be installed: .*(integrity|checksum)/i);
    place.server.replace("house-agent-own-1.2.3.tgz", archive.subarray(0, 40));
    assert.match((await place.refusal()).message, /^house-agent 1\.2\.3 cannot be installed: /);
    place.server.onRequest = () => new Response("Broken", { status: 500 });
    const broken = (await place.refusal()).message;
    assert.match(broken, /127\.0\.0\.1:\d+\/@house.*: Bad response: 500$/);
    assert.deepEqual(place.left(), [`${OWN}.lock`]);
  } finally {
    await forged[Symbol.asyncDispose]();
  }
});

Deno.test("a program that does not run, or is another version, is not installed", async () => {
  await using other = new Place(agentPackages("1.2.3", "1.2.4"));
  assert.equal(
    (await other.refusal()).message,
    'house-agent 1.2.3 cannot be installed: --version prints "house 1.2.4"',
  );
  assert.deepEqual(other.left(), [`${OWN}.lock`]);

  await using none = new Place(agentPackages().slice(0, 1));
  assert.match(
    (await none.refusal()).message,
    /^house-agent 1\.2\.3 cannot be installed: .*'@house\/agent-(own|other)' does not exist/,
  );

  const [main, own, foreign] = agentPackages();
  await using empty = new Place([main!, { ...own!, files: {} }, foreign!]);
  assert.equal(
    (await empty.refusal()).message,
    `house-agent 1.2.3 cannot be installed: @house/agent has no program "house" for ` +
      `${Deno.build.os} on ${Deno.build.arch}`,
  );
});

Deno.test("no script of a package is run", async () => {
  const marker = `${Deno.makeTempDirSync()}/ran`;
  const scripts = Object.fromEntries(
    ["preinstall", "install", "postinstall", "prepare"].map((name) => [name, `touch ${marker}`]),
  );
  const packages = agentPackages().map((it) => ({ ...it, manifest: { ...it.manifest, scripts } }));
  await using place = new Place(packages);
  await place.install();
  assert.throws(() => Deno.statSync(marker), Deno.errors.NotFound);
  Deno.removeSync(marker.replace(/\/ran$/, ""));
});

Deno.test("nobody else's configuration has a say", async () => {
  await using place = new Place();
  const elsewhere = "registry=http://127.0.0.1:1/";
  Deno.mkdirSync(place.parent, { recursive: true });
  for (const folder of [place.cache, place.parent]) {
    Deno.writeTextFileSync(`${folder}/.npmrc`, elsewhere);
    Deno.writeTextFileSync(`${folder}/deno.json`, '{ "workspace": ["./*"], "links": ["./x"] }');
    Deno.writeTextFileSync(`${folder}/package.json`, '{ "workspaces": ["./*"] }');
  }
  // The user's own names the registry, unless it lies in the graded work.
  const { NPM_CONFIG_REGISTRY: registry, ...environment } = place.environment;
  Deno.writeTextFileSync(`${place.root}/home/.npmrc`, `registry=${registry}`);
  assert.equal(printed(await place.install({ environment })), "house 1.2.3\n");

  Deno.writeTextFileSync(`${place.workspace}/.npmrc`, `@house:${elsewhere}`);
  Deno.removeSync(place.folder, { recursive: true });
  const HOME = place.workspace;
  await place.install({ environment: { ...place.environment, HOME } });
});

Deno.test("the installer sees no secret", { ignore: !isLinux }, async () => {
  await using place = new Place();
  const seen: Promise<string>[] = [];
  place.server.onRequest = async () => {
    const pid = await pidOfInstaller(place.parent);
    seen.push(Deno.readTextFile(`/proc/${pid}/environ`));
    await seen[0];
    return undefined;
  };
  const PATH = `${place.workspace}:/usr/bin`;
  await place.install({
    environment: {
      ...place.environment,
      PATH,
      ANTHROPIC_API_KEY: "sk-secret-1",
      NPM_TOKEN: "npm-secret-2",
      DATABASE_URL: "postgres://user:secret-3@db",
      DENO_DIR: place.workspace,
    },
  });
  const variables = (await seen[0])!.split("\0");
  assert.ok(variables.includes("PATH=/usr/bin"));
  assert.ok(variables.includes(`NPM_CONFIG_REGISTRY=${place.server.url}`));
  assert.doesNotMatch(variables.join("\n"), /secret/);
  assert.ok(!variables.some((variable) => variable.includes(place.workspace)));
});

Deno.test("a version is installed on the day that it is published", async () => {
  await using place = new Place(agentPackages().map((it) => ({ ...it, time: new Date() })));
  assert.equal(printed(await place.install()), "house 1.2.3\n");
});

Deno.test("an installation that has lost its program is made again", async () => {
  await using place = new Place();
  const path = await place.install();
  Deno.removeSync(path);
  assert.equal(await place.install(), path);
  assert.equal(printed(path), "house 1.2.3\n");
  assert.equal(place.server.downloads("@house/agent-own"), 2);
});

Deno.test("a folder that cannot be written is named", async () => {
  await using place = new Place();
  const environment = { ...place.environment, XDG_CACHE_HOME: "/dev/null" };
  const { message, hint } = await place.refusal({ environment });
  assert.match(message, /^house-agent 1\.2\.3 cannot be installed: .*\/dev\/null/);
  assert.match(hint!, /npm install -g/);
});

/** The installer that works below a folder. */
async function pidOfInstaller(folder: string): Promise<number | null> {
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const cwd = await Deno.readLink(`/proc/${name}/cwd`);
      if (cwd.startsWith(`${folder}/`)) return Number(name);
    } catch {
      // Has ended.
    }
  }
  return null;
}
