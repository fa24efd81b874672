import assert from "node:assert/strict";
import type { FromWorker } from "./protocol.ts";
import { Spare } from "./spare.ts";

const PREPARED: FromWorker = { type: "prepared", criteria: ["a"] };
const EXITING: FromWorker = { type: "exiting", how: "close()" };

class Owner {
  readonly heard: FromWorker[] = [];
  readonly lost: string[] = [];
  onMessage(message: FromWorker): void {
    this.heard.push(message);
  }
  onLost(reason: string): void {
    this.lost.push(reason);
  }
}

Deno.test("a spare keeps what was said until it has an owner, and then passes everything on", async () => {
  const spare = new Spare();
  const owner = new Owner();
  spare.onMessage(PREPARED);
  spare.handTo(owner);
  assert.deepEqual(owner.heard, [], "not before the owner is ready");
  await Promise.resolve();
  assert.deepEqual(owner.heard, [PREPARED]);
  spare.onMessage(EXITING);
  spare.onLost("killed", true);
  assert.deepEqual(owner.heard, [PREPARED, EXITING]);
  assert.deepEqual(owner.lost, ["killed"]);
});

Deno.test("a spare that was lost before it had an owner says so", async () => {
  const spare = new Spare();
  const owner = new Owner();
  spare.onLost("killed", false);
  spare.handTo(owner);
  await Promise.resolve();
  assert.deepEqual(owner.lost, ["killed"]);
});
