import assert from "node:assert/strict";
import { beginLoading, endLoading } from "../src/criterion/registry.ts";
import { type Route, startRoutes } from "../tests/route_server.ts";
import { outcomeOf, recordedCases } from "./conformance_workspace.ts";
import { checks, httpResponseContains, httpStatusEquals } from "./http.ts";

const ROUTES: Route[] = JSON.parse(
  Deno.readTextFileSync(new URL("../fixtures/conformance/http_routes.json", import.meta.url)),
);

/** Cases that score otherwise here: the call is refused when it is declared. */
const REFUSED = new Set([
  "http_status_equals-058", // status 0
  "http_status_equals-062", // empty URL
  "http_status_equals-063", // ftp:
  "http_status_equals-067", // file:
  "http_status_equals-069", // not a string
  "http_response_contains-041", // file:
  "http_response_contains-042", // file:
  "http_response_contains-043", // empty URL
]);

const status = (url: string, wanted = 200, timeoutSec = 10, net: string[] = []) =>
  outcomeOf(checks.http_status_equals!, "/", url, wanted, timeoutSec, [host(url), ...net]);
const contains = (url: string, text: string, timeoutSec = 10, net: string[] = []) =>
  outcomeOf(checks.http_response_contains!, "/", url, text, timeoutSec, [host(url), ...net]);
const host = (url: string) => new URL(url).hostname;

Deno.test("http_status_equals and http_response_contains score as recorded", async () => {
  const server = startRoutes(ROUTES);
  let agreed = 0;
  let refused = 0;
  try {
    for (const criterion of ["http_status_equals", "http_response_contains"]) {
      for (const { id, args, kwargs, value } of recordedCases(criterion)) {
        const [rawUrl, wanted, timeout] = args;
        const url = typeof rawUrl === "string"
          ? rawUrl.replace("{http}", server.url).replace("{dead}", server.deadUrl)
          : rawUrl;
        if (REFUSED.has(id)) {
          refused++;
          assert.throws(
            () =>
              criterion === "http_status_equals"
                ? httpStatusEquals(url as string, { status: wanted as number })
                : httpResponseContains(url as string, wanted as string),
            (error) => error instanceof RangeError || error instanceof TypeError,
            id,
          );
          continue;
        }
        const seconds = (timeout ?? kwargs.timeout ?? 10) as number;
        const { result, warnings } = criterion === "http_status_equals"
          ? await status(url as string, wanted as number | undefined, seconds)
          : await contains(url as string, wanted as string, seconds);
        assert.equal(Number(result), value, `${id}: ${warnings}`);
        agreed++;
      }
    }
    assert.equal(refused, REFUSED.size);
    assert.ok(agreed > 70, `${agreed} cases`);
  } finally {
    server.close();
  }
});

Deno.test("HTTP criteria fail with a warning that names the reason", async () => {
  const server = startRoutes(ROUTES);
  const { url, deadUrl } = server;
  try {
    const failures: [ReturnType<typeof status>, RegExp][] = [
      [status(`${deadUrl}/`), /the request to ".*" failed: .*refused/],
      [status(`${url}/garbage`), /failed: /],
      [status(`${url}/hangup`), /failed: /],
      [status(`${url}/slow`, 200, 0.2), /took longer than 0\.2 seconds/],
      [contains(`${url}/slowbody`, "late", 0.2), /took longer than 0\.2 seconds/],
      [contains(`${url}/drip`, "four", 0.7), /took longer than 0\.7 seconds/],
      [contains(`${url}/short`, "partial"), /failed: /],
      [contains(`${url}/500`, "error page"), /status 500; only successful answers/],
      [contains(`${url}/r_noloc`, "no location"), /status 302/],
      [status(`${url}/loop`, 302), /redirects more than 10 times/],
      [status(`${url}/ping`, 301), /redirects more than 10 times/],
      [status(`${url}/r_dead`), /failed: .*refused/],
      [status("http://nosuch.invalid/"), /failed: /],
    ];
    for (const [outcome, warning] of failures) {
      const { result, warnings } = await outcome;
      assert.equal(result, 0);
      assert.equal(warnings.length, 1);
      assert.match(warnings[0]!, warning);
    }
  } finally {
    server.close();
  }
});

Deno.test("HTTP criteria do without a warning where the server just answers otherwise", async () => {
  const server = startRoutes(ROUTES);
  try {
    assert.deepEqual(await status(`${server.url}/404`), { result: false, warnings: [] });
    const missed = await contains(`${server.url}/ok`, "absent");
    assert.deepEqual(missed, { result: false, warnings: [] });
  } finally {
    server.close();
  }
});

Deno.test("http_status_equals takes a redirect that leads nowhere as the answer", async () => {
  const server = startRoutes(ROUTES);
  try {
    for (const path of ["/r_noloc", "/r_file"]) {
      assert.equal((await status(server.url + path, 302)).result, true);
      assert.equal((await status(server.url + path, 200)).result, false);
    }
  } finally {
    server.close();
  }
});

Deno.test("HTTP criteria stay on the host unless net lists the other", async () => {
  const target = startRoutes(ROUTES);
  const { port } = new URL(target.url);
  const server = startRoutes([
    ...ROUTES,
    redirect("/away", `http://localhost:${port}/ok`),
    redirect("/port", `${target.url}/ok`),
    redirect("/there", "/away"),
  ]);
  try {
    for (const path of ["/away", "/there"]) {
      const { result, warnings } = await status(server.url + path);
      assert.equal(result, 0);
      assert.match(warnings[0]!, /redirects to another host, "localhost"; .* net option/);
    }
    assert.equal((await status(`${server.url}/port`)).result, true);
    for (const listed of ["localhost", `localhost:${port}`]) {
      assert.equal((await status(`${server.url}/there`, 200, 10, [listed])).result, true);
      const found = await contains(`${server.url}/away`, "hello", 10, [listed]);
      assert.equal(found.result, true);
    }
    const otherPort = await status(`${server.url}/away`, 200, 10, ["localhost:1"]);
    assert.equal(otherPort.result, 0);
  } finally {
    server.close();
    target.close();
  }
});

Deno.test("http_response_contains stops reading what is too large or never ends", async () => {
  const server = startRoutes([
    { method: "GET", path: "/gigabyte", body_parts: [["x", 2 ** 30]] },
    { method: "GET", path: "/unannounced", body_parts: [["x", 2 ** 30]], no_length: true },
    { method: "GET", path: "/limit", body_parts: [["x", 16 * 2 ** 20 - 6], ["MARKER", 1]] },
    { method: "GET", path: "/over", body_parts: [["MARKER", 1], ["x", 16 * 2 ** 20]] },
    {
      method: "GET",
      path: "/endless",
      chunked: true,
      chunks: Array(1e4).fill("x"),
      chunk_delay_ms: 1,
    },
    {
      method: "GET",
      path: "/bomb",
      headers: { "Content-Encoding": "gzip" },
      body_base64: await bomb(),
    },
  ]);
  try {
    for (const path of ["/gigabyte", "/unannounced", "/over", "/bomb"]) {
      const start = performance.now();
      const { result, warnings } = await contains(server.url + path, "MARKER", 30);
      assert.equal(result, 0);
      assert.match(warnings[0]!, /is larger than 16777216 bytes/);
      assert.ok(performance.now() - start < 10_000);
    }
    assert.equal((await contains(`${server.url}/limit`, "MARKER")).result, true);
    const endless = await contains(`${server.url}/endless`, "y", 0.5);
    assert.match(endless.warnings[0]!, /took longer than 0\.5 seconds/);
    // The status needs no body.
    assert.equal((await status(`${server.url}/gigabyte`)).result, true);
    for (let time = 0; time < 300 && server.connections() > 0; time++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.equal(server.connections(), 0);
  } finally {
    server.close();
  }
});

Deno.test("HTTP criteria refuse arguments that cannot be meant", () => {
  const refused: [() => void, RegExp][] = [
    [() => httpStatusEquals("file:///etc/passwd"), /got the URL "file:\/\/\/etc\/passwd"/],
    [() => httpStatusEquals("localhost:8000"), /starts with http:\/\/ or https:\/\//],
    [() => httpStatusEquals("http://"), /starts with/],
    [() => httpStatusEquals("http://a/", { status: 1000 }), /"status"/],
    [() => httpStatusEquals("http://a/", { status: 200.5 }), /"status"/],
    [() => httpStatusEquals("http://a/", { timeout: 0 }), /"timeout", expected a number of sec/],
    [() => httpStatusEquals("http://a/", { net: ["http://b/"] }), /"net"/],
    [() => httpStatusEquals("http://a/", { net: "b" as unknown as string[] }), /"net"/],
    [() => httpResponseContains("http://a/", 5 as unknown as string), /got 5 for "text"/],
  ];
  for (const [call, message] of refused) assert.throws(call, message);
});

Deno.test("HTTP criteria declare the hosts that they may reach", () => {
  beginLoading();
  httpStatusEquals("http://LocalHost:8000/x", { status: 404, timeout: 3, weight: 2 });
  httpResponseContains("https://[::1]/a b", "é", { net: ["Example.org:444"] });
  httpStatusEquals("http://a/");
  const [first, second, third] = endLoading().registrations;
  assert.equal(first?.criterion, "http_status_equals");
  assert.deepEqual(first.args, ["http://LocalHost:8000/x", 404, 3, ["localhost"]]);
  assert.deepEqual(first.needs, [{ net: "localhost" }]);
  assert.equal(first.timeoutSec, 63);
  assert.deepEqual(second?.needs, [{ net: "[::1]" }, { net: "example.org:444" }]);
  assert.deepEqual(second.args, ["https://[::1]/a b", "é", 10, ["[::1]", "example.org:444"]]);
  assert.deepEqual(third?.args[1], 200);
});

Deno.test("HTTP criteria work in a Worker that has only the declared permissions", async () => {
  const target = startRoutes(ROUTES);
  const server = startRoutes([redirect("/port", `${target.url}/ok`), ...ROUTES]);
  const module = new URL("./http.ts", import.meta.url).href;
  const worker = `
    import { checks } from ${JSON.stringify(module)};
    const hosts = ["127.0.0.1"];
    const score = (path) => checks.http_status_equals({}, ${
    JSON.stringify(server.url)
  } + path, 200, 5, hosts);
    const away = () => checks.http_status_equals({}, "http://localhost:1234/", 200, 5, hosts).catch((e) => e.name);
    self.postMessage([await score("/ok"), await score("/port"), await away()]);
    self.onmessage = null;`;
  const main = `
    const worker = new Worker("data:text/javascript,${encodeURIComponent(worker)}", {
      type: "module",
      deno: { permissions: { net: ["127.0.0.1"], read: false, write: false, run: false, env: false, sys: false, ffi: false, import: false } },
    });
    worker.onmessage = ({ data }) => { console.log(JSON.stringify(data)); worker.terminate(); };`;
  try {
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-A",
        "--quiet",
        "--no-check",
        "--unstable-worker-options",
        `data:text/javascript,${encodeURIComponent(main)}`,
      ],
      env: { HTTP_PROXY: server.deadUrl, NO_PROXY: "localhost,127.0.0.0/8,::1" },
    }).output();
    assert.equal(new TextDecoder().decode(stdout), '[true,true,"NotCapable"]\n');
    assert.equal(new TextDecoder().decode(stderr), "");
  } finally {
    server.close();
    target.close();
  }
});

function redirect(path: string, location: string): Route {
  return { method: "GET", path, status: 302, headers: { Location: location } };
}

/** 100 MiB of zeros, packed small. */
async function bomb(): Promise<string> {
  const zeros = new Blob([new Uint8Array(100 * 2 ** 20)]).stream();
  const packed = zeros.pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(packed).arrayBuffer()).toBase64();
}
