// What a run cannot end.

import assert from "node:assert/strict";
import { machine } from "./machine.ts";

const CHECKS = `import * as rk from "@rewardkit/cli";
rk.commandSucceeds("../other --reuid 0 --clear-groups sleep 60.5 >/dev/null 2>&1 &");`;

Deno.test({
  name: "what belongs to another user and does not end could change the reward: there is none",
  ignore: Deno.uid() !== 0,
  fn: async () => {
    await using place = await machine({ "checks.ts": CHECKS }, {});
    // As a program like sudo does: the ordinary user may start it, and not kill it.
    const program = `${place.root}/other`;
    await Deno.copyFile("/usr/bin/setpriv", program);
    await Deno.chmod(program, 0o4755);
    const { code, reward, stderr } = await place.grade([], { asUser: true });
    const [, pid] = /what the checks have started does not end \(process (\d+)\)/.exec(stderr)!;
    assert.match(await Deno.readTextFile(`/proc/${pid}/cmdline`), /^sleep\0/);
    Deno.kill(Number(pid), "SIGKILL");
    assert.match(stderr, /^hint: Grade as a user who may kill it$/m);
    assert.equal(code, 1);
    assert.equal(reward, null);
  },
});
