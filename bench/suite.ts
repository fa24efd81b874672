// Tests folders of built-in criteria, written for both tools from one description.

/** A value that is spelled alike, or nearly so, in both languages. */
export type Literal = string | number | boolean;

/** A call of a built-in criterion. */
export interface Call {
  /** As in JSON: `file_contains`. */
  criterion: string;
  args: readonly Literal[];
  isIsolated?: boolean;
}

/** The check files of a tests folder. */
export type Suite = readonly (readonly Call[])[];

/** A language that check files are written in. */
export interface Language {
  extension: string;
  /** First line of a check file. */
  heading: string;
  call(call: Call): string;
}

export const TYPESCRIPT: Language = {
  extension: "ts",
  heading: `import * as rk from "@rewardkit/cli";`,
  call({ criterion, args, isIsolated }) {
    const name = criterion.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const values = args.map((value) => JSON.stringify(value));
    if (isIsolated) values.push("{ isolated: true }");
    return `rk.${name}(${values.join(", ")});`;
  },
};

export const PYTHON: Language = {
  extension: "py",
  heading: "import rewardkit as rk",
  call({ criterion, args, isIsolated }) {
    const values = args.map(pythonLiteral);
    if (isIsolated) values.push("isolated=True");
    return `rk.${criterion}(${values.join(", ")})`;
  },
};

/** Text is ASCII without `/` escapes here, for which JSON and Python agree. */
function pythonLiteral(value: Literal): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  return JSON.stringify(value);
}

/** Writes a tests folder. */
export async function writeSuite(folder: string, suite: Suite, language: Language): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  for (const [index, calls] of suite.entries()) {
    const lines = [language.heading, ...calls.map((call) => language.call(call))];
    const name = `check_${String(index + 1).padStart(4, "0")}.${language.extension}`;
    await Deno.writeTextFile(`${folder}/${name}`, `${lines.join("\n")}\n`);
  }
}

/** Short for a call without options. */
export function call(criterion: string, ...args: Literal[]): Call {
  return { criterion, args };
}
