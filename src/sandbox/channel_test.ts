import assert from "node:assert/strict";
import { SandboxError } from "../errors.ts";
import { Channel } from "./channel.ts";

/** Two ends of a real Unix socket. */
async function connected(work: (near: Deno.Conn, far: Deno.Conn) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "rewardkit-test-" });
  const path = `${folder}/socket`;
  const listener = Deno.listen({ transport: "unix", path });
  const [near, far] = await Promise.all([
    Deno.connect({ transport: "unix", path }),
    listener.accept(),
  ]);
  try {
    await work(near, far);
  } finally {
    for (const closable of [near, far, listener]) {
      try {
        closable.close();
      } catch {
        // The test has closed it.
      }
    }
    await Deno.remove(folder, { recursive: true });
  }
}

async function write(connection: Deno.Conn, text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
}

const pause = (ms = 5) => new Promise((resolve) => setTimeout(resolve, ms));

async function all(messages: AsyncIterable<unknown>): Promise<unknown[]> {
  const received: unknown[] = [];
  for await (const message of messages) received.push(message);
  return received;
}

async function refuses(sent: string, token: string, message: RegExp): Promise<void> {
  await connected(async (near, far) => {
    const receiving = all(new Channel(near).receive(token));
    const refused = assert.rejects(receiving, (error: Error) => {
      assert.match(error.message, message);
      return error instanceof SandboxError;
    });
    await write(far, sent);
    far.close();
    await refused;
  });
}

Deno.test("a message without its token, or that is no JSON, is refused", async () => {
  await refuses('{"a":1}\n', "secret", /^A message came without its token$/);
  await refuses('secre{"a":1}\n', "secret", /without its token/);
  await refuses('SECRET{"a":1}\n', "secret", /without its token/);
  await refuses("\n", "secret", /without its token/);
  await refuses("secret\n", "secret", /^A message is no JSON$/);
  await refuses("{a:1}\n", "", /is no JSON/);
  await refuses("\n", "", /is no JSON/);
  await refuses('1\n{"a":1}{"b":2}\n', "", /is no JSON/);
});

Deno.test("what came before a bad message has been received", async () => {
  await connected(async (near, far) => {
    await write(far, "t1\nt2\nx3\nt4\n");
    far.close();
    const received: unknown[] = [];
    await assert.rejects(async () => {
      for await (const message of new Channel(near).receive("t")) received.push(message);
    }, SandboxError);
    assert.deepEqual(received, [1, 2]);
  });
});

Deno.test("messages arrive whole and in order, however they are split or joined", async () => {
  await connected(async (near, far) => {
    const receiving = all(new Channel(near).receive("t"));
    await write(far, 't1\nt"two"\nt{"thr');
    await pause();
    await write(far, 'ee":3}');
    await pause();
    await write(far, '\nt"');
    // In the middle of a character.
    const euro = new TextEncoder().encode("€");
    await far.write(euro.subarray(0, 1));
    await pause();
    await far.write(euro.subarray(1));
    await write(far, '\\n"\n');
    far.close();
    assert.deepEqual(await receiving, [1, "two", { three: 3 }, "€\n"]);
  });
});

Deno.test("large messages and many small ones pass both ways at once", async () => {
  await connected(async (near, far) => {
    const large = { text: "ä\n".repeat(500_000) };
    const small = Array.from({ length: 5000 }, (_, n) => ({ n }));
    const [one, other] = [new Channel(near, "a"), new Channel(far, "b")];
    const arrived = async (messages: AsyncIterable<unknown>, count: number) => {
      const received: unknown[] = [];
      for await (const message of messages) {
        if (received.push(message) === count) return received;
      }
      return received;
    };
    for (const channel of [one, other]) {
      channel.send(large);
      for (const message of small) channel.send(message);
      channel.send(large);
    }
    const [atFar, atNear] = await Promise.all([
      arrived(other.receive("a"), small.length + 2),
      arrived(one.receive("b"), small.length + 2),
    ]);
    assert.deepEqual(atFar, [large, ...small, large]);
    assert.deepEqual(atNear, atFar);
  });
});

Deno.test("the messages end when the other end closes, a broken one is dropped", async () => {
  await connected(async (near, far) => {
    const receiving = all(new Channel(near).receive());
    await write(far, '1\n{"half":');
    far.close();
    assert.deepEqual(await receiving, [1]);
  });
});

Deno.test("the messages end when this end is closed, and closing twice is nothing", async () => {
  await connected(async (near) => {
    const channel = new Channel(near);
    const receiving = all(channel.receive());
    await pause();
    channel.close();
    channel.close();
    assert.deepEqual(await receiving, []);
  });
});

Deno.test("sending to an end that is gone is no error: the answer will be missing", async () => {
  await connected(async (near, far) => {
    const channel = new Channel(near);
    far.close();
    for (let n = 0; n < 100; n++) channel.send({ n });
    await pause(20);
    assert.deepEqual(await all(channel.receive()), []);
  });
});

Deno.test("a message without end is refused at 256 MiB", async () => {
  let sent = 0;
  // No socket: what counts is when the reader has had enough.
  const endless = {
    read(buffer: Uint8Array): Promise<number> {
      sent += buffer.length;
      buffer.fill(0x78);
      return Promise.resolve(buffer.length);
    },
  } as unknown as Deno.Conn;
  await assert.rejects(
    all(new Channel(endless).receive()),
    /^SandboxError: A message is too long$/,
  );
  assert.ok(sent > 2 ** 28 && sent <= 2 ** 28 + 2 ** 17, `${sent} bytes`);
});
