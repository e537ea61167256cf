/** Types of the generated bindings of the `prover` build (docs/formats.md 3). */
import { missingExports, type CommonGlue, type WasmObject } from "./coreGlue.ts";

/** A verifier of proofs and signatures with the upstream library, one transaction at a time. */
export interface RawVerifier extends WasmObject {
  /**
   * "" when the transaction is valid, read in the form `format` (0 plain, 1 with a named anchor block),
   * else the error as JSON. Throws `engine/bad-call` for another form.
   */
  verifyTransaction(profileJson: string, rawTx: Uint8Array, format: number): string;
}

/** Tables that take long to build may be stored: `cache` is empty where nothing is worth it. */
interface RawCached extends WasmObject {
  /** Whether given tables were used; those that do not fit or are damaged are built anew. */
  usedCache(): boolean;
  /** The tables, for the next start. */
  cache(): Uint8Array;
}

/** A verifier of proofs and signatures of many transactions at once. */
export interface RawBatchVerifier extends RawCached {
  /**
   * JSON array with one text per transaction, "" when it is valid, else the error as JSON. `formats` has one
   * byte per transaction. Throws `engine/bad-call`, `keys/random-unavailable`.
   */
  verifyTransactions(
    profileJson: string,
    rawTxs: readonly Uint8Array[],
    formats: Uint8Array,
  ): string;
}

/** A proved payment without signatures. */
export interface RawPayment extends WasmObject {
  bundle(): Uint8Array;
  disclosure(): string;
  alphas(): string;
  sighash(): Uint8Array;
  finalize(sigsJson: string): Uint8Array;
}

/** A prover with the upstream library in one thread. */
export interface RawProver extends WasmObject {
  prove(planJson: string, progress: (stage: string, fraction: number) => void): RawPayment;
}

/** One worker's share of a proof: fixed tables, and the columns of its actions while a proof is under way. */
export interface RawEngineShard extends RawCached {
  /** Serves one task of `RawEngineProof.next`. */
  run(task: Uint8Array): Uint8Array;
  /** Overwrites what is here of a proof that is given up. */
  forget(): void;
}

/** The coordinator of a proof: hands out tasks and puts results together. */
export interface RawEngineProof extends WasmObject {
  /**
   * Takes the results of the last tasks, in order and none at first, and gives as many for each shard: one
   * for each, then the next for each, and so on. A shard serves its own in order. Undefined when the proof is
   * made.
   */
  next(results: readonly Uint8Array[]): Uint8Array[] | undefined;
  /** Tells that one more of the last tasks was served. */
  served(): void;
  /** Whether any shard may serve those of the last tasks that are not a shard's first. */
  movable(): boolean;
  /** What the last tasks are part of. */
  phase(): string;
  /** How much of the whole is done, 0 to 1. */
  fraction(): number;
  /** The proved payment, once. Throws `engine/bad-call` before `next` has answered undefined. */
  payment(): RawPayment;
}

/** The circuit, which all of our engine works from. Small; a thread needs one. */
export interface RawEngineKeys extends WasmObject {
  /** Makes a shard, with stored tables if there are any. */
  shard(cache?: Uint8Array): RawEngineShard;
  /** Builds the actions of a plan and begins their proof over so many shards. */
  proof(planJson: string, shards: number): RawEngineProof;
  /** Begins a proof that nobody wants and that gives no payment. */
  rehearsal(shards: number): RawEngineProof;
  /** Makes a verifier, with stored tables if there are any. */
  verifier(cache?: Uint8Array): RawBatchVerifier;
}

/** The `prover` build. `Verifier` and `Prover` build keys, which takes many seconds. */
export interface ProverGlue extends CommonGlue {
  readonly Verifier: new () => RawVerifier;
  readonly Prover: new () => RawProver;
  /** Reads the circuit's description. Throws when it is not the one this build is for. */
  readonly EngineKeys: new (assets: Uint8Array) => RawEngineKeys;
  /** Changes with every circuit and every form of the stored tables; part of the name they are stored under. */
  cacheTag(): string;
}

/** The names of every function and class of the `prover` build. */
export const PROVER_EXPORTS = [
  "initSync",
  "abiVersion",
  "Verifier",
  "Prover",
  "EngineKeys",
  "cacheTag",
] as const satisfies readonly (keyof ProverGlue)[];

/** Whether an imported module is the `prover` build's bindings. */
export function isProverGlue(module: unknown): module is ProverGlue {
  return missingExports(module, PROVER_EXPORTS).length === 0;
}
