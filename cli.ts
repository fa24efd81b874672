// The command line alone: loads less than `mod.ts`.

import { main } from "./src/cli/main.ts";

if (import.meta.main) Deno.exit(await main(Deno.args));
