/** Entry of the npm package under Node: the build `core`, read from the file beside it. */
import { readFileSync } from "node:fs";
import { loadCore } from "../shared/core/loadCore.ts";
import * as glue from "../wasm-core/pkg/core/core.js";
import { openOnce } from "./openOnce.ts";

/**
 * Makes the instance of this thread, and gives the same one from then on: engine, scanner, note tree, keys and signing. Rejects
 * with `engine/abi-mismatch`, `engine/panic`, `engine/out-of-memory`.
 */
export const openCore = openOnce(async () =>
  loadCore(glue, readFileSync(new URL("../wasm-core/pkg/core/core_bg.wasm", import.meta.url))),
);
