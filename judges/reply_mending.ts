// Makes JSON of what is nearly JSON.

import { jsonrepair } from "jsonrepair";

/** The text as JSON, or `null` if that is beyond repair. */
export function mend(text: string): string | null {
  try {
    return jsonrepair(text);
  } catch {
    return null;
  }
}
