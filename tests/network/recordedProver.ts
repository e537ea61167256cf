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

/** Proofs of one plan: a daemon that proves again after a kill gets other bytes, as from a real prover. */
const VARIANTS = 2;

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
  readonly #variant = process.pid % VARIANTS;

  /** Proofs are kept in the folder. */
  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.#folder = folder;
  }

  /** Nothing: its thread starts with the first proof that has to be made. */
  async warm(): Promise<void> {}

  /** As `ProverThread.prove`. */
  async prove(plan: ProvePlan, progress: ProveProgress, signal: AbortSignal): Promise<HeldPayment> {
    const digest = createHash("sha256").update(JSON.stringify(plan)).digest("hex");
    const path = join(this.#folder, `${digest.slice(0, 32)}-${this.#variant}.json`);
    if (existsSync(path)) return served(v.parse(record, JSON.parse(readFileSync(path, "utf8"))));
    const made = await this.#thread.prove(plan, progress, signal);
    const finalize = async (signatures: string): Promise<Uint8Array> => {
      const raw = await made.finalize(signatures);
      const { bundle, disclosure, alphas } = made;
      keep(path, { bundle: encodeHex(bundle), disclosure, alphas, raw: encodeHex(raw) });
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
