/**
 * Loader of the WebAssembly modules, which are fetched and compiled once, and of the circuit assets that the prover works
 * from; other workers get the compiled module and the bytes.
 */
import { SvcError } from "@svc/shared/base/svcError.ts";
import coreUrl from "../../wasm-core/pkg/core/core_bg.wasm?url";
import assetsUrl from "../../wasm-core/assets/action-circuit.bin?url";
import { ownFile } from "../threads/ownFile.ts";
import proverUrl from "../../wasm-core/pkg/prover/prover_bg.wasm?url";

const compiled = new Map<string, Promise<WebAssembly.Module>>();

/** The `core` build. Rejects with `wallet/worker-failed` and `wallet/page-changed`; the next call tries again. */
export function coreModule(): Promise<WebAssembly.Module> {
  return compileOnce(coreUrl);
}

/** The `prover` build. */
export function proverModule(): Promise<WebAssembly.Module> {
  return compileOnce(proverUrl);
}

/** The circuit's description and parameters; whoever uses them checks their hash. Rejects as `coreModule` does. */
export async function circuitAssets(): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const response = await ownFile(assetsUrl);
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    throw workerError(error);
  }
}

/** Changes with the prover's build and with the circuit: names of built files hold hashes of their content. */
export function provingTag(): string {
  return `${assetsUrl} ${proverUrl}`;
}

function compileOnce(url: string): Promise<WebAssembly.Module> {
  const known = compiled.get(url);
  if (known !== undefined) return known;
  const module = compile(url);
  compiled.set(url, module);
  module.catch(() => compiled.delete(url));
  return module;
}

async function compile(url: string): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compileStreaming(ownFile(url));
  } catch (error) {
    throw workerError(error);
  }
}

function workerError(error: unknown): SvcError {
  if (error instanceof SvcError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new SvcError("wallet/worker-failed", { reason }, error);
}
