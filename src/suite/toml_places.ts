// Where the keys and tables of a TOML file stand: the parser gives their values alone.

/** Keys and indices from the top of the file, such as `["criterion", 0, "name"]`. */
export type TomlPath = readonly (string | number)[];

/** Line and column, both from 1. */
export interface TomlPlace {
  line: number;
  column: number;
}

/** Deeper keys are nobody's; a hostile file would make their paths long. */
const MAX_DEPTH = 8;

/**
 * Finds every key and table of a file that has been parsed without a problem.
 *
 * @returns By the path as JSON.
 */
export function placesInToml(text: string): ReadonlyMap<string, TomlPlace> {
  return new Scanner(text).scan();
}

const BARE_KEY_REGEXP = /[A-Za-z0-9_-]+/y;
const SPACE_REGEXP = /(?:[ \t\r\n]|#[^\n]*)*/y;
const QUOTED_REGEXP =
  /"""(?:\\[^]|[^"\\]|"{1,2}(?!"))*"{3,5}|'''[^]*?'{3,5}|"(?:\\.|[^"\\])*"|'[^']*'/y;
const SCALAR_REGEXP = /[^,\]}#\n]+/y;

class Scanner {
  readonly #places = new Map<string, TomlPlace>();
  /** How many tables each list has so far, by the list's path. */
  readonly #lists = new Map<string, number>();
  /** Offsets of the starts of lines. */
  readonly #lines: number[] = [0];
  #at = 0;

  constructor(readonly text: string) {
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
      this.#lines.push(at + 1);
    }
  }

  scan(): ReadonlyMap<string, TomlPlace> {
    let table: TomlPath = [];
    for (this.#skip(SPACE_REGEXP); this.#at < this.text.length; this.#skip(SPACE_REGEXP)) {
      const before = this.#at;
      if (this.text[this.#at] === "[") table = this.#header();
      else this.#pair(table);
      // What is no TOML has been refused; should it get here, it must not hang.
      if (this.#at === before) this.#at++;
    }
    return this.#places;
  }

  #header(): TomlPath {
    const start = this.#at;
    const isList = this.text.startsWith("[[", start);
    this.#at += isList ? 2 : 1;
    let path: TomlPath = [];
    const keys = this.#keys();
    keys.forEach(({ key }, index) => {
      path = [...path, key].slice(0, MAX_DEPTH);
      const isLast = index === keys.length - 1;
      const id = JSON.stringify(path);
      if (isLast && isList) this.#lists.set(id, (this.#lists.get(id) ?? 0) + 1);
      this.#remember(path, start);
      const count = this.#lists.get(id);
      if (count !== undefined) path = [...path, count - 1].slice(0, MAX_DEPTH);
      this.#remember(path, start);
    });
    this.#at += isList ? 2 : 1;
    return path;
  }

  #pair(table: TomlPath): void {
    let path = table;
    for (const { key, at } of this.#keys()) {
      path = [...path, key].slice(0, MAX_DEPTH);
      this.#remember(path, at);
    }
    this.#skip(SPACE_REGEXP);
    if (this.text[this.#at] === "=") this.#at++;
    this.#skip(SPACE_REGEXP);
    this.#value(path);
  }

  #keys(): { key: string; at: number }[] {
    const keys: { key: string; at: number }[] = [];
    while (true) {
      this.#skip(SPACE_REGEXP);
      const at = this.#at;
      const quoted = this.#skip(QUOTED_REGEXP);
      const bare = quoted === "" ? this.#skip(BARE_KEY_REGEXP) : "";
      keys.push({ key: quoted === "" ? bare : unquoted(quoted), at });
      const end = this.#at;
      this.#skip(SPACE_REGEXP);
      if (this.text[this.#at] !== ".") {
        this.#at = end;
        this.#skipBlanks();
        return keys;
      }
      this.#at++;
    }
  }

  #value(path: TomlPath): void {
    const first = this.text[this.#at];
    if (first === "[") this.#list(path);
    else if (first === "{") this.#inlineTable(path);
    else if (this.#skip(QUOTED_REGEXP) === "") this.#skip(SCALAR_REGEXP);
  }

  #list(path: TomlPath): void {
    this.#at++;
    for (let index = 0; this.#at < this.text.length; index++) {
      this.#skip(SPACE_REGEXP);
      if (this.text[this.#at] === "]") break;
      const before = this.#at;
      const inner = [...path, index].slice(0, MAX_DEPTH);
      if (this.text[this.#at] === "{") this.#remember(inner, this.#at);
      this.#value(inner);
      this.#skip(SPACE_REGEXP);
      if (this.text[this.#at] === ",") this.#at++;
      if (this.#at === before) this.#at++;
    }
    this.#at++;
  }

  #inlineTable(path: TomlPath): void {
    this.#at++;
    while (this.#at < this.text.length) {
      this.#skip(SPACE_REGEXP);
      if (this.text[this.#at] === "}") break;
      const before = this.#at;
      this.#pair(path);
      this.#skip(SPACE_REGEXP);
      if (this.text[this.#at] === ",") this.#at++;
      if (this.#at === before) this.#at++;
    }
    this.#at++;
  }

  /** The first one counts: later ones are parts of it. */
  #remember(path: TomlPath, offset: number): void {
    const id = JSON.stringify(path);
    if (!this.#places.has(id)) this.#places.set(id, this.#placeAt(offset));
  }

  #placeAt(offset: number): TomlPlace {
    let [low, high] = [0, this.#lines.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#lines[middle]! <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - this.#lines[low]! + 1 };
  }

  #skip(regexp: RegExp): string {
    regexp.lastIndex = this.#at;
    const found = regexp.exec(this.text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  #skipBlanks(): void {
    while (this.text[this.#at] === " " || this.text[this.#at] === "\t") this.#at++;
  }
}

function unquoted(text: string): string {
  if (text.startsWith("'")) return text.slice(1, -1);
  return text.slice(1, -1).replace(
    /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|(.))/g,
    (whole, short, long, byte, letter) => {
      const digits = short ?? long ?? byte;
      if (digits !== undefined) return String.fromCodePoint(parseInt(digits, 16));
      return ESCAPES[letter] ?? whole[1]!;
    },
  );
}

const ESCAPES: Readonly<Record<string, string>> = {
  b: "\b",
  t: "\t",
  n: "\n",
  f: "\f",
  r: "\r",
  e: "\x1b",
};
