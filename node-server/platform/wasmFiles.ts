/** Where the WebAssembly builds lie, and how a thread of Node loads one. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { CoreGlue } from "@svc/shared/core/coreGlue.ts";
import { loadCore, loadProver } from "@svc/shared/core/loadCore.ts";
import type { ProverGlue } from "@svc/shared/core/proverGlue.ts";

const folder = new URL("../../wasm-core/pkg/", import.meta.url);

/** Loads the `core` build into this thread. Errors: `engine/abi-mismatch`, also when it was never built. */
export async function loadCoreFile(): Promise<CoreGlue> {
  const { glue, wasm } = await readBuild("core");
  return loadCore(glue, wasm);
}

/** Loads the `prover` build into this thread. Errors: `engine/abi-mismatch`, also when it was never built. */
export async function loadProverFile(): Promise<ProverGlue> {
  const { glue, wasm } = await readBuild("prover");
  return loadProver(glue, wasm);
}

async function readBuild(name: string): Promise<{ glue: unknown; wasm: Uint8Array<ArrayBuffer> }> {
  const script = new URL(`${name}/${name}.js`, folder);
  const wasm = new URL(`${name}/${name}_bg.wasm`, folder);
  if (!existsSync(script) || !existsSync(wasm)) {
    const found = `nothing at ${fileURLToPath(script)}; run npm run setup`;
    throw new SvcError("engine/abi-mismatch", { expected: name, found });
  }
  const glue: unknown = await import(script.href);
  return { glue, wasm: new Uint8Array(readFileSync(wasm)) };
}
