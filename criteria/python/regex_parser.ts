// Reads a Python 3.12 regular expression into a syntax tree, and refuses what Python refuses.

import { isFlag, NO_FLAGS, parseFlagChange, parseFlags } from "./regex_flags.ts";
import {
  category,
  escapedCodePoint,
  numericEscape,
  parseSet,
  type PatternError,
  type Scanner,
} from "./regex_scanner.ts";
import { type Flags, type Group, type Node, type Repeat, width } from "./regex_syntax.ts";

/** A pattern that Python would compile. */
export interface ParsedPattern {
  root: Node;
  /** For messages about the pattern as a whole. */
  scanner: Scanner;
}

/**
 * Reads a pattern of Python's `re` for text.
 *
 * @throws {PatternError} If Python would not compile it; names the construct and its position.
 */
export function parsePattern(scanner: Scanner): ParsedPattern {
  return { root: new Parser(scanner).parse(), scanner };
}

const MAX_REPEAT = 4294967295;
const NAME_REGEXP = /^[_\p{XIDS}]\p{XIDC}*$/u;

class Parser {
  readonly #scanner: Scanner;
  readonly #groups: Group[] = [];
  readonly #names = new Map<string, Group>();
  /** Conditions name groups that may come later: number and where it was written. */
  readonly #conditions = new Map<number, number>();
  /** Groups that are older than the lookbehind that is being read. */
  #lookbehindGroups: number | undefined;

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
  }

  parse(): Node {
    const global = this.#globalFlags();
    const root = this.#alternatives(global);
    if (this.#scanner.peek() !== "") {
      throw this.#scanner.error("a closing parenthesis has no opening one");
    }
    for (const [number, at] of this.#conditions) {
      if (number > this.#groups.length) throw this.#noGroup(number, at);
    }
    return root;
  }

  /** `(?im)` and the like, which Python allows at the very start only. */
  #globalFlags(): Flags {
    let flags = NO_FLAGS;
    let letters = "";
    while (true) {
      if (flags.verbose) this.#scanner.skipSpaceAndComments();
      const start = this.#scanner.at;
      if (this.#scanner.take("(?") && isFlag(this.#scanner.peek())) {
        const change = parseFlagChange(this.#scanner);
        if (change.global) {
          letters += change.on;
          // Checks all letters so far against each other.
          flags = { ...NO_FLAGS, ...parseFlags(this.#scanner, letters, true, start) };
          continue;
        }
      }
      this.#scanner.at = start;
      if (!this.#scanner.take("(?#")) return flags;
      this.#scanner.skipComment(start);
    }
  }

  #alternatives(flags: Flags): Node {
    const branches = [this.#sequence(flags)];
    while (this.#scanner.take("|")) branches.push(this.#sequence(flags));
    return branches.length === 1 ? branches[0]! : { type: "branch", branches };
  }

  #sequence(flags: Flags): Node {
    const items: Node[] = [];
    while (true) {
      if (flags.verbose) this.#scanner.skipSpaceAndComments();
      const next = this.#scanner.peek();
      if (next === "" || next === "|" || next === ")") return { type: "sequence", items };
      const repetition = this.#repetition();
      if (repetition !== undefined) {
        items.push(this.#repeat(items.pop(), repetition));
        continue;
      }
      const item = this.#item(flags);
      if (item !== undefined) items.push(item);
    }
  }

  /** One item; nothing for a comment. */
  #item(flags: Flags): Node | undefined {
    const character = this.#scanner.next();
    switch (character) {
      case "(":
        return this.#group(flags);
      case "[":
        return { type: "set", ...parseSet(this.#scanner), flags };
      case ".":
        return { type: "any", flags };
      case "^":
      case "$":
        return { type: "at", anchor: character, flags };
      case "\\":
        return this.#escape(flags);
      default:
        return literal(character.codePointAt(0)!, flags);
    }
  }

  #escape(flags: Flags): Node {
    const start = this.#scanner.at - 1;
    const letter = this.#scanner.peek();
    if (letter === "A" || letter === "Z" || letter === "b" || letter === "B") {
      this.#scanner.next();
      return { type: "at", anchor: letter, flags };
    }
    const known = category(letter);
    if (known !== undefined) {
      this.#scanner.next();
      return { type: "set", items: [known], negated: false, flags };
    }
    const numeric = numericEscape(this.#scanner);
    if (numeric === undefined) return literal(escapedCodePoint(this.#scanner), flags);
    if ("codePoint" in numeric) return literal(numeric.codePoint, flags);
    return this.#reference(this.#groups[numeric.group - 1], `${numeric.group}`, flags, start);
  }

  #reference(group: Group | undefined, shown: string, flags: Flags, at: number): Node {
    if (group === undefined) throw this.#noGroup(shown, at);
    if (group.body === undefined) {
      throw this.#scanner.error(`group ${shown} is referred to inside itself`, at);
    }
    this.#checkLookbehind(group.number, at);
    return { type: "reference", group, flags };
  }

  #checkLookbehind(number: number, at: number): void {
    if (this.#lookbehindGroups === undefined) return;
    if (this.#groups[number - 1]?.body === undefined) {
      throw this.#scanner.error(`group ${number} is not complete here`, at);
    }
    if (number > this.#lookbehindGroups) {
      throw this.#scanner.error(
        `group ${number} is referred to in the lookbehind that defines it`,
        at,
      );
    }
  }

  #noGroup(shown: string | number, at: number): PatternError {
    return this.#scanner.error(`there is no group ${shown}`, at);
  }

  /** Everything that starts with a parenthesis; the scanner stands behind it. */
  #group(flags: Flags): Node | undefined {
    const start = this.#scanner.at - 1;
    if (!this.#scanner.take("?")) return this.#capture(flags, start);
    const kind = this.#scanner.next();
    switch (kind) {
      case "P":
        return this.#pythonGroup(flags, start);
      case ":":
        return this.#close({ type: "plain", body: this.#alternatives(flags) }, start);
      case ">":
        return this.#close({ type: "atomic", body: this.#alternatives(flags) }, start);
      case "#":
        this.#scanner.skipComment(start);
        return undefined;
      case "=":
      case "!":
        return this.#look(flags, false, kind === "!", start);
      case "<":
        if (this.#scanner.take("=")) return this.#look(flags, true, false, start);
        if (this.#scanner.take("!")) return this.#look(flags, true, true, start);
        throw this.#scanner.error('there is no group "(?<", a named one is "(?P<name>"', start);
      case "(":
        return this.#conditional(flags, start);
    }
    if (!isFlag(kind)) throw this.#scanner.error(`there is no group "(?${kind}"`, start);
    this.#scanner.at--;
    const change = parseFlagChange(this.#scanner);
    if (change.global) {
      throw this.#scanner.error("flags for all of it stand at its very start only", start);
    }
    const body = this.#alternatives({ ...flags, ...change.flags });
    return this.#close({ type: "plain", body }, start);
  }

  #pythonGroup(flags: Flags, start: number): Node {
    if (this.#scanner.take("<")) {
      const name = this.#name(">", start);
      if (this.#names.has(name)) {
        throw this.#scanner.error(`there are two groups named "${name}"`, start);
      }
      return this.#capture(flags, start, name);
    }
    if (this.#scanner.take("=")) {
      const name = this.#name(")", start);
      return this.#reference(this.#names.get(name), `"${name}"`, flags, start);
    }
    throw this.#scanner.error(`there is no group "(?P${this.#scanner.peek()}"`, start);
  }

  #name(end: string, start: number): string {
    const name = this.#scanner.until(end, "a group name");
    this.#checkName(name, start);
    return name;
  }

  #checkName(name: string, start: number): void {
    if (!NAME_REGEXP.test(name)) {
      throw this.#scanner.error(`${JSON.stringify(name)} is no name of a group`, start);
    }
  }

  #capture(flags: Flags, start: number, name?: string): Node {
    const group: Group = { number: this.#groups.length + 1 };
    this.#groups.push(group);
    if (name !== undefined) this.#names.set(name, group);
    const body = this.#alternatives(flags);
    const node = this.#close({ type: "capture", group, body }, start);
    group.body = body;
    return node;
  }

  #look(flags: Flags, behind: boolean, negated: boolean, start: number): Node {
    const outer = this.#lookbehindGroups;
    if (behind && outer === undefined) this.#lookbehindGroups = this.#groups.length;
    const body = this.#alternatives(flags);
    this.#lookbehindGroups = outer;
    if (behind) {
      const { min, max } = width(body);
      if (min !== max) {
        throw this.#scanner.error("a lookbehind has to match texts of one length only", start);
      }
    }
    return this.#close({ type: "look", behind, negated, body }, start);
  }

  #conditional(flags: Flags, start: number): Node {
    const shown = this.#scanner.until(")", "a condition");
    let group: number;
    if (/^[0-9]+$/.test(shown)) {
      group = Number(shown);
      if (group === 0) throw this.#noGroup(0, start);
      if (!this.#conditions.has(group)) this.#conditions.set(group, start);
    } else {
      this.#checkName(shown, start);
      const named = this.#names.get(shown);
      if (named === undefined) throw this.#noGroup(`"${shown}"`, start);
      group = named.number;
    }
    this.#checkLookbehind(group, start);
    const yes = this.#sequence(flags);
    const no = this.#scanner.take("|") ? this.#sequence(flags) : undefined;
    if (this.#scanner.peek() === "|") {
      throw this.#scanner.error("a conditional group has two branches at most");
    }
    return this.#close({ type: "conditional", group, yes, no }, start);
  }

  #close<T extends Node>(node: T, start: number): T {
    if (!this.#scanner.take(")")) {
      throw this.#scanner.error("a group lacks its closing parenthesis", start);
    }
    return node;
  }

  /** `?`, `*`, `+`, `{m,n}` with what makes it lazy or possessive. A brace can be a character. */
  #repetition(): Omit<Repeat, "type" | "body"> | undefined {
    const start = this.#scanner.at;
    const bounds = this.#bounds();
    if (bounds === undefined) {
      this.#scanner.at = start;
      return undefined;
    }
    if (bounds.max < bounds.min) {
      throw this.#scanner.error("a repetition has its larger bound first", start);
    }
    const mode = this.#scanner.take("?")
      ? "lazy"
      : this.#scanner.take("+")
      ? "possessive"
      : "greedy";
    return { ...bounds, mode };
  }

  #bounds(): { min: number; max: number } | undefined {
    if (this.#scanner.take("?")) return { min: 0, max: 1 };
    if (this.#scanner.take("*")) return { min: 0, max: Infinity };
    if (this.#scanner.take("+")) return { min: 1, max: Infinity };
    if (!this.#scanner.take("{") || this.#scanner.peek() === "}") return undefined;
    const least = this.#scanner.takeWhile(/^[0-9]$/);
    const most = this.#scanner.take(",") ? this.#scanner.takeWhile(/^[0-9]$/) : least;
    if (!this.#scanner.take("}")) return undefined;
    if (Number(least) >= MAX_REPEAT || Number(most) >= MAX_REPEAT) {
      throw this.#scanner.error("a repetition is too large");
    }
    return { min: Number(least), max: most === "" ? Infinity : Number(most) };
  }

  #repeat(body: Node | undefined, repetition: Omit<Repeat, "type" | "body">): Node {
    if (body === undefined || body.type === "at") {
      throw this.#scanner.error("there is nothing to repeat", this.#scanner.at - 1);
    }
    if (body.type === "repeat") {
      throw this.#scanner.error("a repetition is repeated", this.#scanner.at - 1);
    }
    return { type: "repeat", body, ...repetition };
  }
}

/** A single character is a set of one. */
function literal(codePoint: number, flags: Flags): Node {
  return { type: "set", items: [{ from: codePoint, to: codePoint }], negated: false, flags };
}
