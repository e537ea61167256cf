/** Entry of the npm package in a browser: the build `prover`, fetched from where the bundler put it. */
import { loadProver } from "../shared/core/loadCore.ts";
import * as glue from "../wasm-core/pkg/prover/prover.js";
import { fetchFile, fetchModule } from "./fetchFile.ts";
import { openOnce } from "./openOnce.ts";

/**
 * Makes the instance of this worker, and gives the same one from then on: proving and verification. Rejects with
 * `engine/abi-mismatch`, `engine/panic`, `engine/out-of-memory`, and when the file cannot be fetched; then the next call tries
 * again.
 */
export const openProver = openOnce(async () =>
  loadProver(
    glue,
    await fetchModule(new URL("../wasm-core/pkg/prover/prover_bg.wasm", import.meta.url)),
  ),
);

/** The circuit that `ProvingKeys` reads. Rejects when the file cannot be fetched. */
export function circuit(): Promise<Uint8Array<ArrayBuffer>> {
  return fetchFile(new URL("../wasm-core/assets/action-circuit.bin", import.meta.url));
}
