// Entry of a cell: a process that hosts Workers and hands messages to and fro, nothing else.

import { Channel } from "./channel.ts";
import type { FromCell, FromWorker, ToCell, WorkerEntry } from "./protocol.ts";

const ENTRIES: Record<WorkerEntry, string> = {
  builtins: new URL("./builtins_worker.ts", import.meta.url).href,
  author: new URL("./author_worker.ts", import.meta.url).href,
};

async function main(): Promise<void> {
  const connection = await Deno.connect({ transport: "unix", path: Deno.args[0]! });
  const messages = new Channel(connection).receive() as AsyncGenerator<ToCell>;
  const start = (await messages.next()).value as ToCell | undefined;
  if (start?.type !== "start") return;
  const channel = new Channel(connection, start.token);
  const send = (message: FromCell) => channel.send(message);
  const workers = new Map<number, Worker>();
  for await (const message of messages) {
    if (message.type === "open") {
      workers.set(message.worker, openWorker(message, send));
    } else if (message.type === "post") {
      workers.get(message.worker)?.postMessage(message.message);
    } else if (message.type === "close") {
      workers.get(message.worker)?.terminate();
      workers.delete(message.worker);
    }
  }
}

function openWorker(
  { worker, entry, permissions }: Extract<ToCell, { type: "open" }>,
  send: (message: FromCell) => void,
): Worker {
  // `deno` is an option that the types of the web platform do not know.
  const options = { type: "module", deno: { permissions } } as WorkerOptions;
  const opened = new Worker(ENTRIES[entry], options);
  opened.onmessage = ({ data }: MessageEvent<FromWorker>) =>
    send({ type: "message", worker, message: data });
  opened.onmessageerror = () => send({ type: "broken", worker, reason: "an unreadable message" });
  opened.onerror = (event) => {
    event.preventDefault();
    send({ type: "broken", worker, reason: event.message });
  };
  return opened;
}

await main();
// The coordinator is gone or done; a busy Worker would keep the process alive.
Deno.exit(0);
