/** Entry of the npm package under Node: the build `prover`, read from the file beside it. */
import { readFileSync } from "node:fs";
import { loadProver } from "../shared/core/loadCore.ts";
import * as glue from "../wasm-core/pkg/prover/prover.js";
import { openOnce } from "./openOnce.ts";

/**
 * Makes the instance of this thread, and gives the same one from then on: proving and verification. Rejects with
 * `engine/abi-mismatch`, `engine/panic`, `engine/out-of-memory`.
 */
export const openProver = openOnce(async () =>
  loadProver(
    glue,
    readFileSync(new URL("../wasm-core/pkg/prover/prover_bg.wasm", import.meta.url)),
  ),
);

/** The circuit that `ProvingKeys` reads. Rejects when the file is not there. */
export async function circuit(): Promise<Uint8Array<ArrayBuffer>> {
  return readFileSync(new URL("../wasm-core/assets/action-circuit.bin", import.meta.url));
}
