// Takes away, before a stranger's code is loaded, what reaches beyond its Worker: the process that
// Workers share, other Workers, and what outlives the run. Depth, not the boundary.
//
// No top-level await: everything else has to wait for this module.

/** Of the global object: Node's half, ways to other Workers, storage, and devices. */
const GLOBALS = [
  ...["process", "global", "Buffer", "setImmediate", "clearImmediate"],
  ...["Worker", "SharedWorker", "BroadcastChannel", "MessageChannel", "MessagePort"],
  ...["caches", "CacheStorage", "Cache", "localStorage", "sessionStorage", "Storage"],
  ...["GPU", "GPUAdapter", "GPUDevice", "createImageBitmap"],
];

/** Of `Deno`: what acts on the process, or tells how it was started. */
const OF_DENO = [
  ...["kill", "addSignalListener", "removeSignalListener", "stdin", "stdout", "stderr", "args"],
  ...["openKv", "AtomicOperation", "Kv", "cron", "jupyter", "test", "bench"],
  ...["mainModule", "execPath", "unrefTimer", "refTimer", "umask", "chdir"],
  ...["dlopen", "UnsafeCallback", "UnsafeFnPointer", "UnsafePointer", "UnsafePointerView"],
  ...["UnsafeWindowSurface", "webgpu"],
];

function takeAway(owner: object, names: readonly PropertyKey[]): void {
  for (const name of names) {
    if (!(name in owner)) continue;
    // What cannot be deleted is covered.
    if (!Reflect.deleteProperty(owner, name)) {
      Object.defineProperty(owner, name, { value: undefined, configurable: false });
    }
  }
}

takeAway(globalThis, GLOBALS);
if ("gpu" in navigator) takeAway(Object.getPrototypeOf(navigator), ["gpu"]);
const { internal } = Deno as unknown as { internal: symbol };
takeAway(Deno, [internal, "internal", ...OF_DENO]);
