/** Entry of the npm package in a browser: the build `core`, fetched from where the bundler put it. */
import { loadCore } from "../shared/core/loadCore.ts";
import * as glue from "../wasm-core/pkg/core/core.js";
import { fetchModule } from "./fetchFile.ts";
import { openOnce } from "./openOnce.ts";

/**
 * Makes the instance of this page or worker, and gives the same one from then on: engine, scanner, note tree, keys and signing.
 * Rejects with `engine/abi-mismatch`, `engine/panic`, `engine/out-of-memory`, and when the file cannot be fetched; then the next
 * call tries again.
 */
export const openCore = openOnce(async () =>
  loadCore(glue, await fetchModule(new URL("../wasm-core/pkg/core/core_bg.wasm", import.meta.url))),
);
