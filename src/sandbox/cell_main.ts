// Entry of a cell: a process that hosts Workers and hands messages to and fro, nothing else.

import { parentOf } from "../path.ts";
import { Channel } from "./channel.ts";
import type { FromCell, FromWorker, ToCell, WorkerEntry } from "./protocol.ts";

const [socket, author, first] = Deno.args;

const ENTRIES: Record<WorkerEntry, string> = {
  builtins: new URL("./builtins_worker.ts", import.meta.url).href,
  author: author === "stranger"
    ? new URL("./stranger_worker.ts", import.meta.url).href
    : new URL("./author_worker.ts", import.meta.url).href,
};

/** Asks for a Worker. The first may come as an argument, before there is a channel. */
type OpenMessage = Extract<ToCell, { type: "open" }>;

async function main(): Promise<void> {
  const coordinator = Deno.ppid;
  const connecting = Deno.connect({ transport: "unix", path: socket! });
  const started = Promise.withResolvers<Channel>();
  const send = (message: FromCell) => void started.promise.then((it) => it.send(message));
  const workers = new Map<number, Worker>();
  const open = (message: OpenMessage) => workers.set(message.worker, openWorker(message, send));
  // Making a Worker takes this thread as long as the coordinator takes to answer.
  if (first !== undefined) open(JSON.parse(first));
  const connection = await connecting;
  const messages = new Channel(connection).receive() as AsyncGenerator<ToCell>;
  const start = (await messages.next()).value as ToCell | undefined;
  if (start?.type !== "start") return;
  started.resolve(new Channel(connection, start.token));
  for await (const message of messages) {
    if (message.type === "open") open(message);
    else if (message.type === "post") {
      workers.get(message.worker)?.postMessage(message.message);
    } else if (message.type === "close") {
      workers.get(message.worker)?.terminate();
      workers.delete(message.worker);
    }
  }
  if (await isGone(coordinator)) await removeQuietly(parentOf(socket!));
}

/** Whether the coordinator was killed, so that it cannot clean up after itself. */
async function isGone(coordinator: number): Promise<boolean> {
  // The system closes what a process had open a moment before it gives its children away.
  for (let time = 0; time < 20 && Deno.ppid === coordinator; time++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return Deno.ppid !== coordinator;
}

async function removeQuietly(folder: string): Promise<void> {
  try {
    await Deno.remove(folder, { recursive: true });
  } catch {
    // Another cell of the run, or its guardian, is at it as well.
  }
}

function openWorker(
  { worker, entry, permissions }: OpenMessage,
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

// The coordinator is gone or done then; a busy Worker would keep the process alive.
main().then(() => Deno.exit(0));
