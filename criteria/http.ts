// Criteria on what a web server answers.

import { requireInteger, requireNumber, requireText, wrong } from "../src/criterion/arguments.ts";
import { type Check, registerBuiltin } from "../src/criterion/builtin.ts";
import type { CriterionOptions } from "../src/criterion/options.ts";
import { SubmissionError } from "../src/errors.ts";
import { deadline } from "../src/deadline.ts";

/** Options of the criteria that make a request. */
export interface HttpOptions extends CriterionOptions {
  /** Seconds, more than 0, for the whole request with its redirects. Default 10. */
  timeout?: number;
  /** Hosts, each `host` or `host:port`, that a redirect may lead to beside the URL's own. */
  net?: readonly string[];
}

/** Options of {@link httpStatusEquals}. */
export interface HttpStatusOptions extends HttpOptions {
  /** The status that is wanted, from 100 to 999. Default 200. */
  status?: number;
}

const DEFAULT_TIMEOUT_SEC = 10;
/** What the check itself may take on top of its request. */
const ROOM_SEC = 60;

const MAX_REDIRECTS = 10;
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/**
 * Scores 1 when a GET request is answered with the wanted status. At most 10 redirects are
 * followed, to any port of the same host; one that names no usable place is itself the answer.
 * The body is not read. A request that fails in whatever way fails the check, with a warning.
 *
 * @param url Of `http:` or `https:`.
 * @throws {TypeError | RangeError} If an argument is of no use, such as a URL of another scheme.
 *
 * @example
 * ```ts ignore
 * import * as rk from "@rewardkit/cli";
 *
 * rk.httpStatusEquals("http://localhost:8000/health");
 * rk.httpStatusEquals("http://localhost:8000/missing", { status: 404, timeout: 2 });
 * ```
 */
export function httpStatusEquals(url: string, options: HttpStatusOptions = {}): void {
  const { status = 200 } = options;
  requireInteger("httpStatusEquals", "status", status, 100);
  if (status > 999) throw wrong("httpStatusEquals", "status", status, "an HTTP status up to 999");
  declare("http_status_equals", "httpStatusEquals", url, status, options, ["status"]);
}

/**
 * Scores 1 when a GET request is answered with success (a status of 200 to 299) and `text` is part
 * of the body: UTF-8 with U+FFFD for what is none, at most 16 MiB, line ends as they are. See
 * {@link httpStatusEquals} for redirects, failures and what is thrown.
 *
 * @param url Of `http:` or `https:`.
 *
 * @example
 * ```ts ignore
 * import * as rk from "@rewardkit/cli";
 *
 * rk.httpResponseContains("http://localhost:8000/", "Welcome", { timeout: 5 });
 * ```
 */
export function httpResponseContains(url: string, text: string, options: HttpOptions = {}): void {
  requireText("httpResponseContains", "text", text);
  declare("http_response_contains", "httpResponseContains", url, text, options, []);
}

/** How each criterion of this file is computed. */
export const checks: Record<string, Check> = {
  http_status_equals: (
    { mismatch },
    url: string,
    status: number,
    timeoutSec: number,
    hosts: readonly string[],
  ) =>
    get(
      url,
      timeoutSec,
      hosts,
      (response) => response.status === status || mismatch("equal", status, response.status),
    ),

  http_response_contains: (
    { mismatch },
    url: string,
    text: string,
    timeoutSec: number,
    hosts: readonly string[],
  ) =>
    get(url, timeoutSec, hosts, async (response) => {
      if (response.ok) {
        const body = await bodyText(response, url);
        return body.includes(text) || mismatch("within", text, body);
      }
      throw new SubmissionError(
        `"${url}" answered with status ${response.status}; only successful answers are searched`,
      );
    }),
};

function declare(
  criterion: string,
  author: string,
  url: string,
  wanted: string | number,
  options: HttpOptions,
  ownOptions: readonly string[],
): void {
  requireText(author, "url", url);
  const { timeout = DEFAULT_TIMEOUT_SEC, net = [] } = options;
  requireNumber(author, "timeout", timeout);
  if (timeout <= 0) throw wrong(author, "timeout", timeout, "a number of seconds above 0");
  const hosts = [requireUrl(author, url).hostname, ...requireHosts(author, net)];
  registerBuiltin({
    criterion,
    args: [url, wanted, timeout, hosts],
    options,
    ownOptions: ["timeout", "net", ...ownOptions],
    description: typeof wanted === "number"
      ? `GET ${url} answers with status ${wanted}`
      : `GET ${url} answers with ${JSON.stringify(wanted)} in the body`,
    // Without a port: a redirect to another port of the same host is followed.
    needs: hosts.map((host) => ({ net: host })),
    timeoutSec: timeout + ROOM_SEC,
  });
}

function requireUrl(author: string, url: string): URL {
  const parsed = URL.parse(url);
  if (parsed === null || !isHttp(parsed)) {
    throw new RangeError(
      `${author}() got the URL ${JSON.stringify(url)}, expected one that starts with ` +
        "http:// or https://",
    );
  }
  return parsed;
}

/** As Deno's permissions and URLs spell them: lower case, without a path. */
function requireHosts(author: string, hosts: unknown): string[] {
  const valid = Array.isArray(hosts) &&
    hosts.every((host) => typeof host === "string" && /^[^\s/@?#]+$/.test(host));
  if (!valid) throw wrong(author, "net", hosts, 'an array of "host" or "host:port"');
  return hosts.map((host: string) => host.toLowerCase());
}

function isHttp(url: URL): boolean {
  return url.protocol === "http:" || url.protocol === "https:";
}

/**
 * Makes the request and hands over the answer. Everything that belongs to the request is over when
 * it returns, so that nothing keeps the Worker busy.
 */
async function get(
  url: string,
  timeoutSec: number,
  hosts: readonly string[],
  use: (response: Response) => boolean | Promise<boolean>,
): Promise<boolean> {
  const request = new AbortController();
  const limit = deadline(timeoutSec, () => request.abort(TIME_IS_UP));
  const client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
  try {
    return await use(await follow(new URL(url), hosts, client, request.signal));
  } catch (error) {
    if (request.signal.reason === TIME_IS_UP) {
      throw new SubmissionError(`"${url}" took longer than ${timeoutSec} seconds to answer`);
    }
    throw requestError(url, error);
  } finally {
    limit.cancel();
    request.abort();
    client.close();
  }
}

const TIME_IS_UP = new Error("the time for the request is up");

/** Follows redirects by hand: the server is the graded work's and may point anywhere. */
async function follow(
  start: URL,
  hosts: readonly string[],
  client: Deno.HttpClient,
  signal: AbortSignal,
): Promise<Response> {
  let url = start;
  for (let redirects = 0;; redirects++) {
    const response = await fetch(url, { redirect: "manual", client, signal });
    const next = redirectTarget(response, url);
    if (next === null) return response;
    await response.body?.cancel();
    if (redirects === MAX_REDIRECTS) {
      throw new SubmissionError(`"${start}" redirects more than ${MAX_REDIRECTS} times`);
    }
    if (!hosts.some((host) => host === next.hostname || host === hostAndPort(next))) {
      throw new SubmissionError(
        `"${start}" redirects to another host, ${JSON.stringify(shorten(next.hostname))}; ` +
          "redirects stay on the URL's own host unless the net option lists theirs",
      );
    }
    url = next;
  }
}

/** Where the answer sends us; null if it is the final one. */
function redirectTarget(response: Response, from: URL): URL | null {
  const location = response.headers.get("location");
  if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return null;
  const target = URL.parse(location, from);
  return target !== null && isHttp(target) ? target : null;
}

function hostAndPort(url: URL): string {
  return `${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;
}

/** The body in one buffer: a list would cost a hostile server's every byte a chunk of its own. */
async function bodyText(response: Response, url: string): Promise<string> {
  let body = new Uint8Array(0);
  let length = 0;
  for await (const chunk of response.body ?? []) {
    const wanted = length + chunk.length;
    if (wanted > MAX_BODY_BYTES) {
      throw new SubmissionError(`the body of "${url}" is larger than ${MAX_BODY_BYTES} bytes`);
    }
    if (wanted > body.length) {
      const grown = new Uint8Array(Math.min(MAX_BODY_BYTES, Math.max(wanted, 2 * body.length)));
      grown.set(body);
      body = grown;
    }
    body.set(chunk, length);
    length = wanted;
  }
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(body.subarray(0, length));
}

/** A missing permission is a mistake of ours; any other failure is the server's. */
function requestError(url: string, error: unknown): unknown {
  if (error instanceof SubmissionError || error instanceof Deno.errors.NotCapable) return error;
  const parts = [error, error instanceof Error ? error.cause : undefined]
    .filter((part) => part instanceof Error).map((part) => part.message);
  const reason = parts.length > 0 ? parts.join(": ") : String(error);
  return new SubmissionError(`the request to "${url}" failed: ${shorten(reason)}`, {
    cause: error,
  });
}

function shorten(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
