// @ts-self-types="./jpeg_wasm.d.ts"
// The decoder as a module of the program: compiled without reading a file, so that a Worker without
// any permission can use it. In JavaScript because TypeScript does not know the syntax.
import source wasm from "@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm";

export default wasm;
