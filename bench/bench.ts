// Measures Reward Kit beside the least that could be done and beside the original.
//
//   deno task bench [--large] [--quick] [--only=<name>] [--json]

import { parseArgs } from "node:util";
import { type Figure, isMet, jsonOf, tableOf } from "./figures.ts";
import { BenchError, Interrupted } from "./program.ts";
import type { Section } from "./section.ts";
import { bundled } from "./sections/bundle.ts";
import { commands } from "./sections/commands.ts";
import { criteria } from "./sections/criteria.ts";
import { files } from "./sections/files.ts";
import { judges } from "./sections/judges.ts";
import { large } from "./sections/large.ts";
import { startup } from "./sections/startup.ts";
import { findOriginal } from "./tools.ts";

const USUAL: readonly Section[] = [startup, bundled, files, criteria, commands, judges];

/** From this load average on, figures say more about the machine than about the tools. */
const BUSY = 0.5;

const HELP = `Usage: deno task bench [flags]

  --large        measure large inputs instead; fails when one takes more than 1 GiB
  --quick        fewer and smaller runs
  --only=<name>  one part only; may be repeated: ${names(USUAL)};
                 of the large inputs: ${names(large)}
  --json         print figures as JSON
  --help         this text

bench/setup_original.sh installs the original, to be measured too.`;

interface Flags {
  sections: readonly Section[];
  isQuick: boolean;
  isJson: boolean;
}

async function main(): Promise<number> {
  const flags = parseFlags();
  if (flags === null) return 0;
  if (typeof flags === "string") {
    console.error(`error: ${flags}`);
    return 2;
  }
  const { isQuick, isJson } = flags;
  const original = await findOriginal();
  if (original === null) warn("the original is not measured: run bench/setup_original.sh first");
  const load = Deno.loadavg()[0]!;
  console.error(`load average ${load.toFixed(2)}, Deno ${Deno.version.deno}`);
  if (load > BUSY) warn(`the machine is busy (load average above ${BUSY}): trust ratios only`);

  const figures: Figure[] = [];
  let isFailed = false;
  const temporary = await Deno.realPath(await Deno.makeTempDir({ prefix: "rewardkit-bench-" }));
  try {
    for (const { name, run } of flags.sections) {
      console.error(`measuring ${name} …`);
      const folder = `${temporary}/${name}`;
      await Deno.mkdir(folder);
      const report = (figure: Omit<Figure, "section">) =>
        figures.push({ section: name, ...figure });
      try {
        await run({ folder, original, isQuick, report, warn });
      } catch (error) {
        if (!(error instanceof BenchError)) throw error;
        console.error(`error: ${name}: ${error.message}`);
        isFailed = true;
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    }
  } catch (error) {
    if (error instanceof Interrupted) return 130;
    throw error;
  } finally {
    await Deno.remove(temporary, { recursive: true });
    await forgetCompiled(temporary);
  }
  if (isJson) console.log(jsonOf(figures));
  else if (figures.length > 0) console.log(tableOf(figures));
  return isFailed || figures.some(isTooLarge) ? 1 : 0;
}

/** The flags; a text says what is wrong with them, `null` that the help was all there is to do. */
function parseFlags(): Flags | string | null {
  const boolean = { type: "boolean", default: false } as const;
  const options = {
    large: boolean,
    quick: boolean,
    json: boolean,
    help: boolean,
    only: { type: "string", multiple: true },
  } as const;
  let values;
  try {
    values = parseArgs({ args: Deno.args, options }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return error.message;
  }
  if (values.help) {
    console.log(HELP);
    return null;
  }
  const all = [...USUAL, ...large];
  const { only } = values;
  const unknown = only?.find((name) => !all.some((section) => section.name === name));
  if (unknown !== undefined) {
    return `--only is "${unknown}", expected one of ${names(all)}`;
  }
  const sections = only !== undefined
    ? all.filter(({ name }) => only.includes(name))
    : values.large
    ? large
    : USUAL;
  return { sections, isQuick: values.quick, isJson: values.json };
}

function names(sections: readonly Section[]): string {
  return sections.map(({ name }) => name).join(", ");
}

/** Memory of a large input is the one target that the bench insists on: it does not depend on load. */
function isTooLarge(figure: Figure): boolean {
  return large.some(({ name }) => name === figure.section) && isMet(figure) === false;
}

/** Deno keeps what it has compiled from the temporary check files, for nobody. */
async function forgetCompiled(temporary: string): Promise<void> {
  const info = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  const { typescriptCache } = JSON.parse(new TextDecoder().decode(info.stdout));
  await Deno.remove(`${typescriptCache}/file${temporary}`, { recursive: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
}

function warn(message: string): void {
  console.error(`warning: ${message}`);
}

if (import.meta.main) Deno.exit(await main());
