// What `rewardkit list` prints.

/** A built-in criterion as an author calls it. */
export interface BuiltinSignature {
  /** The function, such as `fileContains`. */
  name: string;
  /** Its name in results, such as `file_contains`. */
  criterion: string;
  /** Its TypeScript type; type names are those that Reward Kit exports. */
  signature: string;
  /** One sentence. */
  summary: string;
  /** Options of its own. */
  options: readonly SignedOption[];
}

/** A key of the object that a criterion takes last; each may be left out. */
export interface SignedOption {
  name: string;
  /** Its TypeScript type. */
  type: string;
  /** One sentence. */
  summary: string;
}

/** Every criterion with its signature, what it is for and its options, a line each. */
export function builtinList(
  signatures: readonly BuiltinSignature[],
  common: readonly SignedOption[],
): string {
  return [
    ...signatures.map(({ name, signature, summary, options }) =>
      [`${name}${signature.replace(/ => void$/, "")}`, `  ${summary}`, ...options.map(option)]
        .join("\n")
    ),
    ["Every criterion takes, in the same object:", ...common.map(option)].join("\n"),
  ].join("\n\n");
}

function option({ name, type, summary }: SignedOption): string {
  return `    ${name}?: ${type}  ${summary}`;
}
