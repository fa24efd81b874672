import assert from "node:assert/strict";
import type { Declaration } from "../criterion/declaration.ts";
import { decodeValue } from "../criterion/values.ts";
import { Cell } from "./cell.ts";
import type { WorkerListener, WorkerRequest } from "./cell_worker.ts";
import { collectingWorker } from "./cells.ts";
import {
  cellPermissions,
  loadingOnly,
  noPermissions,
  permissionsFor,
  union,
} from "./permissions.ts";
import type { FromWorker, WorkerPermissions } from "./protocol.ts";
import { type Ended, type Lost, Session } from "./session.ts";

const CHECKS = new URL("../../checks.ts", import.meta.url).href;

/** A tests folder with one check file, a workspace, and cells that are gone at the end. */
class Bench {
  readonly root: string = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "rewardkit-test-" }));
  readonly roots = { workspace: `${this.root}/app`, tests: `${this.root}/tests` };
  readonly #cells: Cell[] = [];
  output = "";

  constructor(check: string) {
    for (const folder of [...Object.values(this.roots), `${this.root}/private`]) {
      Deno.mkdirSync(folder);
    }
    Deno.writeTextFileSync(`${this.roots.tests}/check.ts`, check);
    Deno.writeTextFileSync(`${this.roots.tests}/oracle.txt`, "oracle");
    Deno.writeTextFileSync(`${this.root}/secret.txt`, "secret");
  }

  get url(): string {
    return `file://${this.roots.tests}/check.ts`;
  }

  /** A Worker that loads the check file and computes nothing. */
  get collecting(): WorkerRequest {
    return collectingWorker(this.roots);
  }

  start(permissions: WorkerPermissions, first?: WorkerRequest): Cell {
    const settings = {
      privateDir: `${this.root}/private`,
      mark: {},
      importMap: { "@rewardkit/cli": CHECKS },
      heapMiB: 64,
      onOutput: (bytes: Uint8Array) => void (this.output += new TextDecoder().decode(bytes)),
    };
    this.#cells.push(Cell.start(settings, permissions, first === undefined ? {} : { first }));
    return this.#cells.at(-1)!;
  }

  /** Runs the only criterion of the check file, which declares this. */
  async run(
    declared: Pick<Declaration, "needs" | "readsByDefault">,
    timeoutSec = 10,
  ): Promise<Ended | Lost> {
    const declaration: Declaration = {
      index: 0,
      kind: "custom",
      criterion: "probe",
      name: "probe",
      description: "",
      weight: 1,
      isolated: false,
      ...declared,
    };
    const cell = this.start(cellPermissions([declaration], this.roots));
    const own = permissionsFor([declaration], this.roots);
    const revoke = loadingOnly(own, this.roots);
    const session = new Session(cell, {
      entry: "author",
      permissions: union(own, { read: revoke }),
      setting: {
        workspace: this.roots.workspace,
        maxFileBytes: 1000,
        revoke,
        file: this.url,
      },
      criteria: ["probe"],
      loadTimeoutSec: 20,
      onProgram: () => assert.fail("no program was asked for"),
    });
    return await session.run(0, undefined, timeoutSec);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const cell of this.#cells) cell.kill();
    await Promise.all(this.#cells.map(({ ended }) => ended));
    await Deno.remove(this.root, { recursive: true });
  }
}

/** A check file whose criterion tries these things and tells what came of each. */
function probing(attempts: Record<string, string>, atLoad = ""): string {
  const tries = Object.entries(attempts).map(([name, code]) =>
    `try { ${code}; outcome.${name} = "allowed"; } catch (error) { outcome.${name} = /NotCapable|Requires/.test(String(error)) ? "refused" : String(error); }`
  );
  return `
    import * as rk from "@rewardkit/cli";
    ${atLoad}
    rk.criterion(async function probe() {
      const outcome = {};
      ${tries.join("\n")}
      return { score: 1, reasoning: JSON.stringify(outcome) };
    });
  `;
}

function outcomeOf(ended: Ended | Lost): Record<string, string> {
  assert.ok("result" in ended, JSON.stringify(ended));
  return JSON.parse((decodeValue(ended.result!) as { reasoning: string }).reasoning);
}

const allowedOf = (outcome: Record<string, string>) =>
  Object.keys(outcome).filter((name) => outcome[name] === "allowed");

Deno.test("an author's Worker may do exactly what its criteria declare", async () => {
  const variables = ["GRANTED", "REFUSED"].map((name) => `CELL_${name}_${crypto.randomUUID()}`);
  const [granted, refused] = variables as [string, string];
  for (const name of variables) Deno.env.set(name, "value");
  const [near, other] = [0, 1].map(() => Deno.listen({ hostname: "127.0.0.1", port: 0 }));
  const port = (listener: Deno.TcpListener) => listener.addr.port;
  const connect = (listener: Deno.TcpListener) =>
    `(await Deno.connect({ hostname: "127.0.0.1", port: ${port(listener)} })).close()`;
  const attempts = (root: string) => ({
    readDeclared: `Deno.readTextFileSync("${root}/app/in.txt")`,
    readBeside: `Deno.readTextFileSync("${root}/app/other.txt")`,
    readOracle: `Deno.readTextFileSync("${root}/tests/oracle.txt")`,
    readSecret: `Deno.readTextFileSync("${root}/secret.txt")`,
    readUp: `Deno.readTextFileSync("${root}/app/in.txt/../../secret.txt")`,
    readEnvironment: `Deno.readTextFileSync("/proc/self/environ")`,
    statSecret: `Deno.statSync("${root}/secret.txt")`,
    fetchSecret: `await (await fetch("file://${root}/secret.txt")).text()`,
    importSecret: `await import("${root}/app/module" + ".js")`,
    writeDeclared: `Deno.writeTextFileSync("${root}/app/out.txt", "")`,
    writeRead: `Deno.writeTextFileSync("${root}/app/in.txt", "")`,
    writeTests: `Deno.writeTextFileSync("${root}/tests/check.ts", "")`,
    makeTemp: `Deno.makeTempFileSync()`,
    netDeclared: connect(near!),
    netOther: connect(other!),
    netListen: `Deno.listen({ port: 0 }).close()`,
    runDeclared: `new Deno.Command("true").outputSync()`,
    runOther: `new Deno.Command("ls").outputSync()`,
    envDeclared: `if (Deno.env.get("${granted}") !== "value") throw new Error()`,
    envOther: `Deno.env.get("${refused}")`,
    envAll: `Deno.env.toObject()`,
    sysHostname: `Deno.hostname()`,
    ffi: `Deno.dlopen("libc.so.6", {})`,
    killParent: `Deno.kill(Deno.ppid, "SIGCONT")`,
  });
  try {
    const needs = [
      { read: "in.txt" },
      { write: "out.txt" },
      { net: `127.0.0.1:${port(near!)}` },
      { run: "true" },
      { env: granted },
    ];
    await using bench = new Bench("");
    Deno.writeTextFileSync(`${bench.roots.tests}/check.ts`, probing(attempts(bench.root)));
    for (const name of ["in.txt", "other.txt", "module.js"]) {
      Deno.writeTextFileSync(`${bench.roots.workspace}/${name}`, "");
    }
    const [none, all] = await Promise.all([
      bench.run({ needs: [{ read: "nothing" }] }),
      bench.run({ needs }),
    ]);
    assert.deepEqual(allowedOf(outcomeOf(none)), []);
    assert.deepEqual(allowedOf(outcomeOf(all)), [
      "readDeclared",
      "writeDeclared",
      "netDeclared",
      "runDeclared",
      "envDeclared",
    ]);
    // By the permissions, and not because something is missing.
    assert.deepEqual(new Set(Object.values(outcomeOf(none))), new Set(["refused"]));
  } finally {
    near!.close();
    other!.close();
    for (const name of variables) Deno.env.delete(name);
  }
});

Deno.test("what may be read while a file loads is given up before its criteria run", async () => {
  const check = (root: string) =>
    probing(
      {
        oracleAgain: `Deno.readTextFileSync("${root}/tests/oracle.txt")`,
        file: `Deno.readTextFileSync("${root}/app/in.txt")`,
        askBack:
          `if ((await Deno.permissions.request({ name: "read", path: "${root}/tests" })).state !== "granted") throw new Error("no")`,
      },
      `if (Deno.readTextFileSync("${root}/tests/oracle.txt") !== "oracle") throw new Error("no");`,
    );
  await using bench = new Bench("");
  Deno.writeTextFileSync(`${bench.roots.tests}/check.ts`, check(bench.root));
  Deno.writeTextFileSync(`${bench.roots.workspace}/in.txt`, "");
  const [declared, byDefault] = await Promise.all([
    bench.run({ needs: [{ read: "in.txt" }] }),
    bench.run({ needs: [], readsByDefault: true }),
  ]);
  assert.deepEqual(allowedOf(outcomeOf(declared)), ["file"]);
  assert.deepEqual(allowedOf(outcomeOf(byDefault)), ["oracleAgain", "file", "askBack"]);
});

/** Listens to a Worker; waits for what it says or for its loss. */
class Ear implements WorkerListener {
  readonly #heard = Promise.withResolvers<FromWorker | { lost: string; isAlone: boolean }>();
  readonly heard = this.#heard.promise;

  onMessage(message: FromWorker): void {
    this.#heard.resolve(message);
  }

  onLost(lost: string, isAlone: boolean): void {
    this.#heard.resolve({ lost, isAlone });
  }
}

const COUNTING = `
  import * as rk from "@rewardkit/cli";
  console.log("hello from the check file");
  rk.fileExists("a.txt");
  rk.criterion(function passes() { return true; });
`;

Deno.test("a cell loads a check file, passes on what it prints, and ends when it is killed", async () => {
  await using bench = new Bench(COUNTING);
  const cell = bench.start(bench.collecting.permissions);
  const ear = new Ear();
  const worker = cell.open(bench.collecting, ear);
  worker.post({ type: "collect", file: bench.url });
  const collected = await ear.heard;
  assert.ok("type" in collected && collected.type === "collected", JSON.stringify(collected));
  assert.deepEqual(collected.declarations.map(({ name }) => name), ["file_exists:a.txt", "passes"]);
  assert.equal(worker.cell, cell);

  const second = new Ear();
  cell.open({ entry: "builtins", permissions: noPermissions() }, second);
  cell.kill("was enough");
  assert.deepEqual(await second.heard, { lost: "was enough", isAlone: false });
  await cell.ended;
  assert.equal(cell.isLost, true);
  assert.match(bench.output, /hello from the check file/);

  const late = new Ear();
  cell.open({ entry: "builtins", permissions: noPermissions() }, late);
  assert.deepEqual(await late.heard, { lost: "was enough", isAlone: false });
});

Deno.test("the first Worker of a cell is for whoever asks for just that one", async () => {
  await using bench = new Bench(COUNTING);
  const { permissions } = bench.collecting;
  const cell = bench.start(permissions, bench.collecting);
  const ears = [new Ear(), new Ear(), new Ear()] as const;
  // Another Worker has its own permissions, and not those of the first.
  cell.open({ entry: "author", permissions: noPermissions() }, ears[0])
    .post({ type: "collect", file: bench.url });
  const refused = await ears[0].heard;
  assert.ok("type" in refused && refused.type === "rejected", JSON.stringify(refused));
  const workers = [cell.open(bench.collecting, ears[1]), cell.open(bench.collecting, ears[2])];
  for (const worker of workers) worker.post({ type: "collect", file: bench.url });
  for (const ear of ears.slice(1)) {
    const collected = await ear.heard;
    assert.ok("type" in collected && collected.type === "collected", JSON.stringify(collected));
    assert.equal(collected.declarations.length, 2);
  }
});

Deno.test("the socket of a cell is gone once the cell has connected", async () => {
  await using bench = new Bench(COUNTING);
  const cell = bench.start(bench.collecting.permissions);
  const ear = new Ear();
  cell.open(bench.collecting, ear).post({ type: "collect", file: bench.url });
  await ear.heard;
  assert.deepEqual([...Deno.readDirSync(`${bench.root}/private`)], []);
});

Deno.test("a static import of a file beyond the Worker's reach is refused", async () => {
  await using bench = new Bench("");
  Deno.writeTextFileSync(`${bench.root}/outside.ts`, "export const secret = 1;");
  Deno.writeTextFileSync(
    `${bench.roots.tests}/check.ts`,
    `import { secret } from "../outside.ts"; console.log(secret);`,
  );
  const { permissions } = bench.collecting;
  const ear = new Ear();
  bench.start(permissions).open(bench.collecting, ear)
    .post({ type: "collect", file: bench.url });
  const answer = await ear.heard;
  assert.ok("type" in answer && answer.type === "rejected", JSON.stringify(answer));
  assert.match(answer.problem.message, /read access|import/);
});

Deno.test("a cell whose Worker needs too much memory says so, and names the only suspect", async () => {
  await using bench = new Bench(`
    import * as rk from "@rewardkit/cli";
    rk.criterion({ read: [] }, function probe() {
      const hoard = [];
      while (true) hoard.push({ more: [hoard.length] });
    });
  `);
  assert.deepEqual(await bench.run({ needs: [] }, 60), {
    lost: "ran out of memory",
    isLoading: false,
    isGuilty: true,
  });
});

Deno.test("who killed a cell is not known: its only criterion is not blamed for it yet", async () => {
  await using bench = new Bench(`
    import * as rk from "@rewardkit/cli";
    rk.criterion({ read: [] }, function probe() {
      Deno.kill(Deno.pid, "SIGKILL");
      while (true);
    });
  `);
  assert.deepEqual(await bench.run({ needs: [] }), {
    lost: "ended its process with code 137",
    isLoading: false,
    isGuilty: false,
  });
});

Deno.test("a busy Worker is ended by its time limit", async () => {
  await using bench = new Bench(`
    import * as rk from "@rewardkit/cli";
    rk.criterion({ read: [] }, function probe() { while (true); });
  `);
  assert.deepEqual(await bench.run({ needs: [] }, 0.3), {
    lost: "took longer than 0.3 s",
    isLoading: false,
    isGuilty: true,
  });
});
