/** Entry of the npm package under Node: the build `core`, read from the file beside it. */
import { readFileSync } from "node:fs";
import type { CoreGlue } from "../shared/core/generated/coreGlue.ts";
import { loadCore } from "../shared/core/loadCore.ts";
import * as glue from "../wasm-core/pkg/core/core.js";

let opened: CoreGlue | undefined;

/**
 * Makes the instance of this thread, and gives the same one from then on: engine, scanner, note tree, keys and signing. Rejects
 * with `engine/abi-mismatch`, `engine/panic`, `engine/out-of-memory`.
 */
export async function openCore(): Promise<CoreGlue> {
  opened ??= loadCore(
    glue,
    readFileSync(new URL("../wasm-core/pkg/core/core_bg.wasm", import.meta.url)),
  );
  return opened;
}
