/** MozJPEG's decoder, compiled. */
declare const wasm: WebAssembly.Module;
export default wasm;
