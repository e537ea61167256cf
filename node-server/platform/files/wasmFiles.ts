/** Locates and loads the WebAssembly builds in a thread of Node. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { loadCore, loadProver } from "@svc/shared/core/loadCore.ts";
import type { ProverGlue } from "@svc/shared/core/generated/proverGlue.ts";
import { PROJECT_ROOT } from "../projectRoot.ts";

const folder = new URL("wasm-core/pkg/", PROJECT_ROOT);
const assets = new URL("wasm-core/assets/action-circuit.bin", PROJECT_ROOT);

/** Loads the `core` build into this thread. Errors: `engine/abi-mismatch`, also when it was never built. */
export async function loadCoreFile(): Promise<CoreGlue> {
  const { glue, wasm } = await readBuild("core");
  return letGo(wasm, () => loadCore(glue, wasm));
}

/** Loads the `prover` build into this thread. Errors: `engine/abi-mismatch`, also when it was never built. */
export async function loadProverFile(): Promise<ProverGlue> {
  const { glue, wasm } = await readBuild("prover");
  return letGo(wasm, () => loadProver(glue, wasm));
}

/** Loads the `prover` build's bindings and its compiled module, for several threads of which each makes an instance. */
export async function compileProverFile(): Promise<{ glue: unknown; module: WebAssembly.Module }> {
  const { glue, wasm } = await readBuild("prover");
  return { glue, module: await WebAssembly.compile(wasm) };
}

/** Imports the bindings of the `prover` build alone, for a thread that is sent the compiled module. */
export async function importProverGlue(): Promise<unknown> {
  const { glue } = await importGlue("prover");
  return glue;
}

/** Reads the description of the circuit that proofs are made for. Whoever uses it checks its hash. */
export function readCircuitAssets(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(assets));
}

/** Gives a file's bytes back after their use: a thread that is idle from then on would keep them for want of a collection. */
function letGo<T>(bytes: Uint8Array<ArrayBuffer>, use: () => T): T {
  try {
    return use();
  } finally {
    bytes.buffer.transfer(0);
  }
}

async function readBuild(name: string): Promise<{ glue: unknown; wasm: Uint8Array<ArrayBuffer> }> {
  const { glue, wasm } = await importGlue(name);
  return { glue, wasm: readFileSync(wasm) };
}

async function importGlue(name: string): Promise<{ glue: unknown; wasm: URL }> {
  const script = new URL(`${name}/${name}.js`, folder);
  const wasm = new URL(`${name}/${name}_bg.wasm`, folder);
  if (!existsSync(script) || !existsSync(wasm)) {
    const found = `nothing at ${fileURLToPath(script)}; run npm run setup`;
    throw new SvcError("engine/abi-mismatch", { expected: name, found });
  }
  const glue: unknown = await import(script.href);
  return { glue, wasm };
}
