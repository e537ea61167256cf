/** The generated bindings of the `prover` build as TypeScript sees them (docs/interfaces.md 4). */
import { missingExports, type CommonGlue, type WasmObject } from "./coreGlue.ts";

/** Checks proofs and signatures. */
export interface RawVerifier extends WasmObject {
  /**
   * "" when the transaction is valid, read in the form `format` (0 plain, 1 with a named anchor block),
   * else the error as JSON. Throws `engine/bad-call` for another form.
   */
  verifyTransaction(profileJson: string, rawTx: Uint8Array, format: number): string;
}

/** A proved payment without signatures. */
export interface RawPayment extends WasmObject {
  bundle(): Uint8Array;
  disclosure(): string;
  alphas(): string;
  sighash(): Uint8Array;
  finalize(sigsJson: string): Uint8Array;
}

/** Makes proofs. */
export interface RawProver extends WasmObject {
  prove(planJson: string, progress: (stage: string, fraction: number) => void): RawPayment;
}

/** The `prover` build. The constructors build keys and take seconds. */
export interface ProverGlue extends CommonGlue {
  readonly Verifier: new () => RawVerifier;
  readonly Prover: new () => RawProver;
}

/** Every function and class of the `prover` build. */
export const PROVER_EXPORTS = [
  "initSync",
  "abiVersion",
  "Verifier",
  "Prover",
] as const satisfies readonly (keyof ProverGlue)[];

/** Whether an imported module is the `prover` build's bindings. */
export function isProverGlue(module: unknown): module is ProverGlue {
  return missingExports(module, PROVER_EXPORTS).length === 0;
}
