// `rewardkit init`: writes a first tests folder, and never over anything.

import { UsageError } from "../errors.ts";
import { CHECKS_FILE, type StarterFile, starterFiles } from "./starter_files.ts";

/** What became of the files of a new tests folder; paths as a person would type them. */
export interface Started {
  written: string[];
  /** Not touched, as they or others that score under their name were there before. */
  kept: string[];
}

/** Models, by the variable that holds their key. */
const JUDGES: readonly [string, string][] = [
  ["ANTHROPIC_API_KEY", "anthropic/claude-opus-5-5"],
  ["CLAUDE_CODE_OAUTH_TOKEN", "anthropic/claude-opus-5-5"],
  ["OPENAI_API_KEY", "openai/gpt-5"],
];

/**
 * Writes a check file, a judge, `reward.toml` and `test.sh` into a folder, which is made if it is not
 * there. What is there stays as it is.
 *
 * @param environment In which a judge's key is looked for.
 * @throws {UsageError} If the folder cannot be made or written to.
 */
export async function startTestsFolder(
  testsDir: string,
  environment: Readonly<Record<string, string>>,
): Promise<Started> {
  try {
    await Deno.mkdir(testsDir, { recursive: true });
    const names = [...Deno.readDirSync(testsDir)].map(({ name }) => name);
    const judge = JUDGES.find(([key]) => environment[key])?.[1] ?? null;
    const facts = { judge, hasChecks: !isTaken(CHECKS_FILE, names) };
    const started: Started = { written: [], kept: [] };
    for (const file of starterFiles(facts)) {
      const path = `${testsDir.replace(/\/+$/, "")}/${file.name}`;
      const isWritten = !isTaken(file.name, names) && await write(path, file);
      (isWritten ? started.written : started.kept).push(path);
    }
    return started;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new UsageError(`Cannot write a tests folder at ${testsDir}: ${error.message}`, {
      hint: "Name another folder: rewardkit init FOLDER",
      cause: error,
    });
  }
}

/** Two files, or a file and a folder, of one stem would have scores of one name. */
function isTaken(name: string, names: readonly string[]): boolean {
  const stem = stemOf(name);
  return names.some((other) => other === name || name !== "test.sh" && stemOf(other) === stem);
}

function stemOf(name: string): string {
  return name.replace(/\.(?:ts|mts|js|mjs|toml)$/, "");
}

async function write(path: string, { text, isProgram }: StarterFile): Promise<boolean> {
  try {
    // Also true of a link that leads nowhere: nothing is written through it.
    await Deno.writeTextFile(path, text, { createNew: true });
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return false;
    throw error;
  }
  if (isProgram) await Deno.chmod(path, 0o755);
  return true;
}
