import assert from "node:assert/strict";
import { SubmissionError } from "../errors.ts";
import { WorkspaceReader } from "./reader.ts";
import { openUnblocked } from "./unblocked.ts";

/** A workspace, a secret beside it, and a reader with a limit of 1,000 bytes. */
interface Place {
  workspace: string;
  outside: string;
  reader: WorkspaceReader;
}

function withPlace(work: (place: Place) => void | Promise<void>): () => Promise<void> {
  return async () => {
    const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "rewardkit-test-" }));
    const [workspace, outside] = [`${root}/work`, `${root}/work2`];
    try {
      for (const folder of [workspace, outside, `${workspace}/sub`]) Deno.mkdirSync(folder);
      Deno.writeTextFileSync(`${outside}/secret.txt`, "secret");
      Deno.writeTextFileSync(`${workspace}/a.txt`, "hello\r\n");
      Deno.writeTextFileSync(`${workspace}/sub/b.txt`, "b");
      await work({
        workspace,
        outside,
        reader: new WorkspaceReader({ workspace, maxFileBytes: 1000 }),
      });
    } finally {
      Deno.removeSync(root, { recursive: true });
    }
  };
}

function refuses(read: () => unknown, message: RegExp): void {
  assert.throws(read, (error: Error) => {
    assert.match(error.message, message);
    assert.ok(error instanceof SubmissionError, `${error.name}, not a SubmissionError`);
    return true;
  });
}

Deno.test(
  "what is not there or is no regular file is refused by name",
  withPlace(({ workspace, reader }) => {
    using _socket = Deno.listen({ transport: "unix", path: `${workspace}/socket` });
    Deno.symlinkSync("/dev/zero", `${workspace}/zero`);
    const refused: [string, RegExp][] = [
      ["missing.txt", /^"missing\.txt" does not exist$/],
      ["no/such/folder.txt", /^"no\/such\/folder\.txt" does not exist$/],
      ["a.txt/below", /^"a\.txt\/below" does not exist: a part of it is no folder$/],
      ["missing/../a.txt", /^"missing\/\.\.\/a\.txt" does not exist$/],
      ["sub", /^"sub" is a folder, not a regular file$/],
      ["", /is a folder, not a regular file$/],
      ["socket", /^"socket" is a socket, not a regular file$/],
      ["zero", /^"zero" is a device, not a regular file$/],
      ["/dev/zero", /^"\/dev\/zero" is a device, not a regular file$/],
      ["a\0.txt", /^"a\\u0000\.txt" is not a path$/],
      ["x".repeat(300), /cannot be read: .*too long/i],
    ];
    for (const [path, message] of refused) {
      refuses(() => reader.readBytes(path), message);
      refuses(() => reader.readText(path), message);
    }
    assert.equal(reader.readText("a.txt"), "hello\n");
    assert.equal(reader.readText("./sub/../a.txt"), "hello\n");
    assert.deepEqual(reader.readBytes("sub/b.txt"), new Uint8Array([0x62]));
  }),
);

Deno.test(
  "a FIFO is refused without being opened, which would block for good",
  withPlace(async ({ workspace }) => {
    for (const name of ["fifo", "linked"]) {
      if (name === "linked") Deno.symlinkSync("fifo", `${workspace}/linked`);
      else await new Deno.Command("mkfifo", { args: [`${workspace}/fifo`] }).output();
    }
    // In a process of its own, which can be killed: a blocked thread cannot be interrupted.
    const code = `
      import { WorkspaceReader } from "${new URL("./reader.ts", import.meta.url).href}";
      const reader = new WorkspaceReader({ workspace: "${workspace}", maxFileBytes: 10 });
      for (const path of ["fifo", "linked"]) {
        console.log(reader.exists(path));
        for (const method of ["readText", "readBytes", "open", "list"]) {
          try { reader[method](path); } catch (error) { console.log(error.name, error.message); }
        }
      }
    `;
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["eval", "--no-config", "--no-lock", code],
      signal: AbortSignal.timeout(20_000),
    }).output();
    const lines = (path: string) => [
      "true",
      ...Array(3).fill(`SubmissionError "${path}" is a FIFO, not a regular file`),
    ];
    const said = new TextDecoder().decode(stdout).trim().split("\n");
    assert.deepEqual(said.slice(0, 4), lines("fifo"));
    assert.match(said[4]!, /^SubmissionError "fifo" (does not exist|cannot be read)/);
    assert.deepEqual(said.slice(5, 9), lines("linked"));
    assert.equal(said.length, 10);
  }),
);

Deno.test(
  "links out of the workspace are refused, links inside are followed",
  withPlace(({ workspace, outside, reader }) => {
    const links: Record<string, string> = {
      inside: "sub/b.txt",
      absolute: `${workspace}/sub/b.txt`,
      chain: "inside",
      folder: "sub",
      out: `${outside}/secret.txt`,
      relativeOut: "../work2/secret.txt",
      outFolder: outside,
      chainOut: "out",
      "sub/up": "../../work2",
      loop: "loop",
      ping: "pong",
      pong: "ping",
      broken: "nowhere",
      brokenOut: `${outside}/nowhere`,
      proc: "/proc/self/environ",
    };
    for (const [link, target] of Object.entries(links)) {
      Deno.symlinkSync(target, `${workspace}/${link}`);
    }
    const refused: [string, RegExp][] = [
      ["out", /^"out" leaves the workspace through a link$/],
      ["relativeOut", /leaves the workspace through a link/],
      ["outFolder/secret.txt", /leaves the workspace through a link/],
      ["chainOut", /leaves the workspace through a link/],
      ["sub/up/secret.txt", /leaves the workspace through a link/],
      ["folder/up/secret.txt", /leaves the workspace through a link/],
      ["proc", /leaves the workspace through a link/],
      [`${workspace}/out`, /leaves the workspace through a link/],
      ["loop", /^"loop" cannot be read: .*(loop|symbolic)/i],
      ["ping", /^"ping" cannot be read/],
      ["broken", /^"broken" does not exist$/],
      ["brokenOut", /^"brokenOut" does not exist$/],
    ];
    for (const [path, message] of refused) refuses(() => reader.readText(path), message);
    refuses(() => reader.list("outFolder"), /leaves the workspace through a link/);
    refuses(() => reader.list("sub/up"), /leaves the workspace through a link/);

    for (const path of ["inside", "absolute", "chain", "folder/b.txt", "folder/../a.txt"]) {
      assert.match(reader.readText(path), /^(b|hello\n)$/, path);
    }
    // As the author wrote it: no link took the path there.
    assert.equal(reader.readText(`${outside}/secret.txt`), "secret");
    assert.equal(reader.readText("../work2/secret.txt"), "secret");
    assert.deepEqual(reader.list(outside), ["secret.txt"]);
    assert.deepEqual(reader.list("folder"), ["b.txt", "up"]);
  }),
);

Deno.test(
  "exists() follows links wherever they lead and never throws",
  withPlace(({ workspace, outside, reader }) => {
    Deno.symlinkSync(`${outside}/secret.txt`, `${workspace}/out`);
    Deno.symlinkSync("nowhere", `${workspace}/broken`);
    Deno.symlinkSync("loop", `${workspace}/loop`);
    for (
      const path of ["missing", "broken", "loop", "a.txt/x", "a\0", "missing/..", "x".repeat(5e3)]
    ) {
      assert.equal(reader.exists(path), false, path);
    }
    for (const path of ["a.txt", "sub", "out", "", ".", "sub/..", `${outside}/secret.txt`, "/"]) {
      assert.equal(reader.exists(path), true, path);
    }
  }),
);

Deno.test(
  "list() sorts names and refuses what is no folder",
  withPlace(({ workspace, reader }) => {
    refuses(() => reader.list("missing"), /^"missing" does not exist$/);
    refuses(() => reader.list("a.txt"), /^"a\.txt" (does not exist|cannot be read)/);
    refuses(() => reader.list("a\0"), /is not a path$/);
    for (const name of ["Z", "10", "9", "ä", ".hidden"]) {
      Deno.writeTextFileSync(`${workspace}/sub/${name}`, "");
    }
    assert.deepEqual(reader.list("sub"), [".hidden", "10", "9", "Z", "b.txt", "ä"]);
    assert.deepEqual(reader.list(""), ["a.txt", "sub"]);
  }),
);

Deno.test(
  "files over the limit are refused before they are read, a file at the limit is not",
  withPlace(({ workspace, reader }) => {
    Deno.writeFileSync(`${workspace}/1001`, new Uint8Array(1001));
    // 20 GB that take no room on the disk.
    Deno.writeTextFileSync(`${workspace}/sparse`, "");
    Deno.truncateSync(`${workspace}/sparse`, 20e9);
    refuses(
      () => reader.readBytes("1001"),
      /^"1001" is too large: 1001 bytes, the limit is 1000$/,
    );
    refuses(() => reader.readText("sparse"), /^"sparse" is too large: 20000000000 bytes/);
    Deno.writeFileSync(`${workspace}/1000`, new Uint8Array(1000));
    assert.equal(reader.readBytes("1000").length, 1000);
    Deno.writeFileSync(`${workspace}/empty`, new Uint8Array());
    assert.equal(reader.readBytes("empty").length, 0);
  }),
);

Deno.test(
  "text is checked UTF-8",
  withPlace(({ workspace, reader }) => {
    Deno.writeFileSync(`${workspace}/bad`, new Uint8Array([0x61, 0xff]));
    refuses(() => reader.readText("bad"), /^"bad" is not UTF-8: bad byte at offset 1$/);
  }),
);

/** Runs `work` while every file that is opened goes through `open` first. */
function whileOpening(
  open: (original: typeof Deno.openSync) => typeof Deno.openSync,
  work: () => void,
) {
  const original = Deno.openSync;
  Deno.openSync = open(original);
  try {
    work();
  } finally {
    Deno.openSync = original;
  }
}

Deno.test(
  "a file that is swapped while it is read is refused",
  withPlace(({ workspace, outside, reader }) => {
    const file = `${workspace}/a.txt`;
    const linkOut = () => {
      Deno.removeSync(file);
      Deno.symlinkSync(`${outside}/secret.txt`, file);
    };
    const otherFile = () => {
      Deno.writeTextFileSync(`${workspace}/new`, "other");
      Deno.renameSync(`${workspace}/new`, file);
    };
    const device = () => {
      Deno.removeSync(file);
      Deno.symlinkSync("/dev/null", file);
    };
    const before = (swap: () => void) => (original: typeof Deno.openSync) =>
      ((...args) => {
        swap();
        return original(...args);
      }) as typeof Deno.openSync;
    const after = (swap: () => void) => (original: typeof Deno.openSync) =>
      ((...args) => {
        const opened = original(...args);
        swap();
        return opened;
      }) as typeof Deno.openSync;

    const swaps: [typeof before, () => void, RegExp][] = [
      [before, linkOut, /was replaced while it was being read|leaves the workspace/],
      [before, otherFile, /^"a\.txt" was replaced while it was being read$/],
      [before, device, /is a device/],
      [before, () => Deno.removeSync(file), /^"a\.txt" does not exist$/],
      [after, linkOut, /^"a\.txt" leaves the workspace through a link$/],
      [after, otherFile, /^"a\.txt" was replaced while it was being read$/],
    ];
    for (const [when, swap, message] of swaps) {
      Deno.removeSync(file);
      Deno.writeTextFileSync(file, "hello");
      whileOpening(when(swap), () => refuses(() => reader.readText("a.txt"), message));
      if (!reader.exists("a.txt")) Deno.writeTextFileSync(file, "");
    }
    // Once is what honest work may do.
    for (const when of [before, after]) {
      Deno.removeSync(file);
      Deno.writeTextFileSync(file, "hello");
      let swaps = 0;
      const once = () => swaps++ === 0 ? otherFile() : undefined;
      whileOpening(when(once), () => assert.equal(reader.readText("a.txt"), "other"));
    }
  }),
);

Deno.test(
  "what leads out of the workspace only while it is opened is refused as well",
  withPlace(({ workspace, outside, reader }) => {
    Deno.writeTextFileSync(`${workspace}/sub/secret.txt`, "mine");
    Deno.renameSync(`${workspace}/sub`, `${workspace}/kept`);
    for (const [path, inside] of [["sub/secret.txt", "kept"], ["file.txt", "kept/secret.txt"]]) {
      const link = `${workspace}/${path!.split("/")[0]}`;
      const leadTo = (target: string) => {
        Deno.symlinkSync(target, `${link}.new`);
        Deno.renameSync(`${link}.new`, link);
      };
      const out = path === "file.txt" ? `${outside}/secret.txt` : outside;
      const swapping = (original: typeof Deno.openSync) =>
        ((...args) => {
          const opened = original(...args);
          leadTo(inside!);
          return opened;
        }) as typeof Deno.openSync;
      leadTo(out);
      let text = "";
      try {
        whileOpening(swapping, () => text = reader.readText(path!));
      } catch (error) {
        assert.ok(error instanceof SubmissionError, String(error));
      }
      assert.notEqual(text, "secret", path);
    }
  }),
);

Deno.test(
  "a FIFO that comes to lie there at the last moment does not hold up the coordinator",
  withPlace(async ({ workspace }) => {
    await new Deno.Command("mkfifo", { args: [`${workspace}/fifo`] }).output();
    const maxFileBytes = 1000;
    const open = (path: string) => {
      Deno.renameSync(`${workspace}/fifo`, path);
      return openUnblocked(path);
    };
    const swapped = new WorkspaceReader({ workspace, maxFileBytes, open });
    refuses(() => swapped.readText("a.txt"), /^"a\.txt" is a FIFO, not a regular file$/);
    const reader = new WorkspaceReader({ workspace, maxFileBytes, open: openUnblocked });
    assert.equal(reader.readText("sub/b.txt"), "b");
    Deno.writeFileSync(`${workspace}/1000`, new Uint8Array(1000).fill(7));
    assert.deepEqual(reader.readBytes("1000"), new Uint8Array(1000).fill(7));
    Deno.writeFileSync(`${workspace}/1001`, new Uint8Array(1001));
    refuses(() => reader.readBytes("1001"), /is too large/);
    refuses(() => reader.readText("missing"), /^"missing" does not exist$/);
    Deno.symlinkSync("/etc/passwd", `${workspace}/out`);
    refuses(() => reader.readText("out"), /leaves the workspace through a link/);
  }),
);

/** `statSync` of a file that is opened says what `sizeNow` makes of it. */
const reporting = (sizeNow: (info: Deno.FileInfo) => number) => (original: typeof Deno.openSync) =>
  ((...args) => {
    const file = original(...args);
    const stat = file.statSync.bind(file);
    file.statSync = () => {
      const info = stat();
      return { ...info, size: sizeNow(info) };
    };
    return file;
  }) as typeof Deno.openSync;

Deno.test(
  "a file that grows or shrinks while it is read ends at the limit or at its end",
  withPlace(({ workspace, reader }) => {
    const write = (length: number) =>
      Deno.writeFileSync(`${workspace}/f`, Uint8Array.from({ length }, (_, at) => at % 251));
    write(1001);
    for (const claimed of [0, 1, 999, 1000]) {
      whileOpening(
        reporting(() => claimed),
        () => refuses(() => reader.readBytes("f"), /^"f" is too large$/),
      );
    }
    write(1000);
    const whole = Deno.readFileSync(`${workspace}/f`);
    for (const claimed of [0, 1, 7, 999, 1000]) {
      whileOpening(
        reporting(() => claimed),
        () => assert.deepEqual(reader.readBytes("f"), whole),
      );
    }
    write(10);
    whileOpening(reporting(() => 900), () => assert.equal(reader.readBytes("f").length, 10));
  }),
);

Deno.test(
  "reading takes time in proportion to a file that claims to be empty",
  withPlace(({ workspace }) => {
    const reader = new WorkspaceReader({ workspace, maxFileBytes: 2 ** 26 });
    Deno.writeTextFileSync(`${workspace}/f`, "");
    Deno.truncateSync(`${workspace}/f`, 2 ** 25);
    const start = performance.now();
    whileOpening(reporting(() => 0), () => assert.equal(reader.readBytes("f").length, 2 ** 25));
    // 50 ms here; some 30 s when each step copies what came before.
    assert.ok(performance.now() - start < 5000);
  }),
);

Deno.test("files of /proc, whose size is 0, are read whole", () => {
  const reader = new WorkspaceReader({ workspace: "/nowhere", maxFileBytes: 10_000 });
  assert.equal(reader.readText("/proc/version"), Deno.readTextFileSync("/proc/version"));
});

Deno.test(
  "nothing stays open, whatever is refused",
  withPlace(({ workspace, reader }) => {
    Deno.writeFileSync(`${workspace}/big`, new Uint8Array(2000));
    Deno.writeFileSync(`${workspace}/bad`, new Uint8Array([0xff]));
    const opened: Deno.FsFile[] = [];
    const noting = (original: typeof Deno.openSync) =>
      ((...args) => {
        opened.push(original(...args));
        return opened.at(-1)!;
      }) as typeof Deno.openSync;
    whileOpening(noting, () => {
      for (const path of ["big", "bad", "sub", "missing"]) {
        assert.throws(() => reader.readText(path), SubmissionError);
      }
      reader.readText("a.txt");
    });
    assert.equal(opened.length, 3);
    for (const file of opened) assert.throws(() => file.statSync(), Deno.errors.BadResource);
  }),
);
