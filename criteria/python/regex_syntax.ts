// The syntax tree of a Python regular expression, and what can be said of it without matching.

/** Flags in force at a node. */
export interface Flags {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  readonly verbose: boolean;
  readonly ascii: boolean;
}

/** `d` digit, `s` white space, `w` word character. */
export type Category = { category: "d" | "s" | "w"; negated: boolean };

/** A member of a set: an inclusive range of code points, or a category. */
export type SetItem = { from: number; to: number } | Category;

/** A capturing group is closed once it is read to its end; only then it can be referred to. */
export interface Group {
  readonly number: number;
  body?: Node;
}

export type Repeat = {
  type: "repeat";
  body: Node;
  min: number;
  max: number;
  mode: "greedy" | "lazy" | "possessive";
};

export type Node =
  | { type: "set"; items: readonly SetItem[]; negated: boolean; flags: Flags }
  | { type: "any"; flags: Flags }
  | { type: "at"; anchor: "^" | "$" | "A" | "Z" | "b" | "B"; flags: Flags }
  | { type: "sequence"; items: readonly Node[] }
  | { type: "branch"; branches: readonly Node[] }
  | { type: "capture"; group: Group; body: Node }
  /** A group that does not capture; repeating it is always allowed. */
  | { type: "plain"; body: Node }
  | { type: "atomic"; body: Node }
  | { type: "look"; behind: boolean; negated: boolean; body: Node }
  | { type: "reference"; group: Group; flags: Flags }
  | { type: "conditional"; group: number; yes: Node; no?: Node }
  | Repeat;

/** The fewest and the most code points that a node matches. */
export function width(node: Node): { min: number; max: number } {
  switch (node.type) {
    case "set":
    case "any":
      return { min: 1, max: 1 };
    case "at":
    case "look":
      return { min: 0, max: 0 };
    case "sequence": {
      const widths = node.items.map(width);
      return {
        min: widths.reduce((sum, { min }) => sum + min, 0),
        max: widths.reduce((sum, { max }) => sum + max, 0),
      };
    }
    case "branch":
      return either(node.branches.map(width));
    case "conditional":
      return either([width(node.yes), node.no ? width(node.no) : { min: 0, max: 0 }]);
    case "repeat": {
      const { min, max } = width(node.body);
      return { min: min * node.min, max: max === 0 || node.max === 0 ? 0 : max * node.max };
    }
    case "reference":
      return node.group.body ? width(node.group.body) : { min: 0, max: Infinity };
    default:
      return width(node.body);
  }
}

function either(widths: { min: number; max: number }[]): { min: number; max: number } {
  return {
    min: Math.min(...widths.map(({ min }) => min)),
    max: Math.max(...widths.map(({ max }) => max)),
  };
}

/** The nodes directly below a node. */
export function children(node: Node): readonly Node[] {
  switch (node.type) {
    case "sequence":
      return node.items;
    case "branch":
      return node.branches;
    case "conditional":
      return node.no ? [node.yes, node.no] : [node.yes];
    case "set":
    case "any":
    case "at":
    case "reference":
      return [];
    default:
      return [node.body];
  }
}
