// Does nothing and answers.

/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />

self.postMessage("done");
self.close();
