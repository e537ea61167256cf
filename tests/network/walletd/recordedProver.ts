/**
 * Prover of a test that serves proofs made beforehand: a plan has the same proof in every run on the same chain. A proof that
 * is not there yet is made and kept.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { ProverThread, type HeldPayment } from "@svc/node-server/proving/proverThread.ts";
import type { QueuedProver } from "@svc/node-server/walletd/spend/proofQueue.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import type { ProveProgress } from "@svc/shared/wallet/state/ports.ts";
import type { ProvePlan } from "@svc/shared/wallet/state/provePlan.ts";

/**
 * Proofs of one plan, as many as were made: a daemon that proves again after a kill gets other bytes, as from a real prover. Odd
 * and even processes look for one each.
 */
export const PROOF_VARIANTS = 2;

const record = v.object({
  bundle: v.string(),
  disclosure: v.string(),
  alphas: v.string(),
  raw: v.string(),
});
type Recorded = v.InferOutput<typeof record>;

/** Serves kept proofs. */
export class RecordedProver implements QueuedProver {
  readonly #folder: string;
  readonly #thread = new ProverThread({ prover: "own", proofThreads: null, cacheFolder: null });
  /** Numbers of variants, the wanted one first. */
  readonly #variants: readonly number[];

  /** Proofs are kept in the folder. A process that is told a variant serves and makes this one alone. */
  constructor(folder: string, variant: string | undefined) {
    mkdirSync(folder, { recursive: true });
    this.#folder = folder;
    const own = process.pid % PROOF_VARIANTS;
    this.#variants =
      variant === undefined ? [own, (own + 1) % PROOF_VARIANTS] : [Number.parseInt(variant, 10)];
  }

  /** Nothing: its thread starts with the first proof that has to be made. */
  async warm(): Promise<void> {}

  /** As `ProverThread.prove`. */
  async prove(plan: ProvePlan, progress: ProveProgress, signal: AbortSignal): Promise<HeldPayment> {
    const digest = createHash("sha256").update(JSON.stringify(plan)).digest("hex");
    const paths = this.#variants.map((variant) =>
      join(this.#folder, `${digest.slice(0, 32)}-${variant}.json`),
    );
    const kept = paths.find((path) => existsSync(path));
    if (kept !== undefined) return served(v.parse(record, JSON.parse(readFileSync(kept, "utf8"))));
    const made = await this.#thread.prove(plan, progress, signal);
    const finalize = async (signatures: string): Promise<Uint8Array> => {
      const raw = await made.finalize(signatures);
      const { bundle, disclosure, alphas } = made;
      keep(paths[0] ?? "", { bundle: encodeHex(bundle), disclosure, alphas, raw: encodeHex(raw) });
      return raw;
    };
    return { ...made, finalize };
  }

  /** Ends its thread. */
  stop(): Promise<void> {
    return this.#thread.stop();
  }
}

/** The signatures are those that were made with the proof, by the same seed over the same bytes. */
function served({ bundle, disclosure, alphas, raw }: Recorded): HeldPayment {
  const finalize = async (): Promise<Uint8Array> => decodeHex(raw);
  return { bundle: decodeHex(bundle), disclosure, alphas, finalize, drop: () => undefined };
}

/** Whole or not at all: whoever keeps it may be killed. */
function keep(path: string, recorded: Recorded): void {
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, JSON.stringify(recorded));
  renameSync(unfinished, path);
}
