/** Entry of a thread that runs another entry, whose WebAssembly builds get so much memory beyond what they begin with. */
import { workerData } from "node:worker_threads";
import { boundedMemory, firstMemory } from "./boundedMemory.ts";

/** What the thread is started with, beside the data of the other entry. */
export type Starved = { readonly entry: string; readonly spareBytes: number };

const { entry, spareBytes }: Starved = workerData;

WebAssembly.Module = new Proxy(WebAssembly.Module, {
  construct: (real, [wasm]: [Uint8Array]) =>
    new real(boundedMemory(wasm, firstMemory(wasm) + spareBytes)),
});

await import(entry);
