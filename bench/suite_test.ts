import assert from "node:assert/strict";
import { call, PYTHON, TYPESCRIPT, writeSuite } from "./suite.ts";

Deno.test("a call is spelled as each language does", () => {
  const values = call("csv_cell_equals", "a b.csv", 1, 'it\'s "q" \\d', true);
  assert.equal(
    TYPESCRIPT.call(values),
    `rk.csvCellEquals("a b.csv", 1, "it's \\"q\\" \\\\d", true);`,
  );
  assert.equal(PYTHON.call(values), `rk.csv_cell_equals("a b.csv", 1, "it's \\"q\\" \\\\d", True)`);
  const isolated = { ...call("command_succeeds", "make"), isIsolated: true };
  assert.equal(TYPESCRIPT.call(isolated), `rk.commandSucceeds("make", { isolated: true });`);
  assert.equal(PYTHON.call(isolated), `rk.command_succeeds("make", isolated=True)`);
});

Deno.test("writeSuite() writes a check file for each list of calls", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await writeSuite(`${folder}/tests`, [[call("file_exists", "a")], []], PYTHON);
    const names = Array.from(Deno.readDirSync(`${folder}/tests`), ({ name }) => name).sort();
    assert.deepEqual(names, ["check_0001.py", "check_0002.py"]);
    assert.equal(
      await Deno.readTextFile(`${folder}/tests/check_0001.py`),
      `import rewardkit as rk\nrk.file_exists("a")\n`,
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
