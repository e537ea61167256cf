/** Entry of the npm package in a browser: the build `core`, fetched from where the bundler put it. */
import type { CoreGlue } from "../shared/core/generated/coreGlue.ts";
import { loadCore } from "../shared/core/loadCore.ts";
import * as glue from "../wasm-core/pkg/core/core.js";
import { fetchFile } from "./fetchFile.ts";

let opened: Promise<CoreGlue> | undefined;

/**
 * Makes the instance of this page or worker, and gives the same one from then on: engine, scanner, note tree, keys and signing.
 * Rejects with `engine/abi-mismatch`, `engine/panic`, `engine/out-of-memory`, and when the file cannot be fetched; then the next
 * call tries again.
 */
export function openCore(): Promise<CoreGlue> {
  opened ??= open();
  return opened;
}

async function open(): Promise<CoreGlue> {
  try {
    const url = new URL("../wasm-core/pkg/core/core_bg.wasm", import.meta.url);
    return loadCore(glue, await WebAssembly.compile(await fetchFile(url)));
  } catch (error) {
    opened = undefined;
    throw error;
  }
}
