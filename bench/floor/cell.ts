// Starts one Worker that may do nothing and passes its answer on.

const options = { type: "module", deno: { permissions: "none" } } as WorkerOptions;
const worker = new Worker(new URL("./worker.ts", import.meta.url), options);
worker.onmessage = ({ data }: MessageEvent<string>) => {
  console.log(data);
  worker.terminate();
};
