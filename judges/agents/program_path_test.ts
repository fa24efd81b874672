import assert from "node:assert/strict";
import { findOnPath, isExecutable, trustedPath } from "./program_path.ts";

/** A folder with a workspace and other folders in it. */
class Place implements Disposable {
  readonly root = Deno.realPathSync(Deno.makeTempDirSync());
  readonly workspace = `${this.root}/work`;

  constructor() {
    for (const folder of ["work/bin", "bin", "other"]) {
      Deno.mkdirSync(`${this.root}/${folder}`, { recursive: true });
    }
  }

  program(path: string, mode = 0o755): string {
    Deno.writeTextFileSync(`${this.root}/${path}`, "#!/bin/sh\n");
    Deno.chmodSync(`${this.root}/${path}`, mode);
    return `${this.root}/${path}`;
  }

  link(path: string, target: string): string {
    Deno.symlinkSync(target, `${this.root}/${path}`);
    return `${this.root}/${path}`;
  }

  find(...folders: string[]) {
    return findOnPath("agent", folders.join(":"), this.workspace);
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.root, { recursive: true });
  }
}

Deno.test("findOnPath() finds the first program, through links", () => {
  using place = new Place();
  const { root } = place;
  assert.deepEqual(place.find(`${root}/bin`, `${root}/other`), { refused: [] });
  assert.deepEqual(findOnPath("agent", undefined, place.workspace), { refused: [] });
  place.program("other/real");
  const path = place.link("other/agent", "real");
  // By the name of the link: some programs do what that says.
  assert.deepEqual(place.find(`${root}/bin`, `${root}/other/`), { path, refused: [] });
  const first = place.program("bin/agent");
  assert.deepEqual(place.find(`${root}/bin/../bin`, `${root}/other`), { path: first, refused: [] });
});

Deno.test("findOnPath() passes over what is no program", () => {
  using place = new Place();
  const { root } = place;
  place.program("bin/agent", 0o644);
  assert.deepEqual(place.find(`${root}/bin`), { refused: [] });
  Deno.removeSync(`${root}/bin/agent`);
  Deno.mkdirSync(`${root}/bin/agent`);
  assert.deepEqual(place.find(`${root}/bin`, "/dev/null", "/no/such"), { refused: [] });
  place.link("other/agent", "agent");
  assert.deepEqual(place.find(`${root}/other`), { refused: [] });
  assert.equal(isExecutable("/dev/null"), false);
});

Deno.test("findOnPath() passes over relative entries", () => {
  using place = new Place();
  place.program("bin/agent");
  const there = "../".repeat(Deno.cwd().split("/").length) + place.root.slice(1);
  assert.ok(isExecutable(`${there}/bin/agent`));
  assert.deepEqual(place.find(`${there}/bin`, "", "."), { refused: [] });
});

Deno.test("findOnPath() runs nothing that the graded agent can have put there", () => {
  using place = new Place();
  const { root } = place;
  const planted = place.program("work/bin/agent");
  const good = place.program("other/agent");
  const { path, refused } = place.find(`${root}/work/bin`, `${root}/other`);
  assert.deepEqual([path, refused], [good, [planted]]);

  // A link to a program of the workspace, a link to its folder, and a link in it that leads out.
  const linked = place.link("bin/agent", planted);
  place.link("alias", "work/bin");
  assert.deepEqual(place.find(`${root}/bin`), { refused: [linked] });
  assert.deepEqual(place.find(`${root}/alias`), { refused: [`${root}/alias/agent`] });
  place.link("work/out", "../other");
  assert.deepEqual(place.find(`${root}/work/out`), { refused: [`${root}/work/out/agent`] });
  Deno.removeSync(planted);
  place.link("work/bin/agent", good);
  assert.deepEqual(place.find(`${root}/alias`), { refused: [`${root}/alias/agent`] });
});

Deno.test("trustedPath() keeps the entries that programs may be looked for in", () => {
  using place = new Place();
  const { root, workspace } = place;
  place.link("alias", "work");
  const folders = ["", ".", "bin", `${root}/bin/`, workspace, `${root}/alias/bin`, "/no/such"];
  assert.equal(trustedPath([...folders, "/usr"].join(":"), workspace), `${root}/bin:/usr`);
  assert.equal(trustedPath(undefined, workspace), "");
});
