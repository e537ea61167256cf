/** The WebAssembly builds, fetched and compiled once; other workers get the compiled module. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import coreUrl from "../../wasm-core/pkg/core/core_bg.wasm?url";
import proverUrl from "../../wasm-core/pkg/prover/prover_bg.wasm?url";

const compiled = new Map<string, Promise<WebAssembly.Module>>();

/** The `core` build. Rejects with `wallet/worker-failed`; the next call tries again. */
export function coreModule(): Promise<WebAssembly.Module> {
  return compileOnce(coreUrl);
}

/** The `prover` build. */
export function proverModule(): Promise<WebAssembly.Module> {
  return compileOnce(proverUrl);
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
    return await WebAssembly.compileStreaming(fetch(url));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SvcError("wallet/worker-failed", { reason }, error);
  }
}
