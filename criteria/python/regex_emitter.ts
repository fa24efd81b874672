// Writes the syntax tree of a Python regular expression as a JavaScript one (for the `v` flag).

import { casedCodePoints, caseVariants } from "./regex_case.ts";
import type { ParsedPattern } from "./regex_parser.ts";
import {
  children,
  type Flags,
  type Node,
  type Repeat,
  type SetItem,
  width,
} from "./regex_syntax.ts";

/**
 * JavaScript source that matches where the Python pattern does. Its groups are numbered in its own
 * way: only whether and where it matches is kept.
 *
 * @throws {PatternError} If something cannot be said in JavaScript; names it.
 */
export function emitPattern(parsed: ParsedPattern): string {
  return new Emitter(parsed).emitAll();
}

/** How a Python group is found again in the JavaScript pattern. */
interface Emitted {
  number: number;
  /** Two groups of which one is set and not empty whenever this one is set, if it can be empty. */
  markers?: readonly [number, number];
}

/** What a repetition does to the groups in it. */
interface Loop {
  node: Repeat;
  groups: ReadonlySet<number>;
  /** Groups that each pass sets; absent while the body is being written. */
  setByPass?: ReadonlySet<number>;
}

class Emitter {
  readonly #parsed: ParsedPattern;
  readonly #referenced = new Set<number>();
  readonly #emitted = new Map<number, Emitted>();
  readonly #loops: Loop[] = [];
  #count = 0;
  /** Python groups that are set on every way to where the writing is. */
  #definite: ReadonlySet<number> = new Set();

  constructor(parsed: ParsedPattern) {
    this.#parsed = parsed;
    this.#collectReferences(parsed.root);
  }

  #collectReferences(node: Node): void {
    if (node.type === "reference") this.#referenced.add(node.group.number);
    if (node.type === "conditional") this.#referenced.add(node.group);
    for (const child of children(node)) this.#collectReferences(child);
  }

  emitAll(): string {
    // The engine also looks for the empty text in the middle of a surrogate pair; a reference, even
    // to nothing, does not match there.
    const guard = width(this.#parsed.root).min === 0 ? `()\\${++this.#count}` : "";
    return `${guard}(?:${this.emit(this.#parsed.root)})`;
  }

  emit(node: Node): string {
    switch (node.type) {
      case "set":
        return emitSet(node.items, node.negated, node.flags);
      case "any":
        return node.flags.dotAll ? "[^]" : "[^\\n]";
      case "at":
        return emitAnchor(node.anchor, node.flags);
      case "sequence":
        return node.items.map((item) => this.emit(item)).join("");
      case "branch":
        return `(?:${
          this.#branches(node.branches.map((branch) => () => this.emit(branch))).join("|")
        })`;
      case "plain":
        return `(?:${this.emit(node.body)})`;
      case "capture":
        return this.#capture(node);
      case "atomic":
        return this.#atomic(() => this.emit(node.body));
      case "look":
        return this.#look(node);
      case "repeat":
        return this.#repeat(node);
      case "reference":
        return this.#reference(node.group.number, node.flags);
      case "conditional":
        return this.#conditional(node);
    }
  }

  /** Ways that exclude each other: set afterwards is what all of them set. */
  #branches(ways: readonly (() => string)[]): string[] {
    const before = this.#definite;
    const afters: ReadonlySet<number>[] = [];
    const texts = ways.map((way) => {
      this.#definite = before;
      const text = way();
      afters.push(this.#definite);
      return text;
    });
    this.#definite = afters.reduce((common, after) => common.intersection(after));
    return texts;
  }

  #capture(node: Node & { type: "capture" }): string {
    const { number } = node.group;
    if (!this.#referenced.has(number)) return `(?:${this.emit(node.body)})`;
    const emitted: Emitted = { number: ++this.#count };
    const body = this.emit(node.body);
    let marker = "";
    if (width(node.body).min === 0) {
      const markers = [++this.#count, ++this.#count] as const;
      emitted.markers = markers;
      marker = "(?:(?=([^]))|(?<=([^]))|)";
    }
    this.#emitted.set(number, emitted);
    this.#definite = new Set([...this.#definite, number]);
    return `(${body})${marker}`;
  }

  /** A lookahead gives nothing back once it has matched; the reference then moves past the match. */
  #atomic(body: () => string): string {
    const number = ++this.#count;
    return `(?:(?=(${body()}))\\${number})`;
  }

  /**
   * JavaScript matches a lookbehind backwards, with other captures than Python, which steps back by
   * the width and matches forwards. So that is what is written.
   */
  #look({ behind, negated, body }: Node & { type: "look" }): string {
    const before = this.#definite;
    const text = this.emit(body);
    if (negated) this.#definite = before;
    const back = behind ? width(body).min : 0;
    if (back === 0) return `(?${negated ? "!" : "="}${text})`;
    return `(?<${negated ? "!" : "="}(?=${text})[^]{${back}})`;
  }

  #repeat(node: Repeat): string {
    const loop: Loop | undefined = node.max > 1 ? { node, groups: groupsIn(node.body) } : undefined;
    if (loop !== undefined) this.#loops.push(loop);
    const before = this.#definite;
    const write = () => {
      const body = this.emit(node.body);
      // JavaScript skips an optional pass that matches nothing, and so the captures in it.
      if (node.min === 0 && node.max === 1 && width(node.body).min === 0) {
        return node.mode === "lazy" ? `(?:|${body})` : `(?:${body}|)`;
      }
      const single = node.body.type === "set" || node.body.type === "any";
      return (single ? body : `(?:${body})`) + quantifier(node);
    };
    const text = node.mode === "possessive" ? this.#atomic(write) : write();
    if (loop !== undefined) loop.setByPass = this.#definite;
    if (node.min === 0) this.#definite = before;
    return text;
  }

  #reference(group: number, flags: Flags): string {
    const emitted = this.#lookUp(group);
    // Python: a group that is not set matches nothing, not even the empty text.
    if (emitted === undefined) return "[]";
    const same = flags.ignoreCase ? `(?i:\\${emitted.number})` : `(?:\\${emitted.number})`;
    return this.#definite.has(group) ? same : isSet(emitted, true) + same;
  }

  #conditional({ group, yes, no }: Node & { type: "conditional" }): string {
    const emitted = this.#lookUp(group);
    const writeNo = () => no === undefined ? "" : this.emit(no);
    if (emitted === undefined) return `(?:${writeNo()})`;
    if (this.#definite.has(group)) return `(?:${this.emit(yes)})`;
    const ways = this.#branches([
      () => {
        this.#definite = new Set([...this.#definite, group]);
        return isSet(emitted, true) + this.emit(yes);
      },
      () => isSet(emitted, false) + writeNo(),
    ]);
    return `(?:${ways.join("|")})`;
  }

  /**
   * Where a group is captured, or nothing if it cannot be set here. A group inside a repetition
   * keeps its last capture in Python, while JavaScript forgets it when the next pass begins: where
   * that could be told apart, the pattern is refused.
   */
  #lookUp(group: number): Emitted | undefined {
    for (const loop of this.#loops) {
      if (!loop.groups.has(group)) continue;
      const outside = loop.setByPass !== undefined;
      if (
        !(loop.setByPass ?? this.#definite).has(group) ||
        outside && width(loop.node.body).min === 0
      ) {
        throw this.#parsed.scanner.untranslatable(
          `a reference to group ${group}, which stands in a repetition that may pass it by`,
          0,
        );
      }
    }
    return this.#emitted.get(group);
  }
}

/**
 * Whether a group is set. JavaScript lets a reference to an unset group match the empty text, so
 * the question is asked at the end of the text, where a reference to a capture that is not empty
 * cannot match.
 */
function isSet({ number, markers }: Emitted, wanted: boolean): string {
  const captured = (markers ?? [number]).map((each) => `(?:\\${each})`).join("");
  return `(?${wanted ? "=" : "!"}[^]*?$(?!${captured}))`;
}

function groupsIn(node: Node): Set<number> {
  const groups = new Set<number>();
  const visit = (each: Node) => {
    if (each.type === "capture") groups.add(each.group.number);
    children(each).forEach(visit);
  };
  visit(node);
  return groups;
}

function quantifier({ min, max, mode }: Repeat): string {
  const bounds = max === min ? `{${min}}` : `{${min},${max === Infinity ? "" : max}}`;
  const short = { "{0,}": "*", "{1,}": "+", "{0,1}": "?" }[bounds] ?? bounds;
  return mode === "lazy" ? `${short}?` : short;
}

function emitAnchor(anchor: string, flags: Flags): string {
  const word = `[${WORD[flags.ascii ? "ascii" : "unicode"]}]`;
  switch (anchor) {
    case "A":
      return "^";
    case "Z":
      return "$";
    case "^":
      return flags.multiline ? "(?<![^\\n])" : "^";
    case "$":
      return flags.multiline ? "(?![^\\n])" : "(?=\\n?$)";
    case "b":
      return `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`;
    default:
      // Up to Python 3.13, \B does not match the empty text.
      return `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word})(?:(?<=[^])|(?=[^])))`;
  }
}

const WORD = { unicode: "\\p{L}\\p{N}_", ascii: "A-Za-z0-9_" } as const;
const DIGIT = { unicode: "\\p{Nd}", ascii: "0-9" } as const;
const SPACE = {
  unicode: "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000",
  ascii: "\\t-\\r\\x20",
} as const;

function emitSet(items: readonly SetItem[], negated: boolean, flags: Flags): string {
  const script = flags.ascii ? "ascii" : "unicode";
  const parts = items.map((item) => {
    if (!("category" in item)) return emitRange(item.from, item.to);
    const members = { d: DIGIT, s: SPACE, w: WORD }[item.category][script];
    return item.negated ? `[^${members}]` : members;
  });
  if (flags.ignoreCase) {
    for (const variant of variantsOf(items, flags.ascii)) parts.push(emitRange(variant, variant));
  }
  const [only] = items;
  const isLiteral = parts.length === 1 && !negated && only !== undefined && "from" in only &&
    only.from === only.to;
  return isLiteral ? parts[0]! : `[${negated ? "^" : ""}${parts.join("")}]`;
}

/** What ignoring case adds to a set. */
function variantsOf(items: readonly SetItem[], ascii: boolean): Set<number> {
  const ranges = items.filter((item) => "from" in item);
  const variants = new Set<number>();
  const isMember = (point: number) => ranges.some(({ from, to }) => from <= point && point <= to);
  const add = (point: number) => {
    for (const variant of caseVariants(point, ascii)) {
      if (!isMember(variant)) variants.add(variant);
    }
  };
  if (ranges.every(({ from, to }) => from === to)) { for (const { from } of ranges) add(from); }
  else for (const point of casedCodePoints(ascii)) if (isMember(point)) add(point);
  return variants;
}

function emitRange(from: number, to: number): string {
  return from === to ? emitCodePoint(from) : `${emitCodePoint(from)}-${emitCodePoint(to)}`;
}

/** Letters and digits as they are; everything else might mean something. */
function emitCodePoint(codePoint: number): string {
  const character = String.fromCodePoint(codePoint);
  return /^[A-Za-z0-9]$/.test(character) ? character : `\\u{${codePoint.toString(16)}}`;
}
