import assert from "node:assert/strict";
import { CriterionError, PermissionNeededError, SubmissionError } from "../errors.ts";
import { problemOf, problemOfLoading, thrownFor } from "./problem.ts";

/** Without the stack, which has paths of this machine. */
function shortOf(thrown: unknown) {
  const { stack: _, ...problem } = problemOf(thrown);
  return problem;
}

Deno.test("problemOf() tells whose fault it is", () => {
  assert.deepEqual(problemOf(new SubmissionError("gone", { hint: "h" })), {
    fault: "submission",
    message: "gone",
  });
  assert.deepEqual(problemOf(new PermissionNeededError("not declared", { hint: "declare" })), {
    fault: "permission",
    message: "not declared",
    hint: "declare",
  });
  assert.deepEqual(problemOf(new PermissionNeededError("bare")), {
    fault: "permission",
    message: "bare",
  });
  assert.deepEqual(shortOf(new CriterionError("wrong", { hint: "so" })), {
    fault: "check",
    message: "wrong",
    hint: "so",
  });
});

Deno.test("an error of the check shows its kind, and keeps its stack for --verbose", () => {
  assert.equal(problemOf(new Error("plain")).message, "plain");
  assert.equal(problemOf(new TypeError("no function")).message, "TypeError: no function");
  assert.equal(problemOf(new Error("")).message, "threw an empty error");
  assert.match(problemOf(new Error("plain")).stack!, /problem_test\.ts/);
  // As Deno words a file that it cannot parse or find.
  assert.equal(
    problemOf(new TypeError("SyntaxError: Unexpected token\n    at file:///t/a.ts:1:2")).message,
    "SyntaxError: Unexpected token (at /t/a.ts:1:2)",
  );
});

Deno.test("what is thrown may be anything", () => {
  const unspeakable = { toString: () => 1n / 0n };
  const thrown: [unknown, string][] = [
    ["text", 'threw "text", which is no Error'],
    [undefined, "threw undefined, which is no Error"],
    [null, "threw null, which is no Error"],
    [0, "threw 0, which is no Error"],
    [{ message: "like one" }, "threw [object Object], which is no Error"],
    [Symbol("s"), "threw Symbol(s), which is no Error"],
    [Object.create(null), "threw something, which is no Error"],
    [unspeakable, "threw something, which is no Error"],
    [Object.assign(new Error(), { message: 5 }), "5"],
    [Object.assign(new Error(), { message: undefined }), "undefined"],
    [Object.assign(new Error("no stack"), { stack: 7 }), "no stack"],
    [Object.assign(new Error("no name"), { name: "" }), "no name"],
  ];
  for (const [value, message] of thrown) {
    assert.deepEqual(shortOf(value), { fault: "check", message });
  }
});

Deno.test("a permission that Deno refuses names the option of criterion() that declares it", () => {
  const refused: [string, string, string?][] = [
    [
      'Requires read access to "/etc/passwd", run again with the --allow-read flag',
      'needs read access to "/etc/passwd", which it does not declare',
      'Declare it: criterion({ read: ["/etc/passwd"] }, …)',
    ],
    [
      'Requires net access to "example.com:443", run again with the --allow-net flag',
      'needs net access to "example.com:443", which it does not declare',
      'Declare it: criterion({ net: ["example.com:443"] }, …)',
    ],
    [
      "Requires read access to <CWD>, run again with the --allow-read flag",
      "needs read access to <CWD>, which it does not declare",
      'Declare it: criterion({ read: ["<CWD>"] }, …)',
    ],
    [
      "Requires env access, run again with the --allow-env flag",
      "needs env access, which it does not declare",
      "Declare it: criterion({ env: true }, …)",
    ],
    [
      'Requires sys access to "hostname", run again with the --allow-sys flag',
      'needs sys access to "hostname", which it does not declare',
    ],
    ["Something else", "Something else"],
  ];
  for (const [denied, message, hint] of refused) {
    assert.deepEqual(shortOf(new Deno.errors.NotCapable(denied)), {
      fault: "permission",
      message,
      ...(hint !== undefined && { hint }),
    });
  }
});

Deno.test("while a file loads, declaring a permission would not help, and the hint does not say so", () => {
  const denied = new Deno.errors.NotCapable('Requires read access to "/app/a", run again with x');
  const { message, hint, fault } = problemOfLoading(denied);
  assert.equal(fault, "permission");
  assert.equal(message, 'needs read access to "/app/a", which it has not while it loads');
  assert.match(hint!, /move this into a criterion/);
  const other = new TypeError("no");
  assert.deepEqual(problemOfLoading(other), problemOf(other));
});

Deno.test("an import from elsewhere is told as one", () => {
  const refused = new TypeError(
    'Requires read access to "/lib/a.ts", run again with the --allow-read flag\n' +
      "    at file:///tests/c.ts:1:8",
  );
  const { message, hint, fault } = problemOfLoading(refused);
  assert.equal(fault, "check");
  assert.equal(message, 'imports from "/lib/a.ts", which is out of its reach (at /tests/c.ts:1:8)');
  assert.match(hint!, /into the folder/);
});

Deno.test("problemOf() survives what throws when it is looked at", () => {
  const mine = () => {
    throw new Error("mine");
  };
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  for (
    const thrown of [
      Object.defineProperty(new Error("x"), "message", { get: mine }),
      new Proxy(new Error("x"), { get: mine, getPrototypeOf: mine }),
      proxy,
    ]
  ) {
    assert.deepEqual(problemOf(thrown), {
      fault: "check",
      message: "threw an error that cannot be read",
    });
  }
});

Deno.test("thrownFor() makes the error that problemOf() was given", () => {
  for (
    const error of [
      new SubmissionError("a"),
      new PermissionNeededError("b", { hint: "h" }),
      new CriterionError("c", { hint: "h" }),
    ]
  ) {
    const again = thrownFor(problemOf(error));
    assert.equal(again.constructor, error.constructor);
    assert.deepEqual([again.message, again.hint], [error.message, error.hint]);
  }
});
