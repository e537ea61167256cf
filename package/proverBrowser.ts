/** Entry of the npm package in a browser: the build `prover`, fetched from where the bundler put it. */
import type { ProverGlue } from "../shared/core/generated/proverGlue.ts";
import { loadProver } from "../shared/core/loadCore.ts";
import * as glue from "../wasm-core/pkg/prover/prover.js";
import { fetchFile } from "./fetchFile.ts";

let opened: Promise<ProverGlue> | undefined;

/**
 * Makes the instance of this worker, and gives the same one from then on: proving and verification. Rejects with
 * `engine/abi-mismatch`, `engine/panic`, `engine/out-of-memory`, and when the file cannot be fetched; then the next call tries
 * again.
 */
export function openProver(): Promise<ProverGlue> {
  opened ??= open();
  return opened;
}

/** The circuit that `ProvingKeys` reads. Rejects when the file cannot be fetched. */
export function circuit(): Promise<Uint8Array<ArrayBuffer>> {
  return fetchFile(new URL("../wasm-core/assets/action-circuit.bin", import.meta.url));
}

async function open(): Promise<ProverGlue> {
  try {
    const url = new URL("../wasm-core/pkg/prover/prover_bg.wasm", import.meta.url);
    return loadProver(glue, await WebAssembly.compile(await fetchFile(url)));
  } catch (error) {
    opened = undefined;
    throw error;
  }
}
