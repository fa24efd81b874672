// The command line alone: loads less than `mod.ts`.

import { main } from "./src/cli/main.ts";

// Nothing awaits at the top: what is loaded later may import what lies beside this in a bundle.
if (import.meta.main) main(Deno.args).then(Deno.exit);
