import assert from "node:assert/strict";
import type { Declaration } from "../criterion/declaration.ts";
import { BuiltinPack, packBuiltins } from "./builtin_pack.ts";
import type { FileToGrade } from "./grade.ts";
import type { Session } from "./session.ts";

function file(id: string, builtins: number, customs = 0): FileToGrade {
  const declaration = (kind: Declaration["kind"], index: number): Declaration => ({
    index,
    kind,
    criterion: "c",
    name: "c",
    description: "",
    weight: 1,
    isolated: false,
    needs: [],
  });
  return {
    id,
    url: `file:///tests/${id}`,
    declarations: [
      ...Array.from({ length: builtins }, (_, index) => declaration("builtin", index)),
      ...Array.from({ length: customs }, (_, index) => declaration("custom", builtins + index)),
    ],
  };
}

/** A session that answers at once with the number of its call. */
class FakeSession {
  isLost = false;
  isClosed = false;
  readonly calls: number[] = [];

  run(index: number): Promise<{ result: string; warnings: string[] }> {
    this.calls.push(index);
    return Promise.resolve({ result: String(index), warnings: [] });
  }

  close(): void {
    this.isClosed = true;
  }
}

const CHECK = { criterion: "c", args: "[]" };

Deno.test("up to eight files have a pack each", () => {
  const files = Array.from({ length: 8 }, (_, n) => file(`${n}.ts`, 2));
  assert.equal(new Set(packBuiltins(files, false).values()).size, 8);
});

Deno.test("more files share packs, which stay small; a large file has one of its own", () => {
  const files = Array.from({ length: 30 }, (_, n) => file(`${n}.ts`, n === 7 ? 500 : 10, 3));
  const packs = packBuiltins(files, false);
  const distinct = new Set(packs.values());
  assert.equal(packs.size, 30);
  assert.ok(distinct.size < 10);
  for (const pack of distinct) {
    const users = [...packs.values()].filter((other) => other === pack).length;
    assert.ok(users === 1 || pack.declarations.length <= 60);
    assert.ok(pack.declarations.every(({ kind }) => kind === "builtin"));
  }
  assert.equal(packs.get("7.ts")!.declarations.length, 500);
});

Deno.test("a pack opens one Worker, tells its calls apart, and closes it after the last", async () => {
  const pack = new BuiltinPack();
  pack.declarations.push(...file("a.ts", 2).declarations, ...file("b.ts", 1).declarations);
  const sessions: FakeSession[] = [];
  const open = () => {
    sessions.push(new FakeSession());
    return sessions.at(-1) as unknown as Session;
  };
  for (let call = 0; call < 3; call++) {
    await pack.run(open, CHECK, 1);
    assert.equal(sessions[0]!.isClosed, false);
    pack.done();
  }
  assert.equal(sessions.length, 1);
  assert.deepEqual(sessions[0]!.calls, [0, 1, 2]);
  assert.equal(sessions[0]!.isClosed, true);
});

Deno.test("a pack whose Worker was lost opens another", async () => {
  const pack = new BuiltinPack();
  pack.declarations.push(...file("a.ts", 2).declarations);
  const sessions: FakeSession[] = [];
  const open = () => {
    sessions.push(new FakeSession());
    return sessions.at(-1) as unknown as Session;
  };
  await pack.run(open, CHECK, 1);
  sessions[0]!.isLost = true;
  await pack.run(open, CHECK, 1);
  assert.equal(sessions.length, 2);
});
