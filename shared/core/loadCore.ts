/**
 * Initialises a WebAssembly build and checks that it and this facade belong together.
 *
 * Node passes the bytes of the file; a browser worker passes the `Module` its page compiled and posted.
 * Bindings are one instance per thread: a thread whose instance failed is replaced, not repaired.
 */
import { SvcError } from "../base/svcError.ts";
import { callCore } from "./callCore.ts";
import { noteMemory } from "./coreMemory.ts";
import {
  CORE_EXPORTS,
  isCoreGlue,
  missingExports,
  type CommonGlue,
  type CoreGlue,
  type WasmSource,
} from "./coreGlue.ts";
import { isProverGlue, PROVER_EXPORTS, type ProverGlue } from "./proverGlue.ts";

/** The version of docs/formats.md 3 that this facade speaks. */
export const ABI_VERSION = 2;

/** Initialises the `core` build. Errors: `engine/abi-mismatch`, `engine/panic`, `engine/out-of-memory`. */
export function loadCore(glue: unknown, wasm: WasmSource): CoreGlue {
  if (!isCoreGlue(glue)) throw mismatch(lacking(glue, CORE_EXPORTS));
  return initialise(glue, wasm);
}

/** Initialises the `prover` build. Errors: `engine/abi-mismatch`, `engine/panic`, `engine/out-of-memory`. */
export function loadProver(glue: unknown, wasm: WasmSource): ProverGlue {
  if (!isProverGlue(glue)) throw mismatch(lacking(glue, PROVER_EXPORTS));
  return initialise(glue, wasm);
}

function initialise<Glue extends CommonGlue>(glue: Glue, wasm: WasmSource): Glue {
  noteMemory(callCore(() => glue.initSync({ module: wasm })));
  const found = callCore(() => glue.abiVersion());
  if (found !== ABI_VERSION) throw mismatch(String(found));
  return glue;
}

function lacking(glue: unknown, names: readonly string[]): string {
  return `a build without ${missingExports(glue, names).join(", ")}`;
}

function mismatch(found: string): SvcError {
  return new SvcError("engine/abi-mismatch", { expected: ABI_VERSION, found });
}
