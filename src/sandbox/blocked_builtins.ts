// Node's modules that a stranger's check file cannot import: they reach the process that Workers
// share, its descriptors above all, and Deno asks for no permission there.

/** What only computes stays: `node:path`, `node:util` and their like. */
const BLOCKED = (
  "_http_agent _http_common _http_outgoing _http_server _stream_duplex _stream_passthrough " +
  "_stream_readable _stream_transform _stream_writable _tls_common _tls_wrap async_hooks " +
  "child_process cluster console constants crypto dgram diagnostics_channel dns dns/promises " +
  "domain fs fs/promises http http2 https inspector inspector/promises module net os perf_hooks " +
  "process readline readline/promises repl sqlite stream stream/consumers stream/promises " +
  "stream/web sys test test/reporters timers timers/promises tls trace_events tty v8 vm wasi " +
  "worker_threads zlib"
).split(" ");

/** Entries of an import map: each leads to a module that throws and says why. */
export const BLOCKED_BUILTINS: Readonly<Record<string, string>> = Object.fromEntries(
  BLOCKED.map((name) => {
    const message = `node:${name} is not there for untrusted check files`;
    return [
      `node:${name}`,
      `data:text/javascript,${encodeURIComponent(`throw new Error(${JSON.stringify(message)});`)}`,
    ];
  }),
);
