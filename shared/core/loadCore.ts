/**
 * Initialises a WebAssembly build and checks that it and this facade belong together.
 *
 * Node passes the bytes of the file; a browser worker passes the `Module` its page compiled and posted.
 * Bindings are one instance per thread: a thread whose instance failed is replaced, not repaired.
 */
import { SvcError } from "../base/svcError.ts";
import { callCore } from "./callCore.ts";
import { noteMemory } from "./coreMemory.ts";
import { CORE_EXPORTS, type CoreGlue } from "./generated/coreGlue.ts";
import type { WasmSource } from "./wasmHost.ts";
import { PROVER_EXPORTS, type ProverGlue } from "./generated/proverGlue.ts";

/** The exports that both builds have. */
type CommonGlue = Pick<CoreGlue, keyof CoreGlue & keyof ProverGlue>;

/** The version of docs/formats.md 3 that this facade speaks. */
export const ABI_VERSION = 5;

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

function isCoreGlue(module: unknown): module is CoreGlue {
  return missingExports(module, CORE_EXPORTS).length === 0;
}

function isProverGlue(module: unknown): module is ProverGlue {
  return missingExports(module, PROVER_EXPORTS).length === 0;
}

/** The names that a module does not export as functions. */
function missingExports(module: unknown, names: readonly string[]): string[] {
  if (typeof module !== "object" || module === null) return [...names];
  return names.filter((name) => typeof Reflect.get(module, name) !== "function");
}

function lacking(glue: unknown, names: readonly string[]): string {
  return `a build without ${missingExports(glue, names).join(", ")}`;
}

function mismatch(found: string): SvcError {
  return new SvcError("engine/abi-mismatch", { expected: ABI_VERSION, found });
}
