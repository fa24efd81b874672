import assert from "node:assert/strict";
import type { Cell } from "./cell.ts";
import type { WorkerListener, WorkerRequest } from "./cell_worker.ts";
import { noPermissions } from "./permissions.ts";
import type { FromWorker, Problem, ToWorker } from "./protocol.ts";
import { type Ended, type Lost, type ProgramRequest, Session } from "./session.ts";

/** What a session sees of a cell; the test speaks for the Worker. */
class FakeCell {
  readonly running = new Set<unknown>();
  readonly posted: ToWorker[] = [];
  readonly kills: string[] = [];
  listener!: WorkerListener;
  isClosed = false;

  open({ setting }: WorkerRequest, listener: WorkerListener) {
    this.listener = listener;
    this.posted.push({ type: "prepare", setting: setting! });
    return {
      cell: this,
      post: (message: ToWorker) => this.posted.push(message),
      close: () => this.isClosed = true,
    };
  }

  kill(reason = "was ended", isBlamed = true): void {
    this.kills.push(reason);
    this.listener.onLost(reason, !isBlamed && this.running.size === 1);
  }

  say(message: FromWorker): void {
    this.listener.onMessage(message);
  }
}

interface Talk {
  cell: FakeCell;
  session: Session;
  programs: ProgramRequest[];
}

function talk(entry: "author" | "builtins" = "author", loadTimeoutSec = 30): Talk {
  const cell = new FakeCell();
  const programs: ProgramRequest[] = [];
  const session = new Session(cell as unknown as Cell, {
    entry,
    permissions: noPermissions(),
    setting: { workspace: "/app", maxFileBytes: 1, revoke: [] },
    criteria: ["a", "b"],
    loadTimeoutSec,
    onProgram: (request) => programs.push(request),
  });
  return { cell, session, programs };
}

const PREPARED: FromWorker = { type: "prepared", criteria: ["a", "b"] };
const PROBLEM: Problem = { fault: "check", message: "no" };

const scored = (index: number): FromWorker => ({
  type: "scored",
  index,
  result: `${index}`,
  warnings: ["w"],
});

/** Starts criteria and waits until each is being computed. */
async function started(
  { cell, session }: Talk,
  ...indices: number[]
): Promise<Promise<Ended | Lost>[]> {
  const running = indices.map((index) => session.run(index, undefined, 10));
  cell.say(PREPARED);
  await Promise.resolve();
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.equal(cell.running.size, indices.length);
  return running;
}

Deno.test("a Worker is prepared first, and runs when it says that it is", async () => {
  const { cell, session } = talk();
  assert.deepEqual(cell.posted.map(({ type }) => type), ["prepare"]);
  const running = session.run(1, { criterion: "a", args: "[]" }, 10);
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.equal(cell.posted.length, 1);
  cell.say(PREPARED);
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.deepEqual(cell.posted[1], {
    type: "run",
    index: 1,
    check: { criterion: "a", args: "[]" },
  });
  cell.say(scored(1));
  assert.deepEqual(await running, { result: "1", warnings: ["w"] });
  assert.equal(cell.running.size, 0);
  assert.deepEqual(cell.kills, []);
});

Deno.test("a Worker of built-ins is asked at once, but its time runs from when it is prepared", async () => {
  const check = { criterion: "a", args: "[]" };
  const { cell, session } = talk("builtins");
  const running = [session.run(0, check, 0.02), session.run(1, check, 10)];
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual(cell.posted.map(({ type }) => type), ["prepare", "all"]);
  assert.deepEqual(cell.kills, []);
  // What ends the cell meanwhile is not their doing.
  assert.equal(cell.running.size, 0);
  cell.say({ type: "prepared", criteria: [] });
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.equal(cell.running.size, 2);
  cell.say(scored(1));
  assert.deepEqual(await running[1], { result: "1", warnings: ["w"] });
  assert.deepEqual(await running[0], {
    lost: "took longer than 0.02 s",
    isLoading: false,
    isGuilty: true,
  });
});

Deno.test("a built-in whose Worker is lost before it is prepared is not to blame", async () => {
  const { cell, session } = talk("builtins");
  const running = session.run(0, { criterion: "a", args: "[]" }, 10);
  cell.listener.onLost("was killed", true);
  assert.deepEqual(await running, { lost: "was killed", isLoading: true, isGuilty: false });
  assert.equal(cell.running.size, 0);
});

Deno.test("an answer that comes with the word that a Worker is prepared is the result", async () => {
  const { cell, session } = talk("builtins");
  const running = session.run(0, { criterion: "a", args: "[]" }, 0.02);
  await Promise.resolve();
  cell.say({ type: "prepared", criteria: [] });
  cell.say(scored(0));
  assert.deepEqual(await running, { result: "0", warnings: ["w"] });
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(cell.running.size, 0);
  assert.deepEqual(cell.kills, []);
});

Deno.test("results reach those who wait for them, in whatever order they come", async () => {
  const talking = talk();
  const [first, second] = await started(talking, 0, 1);
  talking.cell.say({ type: "failed", index: 1, problem: PROBLEM, warnings: [] });
  talking.cell.say(scored(0));
  assert.deepEqual(await first, { result: "0", warnings: ["w"] });
  assert.deepEqual(await second, { problem: PROBLEM, warnings: [] });
});

Deno.test("a file that declares other criteria than before is refused", async () => {
  for (const criteria of [[], ["a"], ["a", "b", "c"], ["b", "a"], ["a", "x"]]) {
    const { cell, session } = talk();
    const running = session.run(0, undefined, 10);
    cell.say({ type: "prepared", criteria });
    const ended = await running;
    assert.ok("problem" in ended);
    assert.match(ended.problem!.message, /declared other criteria when it was loaded again/);
    assert.equal(ended.problem!.fault, "check");
    assert.equal(cell.posted.length, 1);
  }
  const { cell, session } = talk("builtins");
  const running = session.run(0, undefined, 10);
  cell.say({ type: "prepared", criteria: [] });
  await new Promise((resolve) => setTimeout(resolve, 0));
  cell.say(scored(0));
  assert.deepEqual(await running, { result: "0", warnings: ["w"] });
});

Deno.test("a file that cannot be loaded again fails each of its criteria", async () => {
  const { cell, session } = talk();
  const running = [session.run(0, undefined, 10), session.run(1, undefined, 10)];
  cell.say({ type: "rejected", problem: PROBLEM });
  const expected = { problem: PROBLEM, warnings: [] };
  assert.deepEqual(await Promise.all(running), [expected, expected]);
  assert.deepEqual(await session.run(0, undefined, 10), expected);
});

Deno.test("what the protocol does not allow at that moment ends the cell", async () => {
  const breaches: [FromWorker, string][] = [
    [scored(5), "a result that nobody waits for"],
    [{ type: "failed", index: 5, problem: PROBLEM, warnings: [] }, "a failure of another"],
    [{ type: "program", call: 0, index: 5, argv: ["ls"], options: {} }, "another's program"],
    [{ type: "collected", declarations: [], warnings: [] }, "declarations while running"],
  ];
  for (const [message, what] of breaches) {
    const talking = talk();
    const [running] = await started(talking, 0);
    talking.cell.say(message);
    assert.deepEqual(talking.cell.kills, ["sent what its protocol does not allow"], what);
    assert.deepEqual(await running, {
      lost: "sent what its protocol does not allow",
      isLoading: false,
      isGuilty: true,
    });
    assert.deepEqual(talking.programs, []);
    assert.equal(talking.session.isLost, true);
  }
});

Deno.test("a second result of one criterion is a breach, and does not change the first", async () => {
  const talking = talk();
  const [running] = await started(talking, 0);
  talking.cell.say(scored(0));
  talking.cell.say({ type: "scored", index: 0, result: "100", warnings: [] });
  assert.deepEqual(await running, { result: "0", warnings: ["w"] });
  assert.equal(talking.cell.kills.length, 1);
});

Deno.test("a program is asked for on behalf of a criterion that runs, and answered", async () => {
  const talking = talk();
  const [running] = await started(talking, 0);
  const request: FromWorker = { type: "program", call: 3, index: 0, argv: ["ls"], options: {} };
  talking.cell.say(request);
  assert.deepEqual(talking.programs, [request]);
  talking.session.answer({ type: "program", call: 3, problem: PROBLEM });
  assert.deepEqual(talking.cell.posted.at(-1), { type: "program", call: 3, problem: PROBLEM });
  talking.cell.say(scored(0));
  await running;
});

Deno.test("a Worker that is lost takes its criteria along; alone, it is to blame", async () => {
  const alone = talk();
  const [only] = await started(alone, 0);
  alone.cell.listener.onLost("died", true);
  assert.deepEqual(await only, { lost: "died", isLoading: false, isGuilty: true });

  const several = talk();
  const both = await started(several, 0, 1);
  several.cell.listener.onLost("died", false);
  const lost = { lost: "died", isLoading: false, isGuilty: false };
  assert.deepEqual(await Promise.all(both), [lost, lost]);
  // The first reason is the true one.
  several.cell.listener.onLost("was ended", true);
  assert.deepEqual(await several.session.run(0, undefined, 10), lost);
});

Deno.test("a Worker that is lost while it loads is told apart", async () => {
  const { cell, session } = talk();
  const running = session.run(0, undefined, 10);
  cell.listener.onLost("died", true);
  assert.deepEqual(await running, { lost: "died", isLoading: true, isGuilty: false });
});

Deno.test("a Worker that exits is closed: to blame if nothing else ran in it", async () => {
  for (const indices of [[0], [0, 1]]) {
    const talking = talk();
    const running = await started(talking, ...indices);
    talking.cell.say({ type: "exiting", how: "Deno.exit()" });
    for (const ended of await Promise.all(running)) {
      assert.deepEqual(ended, {
        lost: "called Deno.exit()",
        isLoading: false,
        isGuilty: indices.length === 1,
      });
    }
    assert.equal(talking.cell.isClosed, true);
    assert.deepEqual(talking.cell.kills, []);
  }
});

Deno.test("a criterion that takes too long ends the cell; others in it are not to blame", async () => {
  const { cell, session } = talk();
  const slow = session.run(0, undefined, 0.02);
  const other = session.run(1, undefined, 10);
  cell.say(PREPARED);
  assert.deepEqual(await slow, {
    lost: "took longer than 0.02 s",
    isLoading: false,
    isGuilty: false,
  });
  assert.deepEqual(await other, {
    lost: "took longer than 0.02 s",
    isLoading: false,
    isGuilty: false,
  });
  assert.equal(cell.kills.length, 1);
});

Deno.test("a file that takes too long to load ends the cell", async () => {
  const { cell, session } = talk("author", 0.02);
  const ended = await session.run(0, undefined, 10);
  assert.deepEqual(ended, { lost: "took over 0.02 s to load", isLoading: true, isGuilty: false });
  assert.equal(cell.kills.length, 1);
});

Deno.test("a session that is closed closes its Worker and is lost", () => {
  const { cell, session } = talk();
  assert.equal(session.isLost, false);
  session.close();
  assert.equal(session.isLost, true);
  assert.equal(cell.isClosed, true);
});
