// A web server on 127.0.0.1 that answers exactly as a table says, faults included.

/** One answer. Every field is that of `fixtures/conformance/http_routes.json`. */
export interface Route {
  method: string;
  /** With its query. */
  path: string;
  status?: number;
  /** `{http}` and `{dead}` in a value become the server's two addresses. */
  headers?: Record<string, string>;
  body?: string;
  body_base64?: string;
  /** Texts, and how often each comes. */
  body_parts?: [string, number][];
  /** Sent in chunked transfer encoding. */
  chunks?: string[];
  chunked?: boolean;
  /** Milliseconds after each chunk. */
  chunk_delay_ms?: number;
  /** Milliseconds before the headers. */
  delay_ms?: number;
  /** Milliseconds between headers and body. */
  body_delay_ms?: number;
  /** Announced instead of the true length. */
  content_length?: number;
  /** Announces no length: the body ends with the connection. */
  no_length?: boolean;
  /** Sent instead of everything else. */
  raw?: string;
  /** An interim `100 Continue` comes first. */
  interim_100?: boolean;
  http_version?: string;
}

/** A running server. */
export interface RouteServer {
  /** Base URL, without a slash at the end. */
  url: string;
  /** Base URL of a port of 127.0.0.1 on which nobody listens. */
  deadUrl: string;
  /** Connections that are open. */
  connections(): number;
  /** Stops at once, whatever is being sent. */
  close(): void;
}

const encoder = new TextEncoder();

/** Starts a server; what is not in the table is answered with 404. Each answer ends its connection. */
export function startRoutes(routes: readonly Route[]): RouteServer {
  const deadUrl = unusedUrl();
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${(listener.addr as Deno.NetAddr).port}`;
  const open = new Set<Deno.Conn>();
  const stop = new AbortController();

  const serve = async (connection: Deno.Conn) => {
    open.add(connection);
    try {
      const [method, path] = (await readHead(connection)).split(" ");
      const route = routes.find((one) => one.method === method && one.path === path) ??
        { method: "GET", path: "", status: 404, body: "no such route" };
      await answer(connection, route, { http: url, dead: deadUrl }, stop.signal);
    } catch {
      // The client has gone, or the server is being stopped.
    } finally {
      open.delete(connection);
      closeQuietly(connection);
    }
  };
  const accept = async () => {
    for await (const connection of listener) serve(connection);
  };
  accept();

  return {
    url,
    deadUrl,
    connections: () => open.size,
    close() {
      stop.abort();
      listener.close();
      for (const connection of open) closeQuietly(connection);
    },
  };
}

async function answer(
  connection: Deno.Conn,
  route: Route,
  places: { http: string; dead: string },
  signal: AbortSignal,
): Promise<void> {
  await pause(route.delay_ms, signal);
  if (route.raw !== undefined) return await send(connection, encoder.encode(route.raw));
  if (route.interim_100) await send(connection, encoder.encode("HTTP/1.1 100 Continue\r\n\r\n"));
  await send(connection, encoder.encode(head(route, places)));
  await pause(route.body_delay_ms, signal);
  if (route.chunked) {
    for (const chunk of route.chunks ?? []) {
      const bytes = encoder.encode(chunk);
      await send(connection, encoder.encode(`${bytes.length.toString(16)}\r\n${chunk}\r\n`));
      await pause(route.chunk_delay_ms, signal);
    }
    return await send(connection, encoder.encode("0\r\n\r\n"));
  }
  for (const [bytes, times] of parts(route)) {
    for (let time = 0; time < times; time++) await send(connection, bytes);
  }
}

function head(route: Route, places: { http: string; dead: string }): string {
  const lines = [`${route.http_version ?? "HTTP/1.1"} ${route.status ?? 200} Status`];
  for (const [name, value] of Object.entries(route.headers ?? {})) {
    const filled = value.replaceAll("{http}", places.http).replaceAll("{dead}", places.dead);
    lines.push(`${name}: ${filled}`);
  }
  const bodiless = route.status === 204 || route.status === 304;
  if (route.chunked) lines.push("Transfer-Encoding: chunked");
  else if (!route.no_length && !bodiless) {
    const length = parts(route).reduce((sum, [bytes, times]) => sum + bytes.length * times, 0);
    lines.push(`Content-Length: ${route.content_length ?? length}`);
  }
  return [...lines, "Connection: close", "", ""].join("\r\n");
}

/** The body as pieces and how often each comes: a gigabyte need not be held. */
function parts(route: Route): [Uint8Array, number][] {
  if (route.body_parts) {
    return route.body_parts.flatMap(([text, times]): [Uint8Array, number][] => {
      const batch = Math.max(1, Math.floor(65536 / text.length));
      const rest = encoder.encode(text.repeat(times % batch));
      return [[encoder.encode(text.repeat(batch)), Math.floor(times / batch)], [rest, 1]];
    });
  }
  if (route.body_base64 !== undefined) return [[Uint8Array.fromBase64(route.body_base64), 1]];
  return [[encoder.encode(route.body ?? ""), 1]];
}

async function readHead(connection: Deno.Conn): Promise<string> {
  const buffer = new Uint8Array(16384);
  let head = "";
  while (!head.includes("\r\n\r\n")) {
    const count = await connection.read(buffer);
    if (count === null) break;
    head += new TextDecoder().decode(buffer.subarray(0, count));
  }
  return head;
}

async function send(connection: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let from = 0; from < bytes.length;) from += await connection.write(bytes.subarray(from));
}

function pause(ms: number | undefined, signal: AbortSignal): Promise<void> {
  if (ms === undefined) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const stopped = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stopped);
      resolve();
    }, ms);
    signal.addEventListener("abort", stopped, { once: true });
  });
}

function unusedUrl(): string {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  listener.close();
  return `http://127.0.0.1:${port}`;
}

function closeQuietly(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch {
    // Closed before.
  }
}
