/**
 * Entry of a worker thread with little WebAssembly memory: runs another entry, whose modules get a bounded number of bytes
 * beyond their initial memory.
 */
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
