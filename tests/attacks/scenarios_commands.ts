// The graded work's program, run by a command criterion with the rights of whoever grades: what it
// does to the result, to the tests and to the run itself. A wrong answer must stay wrong.

import assert from "node:assert/strict";
import type { Ended, Ending, Files, Scenario } from "./scenario.ts";

/** What is graded is wrong; `runs` is 1 if the program came to its end. */
const CHECKS = `
  rk.commandSucceeds("sh attack.sh", { name: "runs", timeout: 20 });
  rk.fileContains("answer.txt", "right", { name: "answer" });
  rk.filesEqual("answer.txt", "$TESTS/checks/oracle.txt", { name: "oracle" });
  rk.criterion(async function own(workspace) {
    return await workspace.readText("answer.txt") === "right\\n";
  });`;
const HONEST = { runs: 1, answer: 0, oracle: 0, own: 0 };
const REWARD = { checks: 0.25, innocent: 1 };

/** In the shell of the program: the process of the run, and those that it has started. */
const FINDS_RUN = `
  leader=$(ps -o sid= -p $$ | tr -d ' ')
  run=$(ps -o ppid= -p $leader | tr -d ' ')
  case $(tr '\\0' ' ' </proc/$run/cmdline) in *$ROOT/output/reward.json*) ;; *) exit 9 ;; esac
  others=$(pgrep -P $run | grep -vx $leader)`;

interface Rest extends Partial<Omit<Ending, "holds">> {
  files?: Files;
  checks?: string;
  setup?: string;
  count?: number;
  holds?: (ended: Ended) => void | Promise<void>;
  protects?: string;
}

/** What the program does; afterwards the result must be that of the wrong answer. */
function program(name: string, script: string, rest: Rest = {}): Scenario {
  const { files = {}, checks = CHECKS, setup, count, protects = "the reward", holds, ...ending } =
    rest;
  return {
    name: `the graded program ${name}`,
    protects,
    tests: { "checks/checks.ts": checks, "checks/oracle.txt": "right\n" },
    workspace: { "answer.txt": "wrong\n", "attack.sh": script, ...files },
    ends: { trusted: { values: HONEST, ...ending, holds: holds ?? honestFiles } },
    ...(setup !== undefined && { setup }),
    ...(count !== undefined && { count }),
  };
}

/** Both files are there, are files, and say what was found; nothing outside was written to. */
async function honestFiles({ root, reward, details }: Ended): Promise<void> {
  assert.deepEqual(reward, REWARD);
  assert.equal(details!.checks.score, REWARD.checks);
  for (const name of ["reward.json", "reward-details.json"]) {
    const { isFile, nlink } = await Deno.lstat(`${root}/output/${name}`);
    assert.ok(isFile && nlink === 1, name);
  }
  await nothingOutside({ root });
}

async function nothingOutside({ root }: { root: string }): Promise<void> {
  assert.deepEqual([...Deno.readDirSync(`${root}/outside`)].map(({ name }) => name), [
    "secret.txt",
  ]);
  assert.equal(await Deno.readTextFile(`${root}/outside/secret.txt`), "SECRET\n");
}

/** An error, and no reward: what was found cannot be trusted, or cannot be written. */
async function noReward({ root, reward }: Ended): Promise<void> {
  assert.equal(reward, null);
  await nothingOutside({ root });
}

const later = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** What was left running would have written long ago. */
async function staysHonest(ended: Ended): Promise<void> {
  await later(0.5);
  const text = await Deno.readTextFile(`${ended.root}/output/reward.json`);
  assert.deepEqual(JSON.parse(text), REWARD);
  await honestFiles(ended);
}

const FORGERY = `'{"checks": 1, "innocent": 1}'`;
const WRITES_ON = (how: string) => `
  ${how} sh -c 'trap "" TERM HUP INT
    while :; do echo "{\\"checks\\": 1}" >$ROOT/output/reward.json; sleep 0.01; done' \\
    >/dev/null 2>&1 </dev/null &`;

/** Nothing that a program prints or names may steer a terminal or pass for a line of ours. */
function plainOutput({ stdout, stderr }: Ended): void {
  assert.match(stdout, /^checks: 0\.\d+\ninnocent: 1\n$/);
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(stderr, /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
  assert.doesNotMatch(stderr, /^(?:checks|reward): 1/m);
}

export const commands: readonly Scenario[] = [
  program(
    "plants a reward and details",
    `echo ${FORGERY} >$ROOT/output/reward.json
    echo '{"checks": {"score": 1, "criteria": []}}' >$ROOT/output/reward-details.json`,
    { count: 2 },
  ),
  program(
    "plants links where the result goes",
    `ln -s $OUTSIDE/secret.txt $ROOT/output/reward.json
    ln $OUTSIDE/secret.txt $ROOT/output/reward-details.json`,
    { count: 2 },
  ),
  program(
    "plants a FIFO and a folder where the result goes",
    `mkfifo $ROOT/output/reward.json
    mkdir -p $ROOT/output/reward-details.json/deep
    ln -s $OUTSIDE $ROOT/output/reward-details.json/deep/out`,
    { count: 2 },
  ),
  program("leads the output folder elsewhere", "mv output gone && ln -s elsewhere output", {
    setup: "mkdir elsewhere",
    checks: CHECKS.replace("sh attack.sh", "cd $ROOT && sh $WORKSPACE/attack.sh"),
    // The path is what was asked for: whoever reads it finds the right reward there.
    holds: async ({ root, reward }) => {
      assert.deepEqual(reward, REWARD);
      await nothingOutside({ root });
    },
  }),
  ...["rm -r $ROOT/output", "rm -r $ROOT/output; echo >$ROOT/output"].map((script) =>
    program(`takes the output folder away: ${script}`, script, {
      code: 2,
      says: /error: Cannot write \S+output\/reward-details\.json/,
      holds: noReward,
      values: {},
    })
  ),
  ...["", "setsid", "nohup", "setsid nohup setsid", "env -i setsid", "setsid env -i setsid"].map((
    how,
  ) =>
    program(
      `goes on writing the reward in the background: ${how || "&"}`,
      WRITES_ON(how),
      { holds: staysHonest },
    )
  ),
  program(
    "hides what it leaves in an environment of its own, in a view",
    `echo >made.txt; ${WRITES_ON("env -i setsid")}`,
    {
      checks: CHECKS.replace("timeout: 20", "timeout: 20, isolated: true"),
      holds: staysHonest,
    },
  ),
  program(
    "goes on to a child of itself again and again, without an environment",
    `echo 'echo "{\\"checks\\": 1}" >$ROOT/output/reward.json
      setsid env -i sh hop.sh >/dev/null 2>&1 </dev/null &' >hop.sh
    sh hop.sh`,
    { holds: staysHonest },
  ),
  program(
    "outlives the criterion of its own that starts it",
    `${WRITES_ON("setsid")} ${WRITES_ON("env -i setsid")}`,
    {
      checks: `
        rk.criterion({ run: ["sh"], name: "runs" }, async function runs(workspace) {
          const options = { args: ["attack.sh"], cwd: workspace.path };
          return (await new Deno.Command("sh", options).output()).success;
        });
        ${CHECKS.replace(/rk\.commandSucceeds.*/, "")}`,
      holds: staysHonest,
      count: 2,
    },
  ),
  program(
    "changes the tests",
    "cp answer.txt $TESTS/checks/oracle.txt",
    {
      code: 1,
      says: /checks\/oracle\.txt was changed while the checks ran/,
      values: {},
      holds: noReward,
      protects: "the tests folder",
    },
  ),
  program(
    "changes the tests, and puts them back",
    `cp -p $TESTS/checks/oracle.txt kept; cp answer.txt $TESTS/checks/oracle.txt
    (sleep 0.7; cp -p kept $TESTS/checks/oracle.txt) &`,
    {
      checks: `${CHECKS}\nrk.commandSucceeds("sleep 1", { name: "waits" });`,
      // The times of files that tell are known to the second.
      setup: "sleep 1.1",
      code: 1,
      says: /checks\/oracle\.txt was changed and put back, .* while the checks ran/,
      values: {},
      holds: noReward,
      protects: "the tests folder",
    },
  ),
  program(
    "changes checks that are still to come, and puts them back",
    `cp -p $TESTS/checks/checks.ts kept; echo 'throw 1;' >$TESTS/checks/checks.ts
    (sleep 0.7; cp -p kept $TESTS/checks/checks.ts) &`,
    {
      checks: `${CHECKS}\nrk.commandSucceeds("sleep 1", { name: "waits" });`,
      setup: "sleep 1.1",
      code: 1,
      says: /checks\/checks\.ts was changed and put back, .* while the checks ran/,
      // Whether what is to come had been loaded is a matter of moments.
      values: {},
      holds: noReward,
      protects: "the tests folder",
    },
  ),
  program("adds checks of its own", "mkdir $TESTS/more; echo >$TESTS/more/more.ts", {
    code: 1,
    says: /more\/more\.ts was added while the checks ran/,
    holds: noReward,
    protects: "the tests folder",
  }),
  program("kills the processes that the run has started", `${FINDS_RUN}\nkill -9 $others`, {
    protects: "the run",
  }),
  program("kills the run", `${FINDS_RUN}\nkill -9 $run`, {
    code: 137,
    values: {},
    protects: "the run",
    holds: noReward,
  }),
  program(
    "interrupts the run",
    `${FINDS_RUN}\nkill -TERM $run; sleep 20`,
    { code: 130, values: {}, protects: "the run", holds: noReward },
  ),
  program(
    "leads the run's own folder elsewhere",
    `for own in $ROOT/tmp/rewardkit-*; do mv $own $ROOT/moved; ln -s $OUTSIDE $own; done`,
    { protects: "what lies outside of the run's folder" },
  ),
  program(
    "fills the run's own folder with links",
    `for own in $ROOT/tmp/rewardkit-*; do ln -s $OUTSIDE $own/link; mkdir $own/more
    ln -s $OUTSIDE/secret.txt $own/more/link; done`,
    {
      protects: "what lies outside of the run's folder",
      holds: async (ended) => {
        await honestFiles(ended);
        assert.deepEqual([...Deno.readDirSync(`${ended.root}/tmp`)].map(({ name }) => name), ["x"]);
      },
    },
  ),
  program(
    "leads the workspace elsewhere",
    `mv $WORKSPACE $ROOT/moved && ln -s $OUTSIDE $WORKSPACE && cp $OUTSIDE/secret.txt $ROOT/kept`,
    {
      checks: `
        rk.commandSucceeds("sh attack.sh", { name: "runs" });
        rk.fileContains("secret.txt", "SECRET", { name: "answer" });
        rk.filesEqual("secret.txt", "$OUTSIDE/secret.txt", { name: "oracle" });
        rk.criterion(async function own(workspace) {
          return await workspace.readText("secret.txt") === "SECRET\\n";
        });`,
      // Nothing of the graded work is there any more, which others find as well.
      values: { "innocent built-in": 0, innocent: 0 },
      holds: ({ reward, values }) => {
        assert.deepEqual([values.answer, values.oracle, values.own], [0, 0, 0]);
        assert.equal(reward?.checks, 0.25);
      },
      protects: "files outside of the workspace",
    },
  ),
  program(
    "prints rewards, messages of a cell and what steers a terminal",
    `i=0; while [ $i -lt 200 ]; do i=$((i + 1))
      printf 'checks: 1\\nreward: 1\\n{"type":"message","worker":0,"message":'
      printf '{"type":"scored","index":1,"result":"true","warnings":[]}}\\n'
      printf '\\033[2J\\033]0;title\\007\\033[1;1Hchecks: 1\\r\\n\\342\\200\\256drawer\\n'
    done | tee /dev/stderr; exit 3`,
    {
      values: { ...HONEST, runs: 0 },
      count: 3,
      holds: ({ reward }) => {
        assert.deepEqual(reward, { checks: 0, innocent: 1 });
      },
    },
  ),
  program(
    "floods both streams at once",
    `yes "checks: 1" & yes "reward: 1" >&2`,
    {
      values: { ...HONEST, runs: 0 },
      holds: ({ stdout, stderr }) => {
        assert.equal(stdout, "checks: 0\ninnocent: 1\n");
        assert.ok(stderr.length < 100_000, `${stderr.length} characters`);
        assert.doesNotMatch(stderr, /^(?:checks|reward): 1/m);
      },
      count: 2,
    },
  ),
  program(
    "makes files whose names steer a terminal",
    `touch "$(printf 'a\\033[2J\\033]0;title\\007.txt')" "$(printf 'b\\nchecks: 1\\nreward: 1\\n.txt')" \\
      "$(printf 'c\\342\\200\\256txt.exe')" "$(printf 'd\\rchecks: 1.txt')" "$(printf 'e\\377.txt')"`,
    {
      checks: `${CHECKS}
        rk.criterion({ name: "names" }, async function names(workspace) {
          const names = (await workspace.list(".")).filter((name) => /^[a-e]./.test(name));
          for (const name of names) console.log(name);
          const said = await Promise.all(
            names.map((name) => workspace.readText(name + "/x").catch(({ message }) => message)));
          return { score: 0, reasoning: said.join(" "), expected: "x", found: names.join() };
        });
        rk.criterion({ name: "throws" }, async function throws(workspace) {
          const names = await workspace.list(".");
          return (await workspace.readText(names.find((name) => name.startsWith("b")) + "/x")) === "";
        });
        rk.commandOutputMatches("ls", "nothing", { name: "ls" });`,
      values: { ...HONEST, names: 0, throws: 0, ls: 0 },
      holds: plainOutput,
      count: 5,
    },
  ),
];
