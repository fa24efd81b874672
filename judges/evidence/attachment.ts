// What a judge is shown of one file.

import type { ImageType } from "../model.ts";

/** One file that a judge's author named, or that lies in a folder or behind a glob so named. */
export interface Attachment {
  /** As the author wrote it; in a folder, the folder as written and the path below it. */
  label: string;
  /** Bytes on disk; 0 where nothing could be read. */
  size: number;
  content:
    | { type: "text"; text: string }
    | { type: "image"; mediaType: ImageType; bytes: Uint8Array }
    /** Nothing of it is shown; `reason` says why, in the prompt and in a warning. */
    | { type: "none"; reason: string };
  /** Something about how it is shown: that bytes were replaced, or a part left out. */
  note?: string;
}
