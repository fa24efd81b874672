// What a criterion needs from the machine, as its check file declares it.

/**
 * One thing that a criterion needs. Paths are as the author wrote them: relative ones start at the
 * workspace. `true` means everything of that kind.
 */
export type Need =
  | { read: string | true }
  | { write: string | true }
  | { net: string | true }
  | { run: string | true }
  | { env: string | true };
