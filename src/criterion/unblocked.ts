// Opens files for a thread that nothing can interrupt: the coordinator's.

import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import type { OpenFile } from "./reader.ts";

/** Opens a file for reading; a FIFO, too, is opened at once, whether anybody writes to it or not. */
export function openUnblocked(path: string): OpenFile {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  return {
    statSync() {
      const stats = fstatSync(fd);
      return {
        isFile: stats.isFile(),
        isDirectory: stats.isDirectory(),
        isFifo: stats.isFIFO(),
        isSocket: stats.isSocket(),
        size: stats.size,
        ino: stats.ino,
        dev: stats.dev,
      };
    },
    // At the end Node says 0, and Deno says nothing.
    readSync: (bytes) => bytes.length === 0 ? 0 : readSync(fd, bytes) || null,
    close: () => closeSync(fd),
  };
}
