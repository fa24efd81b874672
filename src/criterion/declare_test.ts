import assert from "node:assert/strict";
import { CriterionError } from "../errors.ts";
import { declare } from "./declare.ts";
import type { CriterionOptions } from "./options.ts";
import type { Registration } from "./registry.ts";

function registration(changes: Partial<Registration> = {}): Registration {
  return {
    kind: "builtin",
    criterion: "file_exists",
    args: ["a.txt"],
    description: "d",
    ...changes,
  };
}

Deno.test("declare() refuses options that are unknown or of the wrong kind", () => {
  const refused: [unknown, RegExp, RegExp?][] = [
    [null, /^fileExists: options must be one object, such as \{ weight: 2 \}, got null$/],
    [2, /options must be one object/],
    [[1], /options must be one object/],
    [{ wieght: 2 }, /^fileExists: unknown option "wieght"$/, /weight, name, isolated, sheet$/],
    [{ weight: "2" }, /weight must be a finite number, got "2"$/],
    [{ weight: NaN }, /weight must be a finite number/],
    [{ weight: Infinity }, /weight must be a finite number/],
    [{ weight: null }, /weight must be a finite number/],
    [{ name: "" }, /name must be a text that is not empty/],
    [{ name: 1 }, /name must be a text/],
    [{ isolated: "yes" }, /isolated must be true or false, got "yes"/],
  ];
  for (const [options, message, hint] of refused) {
    const bad = registration({ options: options as CriterionOptions, ownOptions: ["sheet"] });
    assert.throws(() => declare(bad, 0), (error: CriterionError) => {
      assert.match(error.message, message);
      if (hint !== undefined) assert.match(error.hint!, hint);
      return error instanceof CriterionError;
    });
  }
});

Deno.test("declare() refuses arguments that cannot be sent, and says which", () => {
  assert.throws(
    () => declare(registration({ args: ["a", { f: () => 1 }] }), 0),
    /^CriterionError: fileExists: argument 2 is no use: a function cannot be sent/,
  );
});

Deno.test("a name is the criterion's and the first 50 code points of its first argument", () => {
  const nameOf = (args: unknown[], options?: CriterionOptions) =>
    declare(registration({ args, options }), 0).name;
  assert.equal(nameOf([]), "file_exists");
  assert.equal(nameOf([undefined]), "file_exists");
  assert.equal(nameOf(["a.txt", "b"]), "file_exists:a.txt");
  assert.equal(nameOf(["a.txt"], { name: "mine" }), "mine");
  assert.equal(nameOf(["😀".repeat(60)]), `file_exists:${"😀".repeat(50)}`);
  assert.equal(nameOf([true]), "file_exists:True");
});

Deno.test("declare() fills in defaults and carries over what was registered", () => {
  assert.deepEqual(declare(registration(), 3), {
    index: 3,
    kind: "builtin",
    criterion: "file_exists",
    name: "file_exists:a.txt",
    description: "d",
    weight: 1,
    isolated: false,
    needs: [],
    args: '["a.txt"]',
  });
  const full = declare(
    registration({
      kind: "custom",
      options: { weight: 0, isolated: true },
      needs: [{ run: "make" }],
      readsByDefault: true,
      timeoutSec: 5,
      command: { command: "make", timeoutSec: 9 },
    }),
    0,
  );
  assert.equal(full.weight, 0);
  assert.equal(full.isolated, true);
  assert.deepEqual(full.needs, [{ run: "make" }]);
  assert.equal(full.readsByDefault, true);
  assert.equal(full.timeoutSec, 5);
  assert.deepEqual(full.command, { command: "make", timeoutSec: 9 });
  // The author's Worker still has them; nobody else needs to.
  assert.equal("args" in full, false);
});
