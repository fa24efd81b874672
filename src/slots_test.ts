import assert from "node:assert/strict";
import { Slots } from "./slots.ts";

/** Starts jobs in slots; each runs until its turn to end comes. Returns the most at one time. */
async function mostAtOnce(slots: Slots, jobs: number): Promise<{ most: number; order: number[] }> {
  let running = 0;
  let most = 0;
  const order: number[] = [];
  await Promise.all(
    Array.from({ length: jobs }, (_, job) =>
      slots.use(async () => {
        most = Math.max(most, ++running);
        order.push(job);
        await Promise.resolve();
        await Promise.resolve();
        running--;
      })),
  );
  return { most, order };
}

Deno.test("no more jobs than slots run at once, first come first served", async () => {
  for (const count of [1, 2, 3, 7]) {
    const { most, order } = await mostAtOnce(new Slots(count), 20);
    assert.equal(most, count);
    assert.deepEqual(order, Array.from({ length: 20 }, (_, job) => job));
  }
});

Deno.test("0 slots are without limit", async () => {
  assert.equal((await mostAtOnce(new Slots(0), 50)).most, 50);
});

Deno.test("a job that throws gives its slot back and its error on", async () => {
  const slots = new Slots(1);
  await assert.rejects(slots.use(() => Promise.reject(new Error("no"))), /no/);
  await assert.rejects(
    slots.use(() => {
      throw new Error("at once");
    }),
    /at once/,
  );
  assert.equal(await slots.use(() => Promise.resolve(7)), 7);
});

Deno.test("a slot that is handed on is never free for two", async () => {
  const slots = new Slots(1);
  await slots.acquire();
  const second = slots.acquire();
  slots.release();
  let isThird = false;
  const third = slots.acquire().then(() => isThird = true);
  await second;
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(isThird, false);
  slots.release();
  await third;
});
