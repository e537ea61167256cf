/**
 * Probe of a payment: judges it as admission to the pool would, and takes nothing in. Whoever was handed a payment learns whether it
 * would be taken before he lets it out. What it costs is paid for as admission is, and a true proof is not judged again when the
 * payment is handed in.
 */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { EngineHost } from "../engine/host/engineHost.ts";
import type { TxCheck } from "../engine/calls/engineFacts.ts";
import type { WorkRateLimiter, WorkSource } from "../engine/verify/workRateLimiter.ts";
import type { ProofVerdict } from "../engine/verify/verifyPool.ts";
import type { ProofJob } from "../engine/calls/engineMessages.ts";
import { AdmissionQuota } from "./admissionQuota.ts";
import type { Mempool } from "./mempool.ts";
import { MEMPOOL_LIMITS } from "./mempoolLimits.ts";
import { requireStandard } from "./requireStandard.ts";

/** Dependencies. */
export type PaymentProbeParts = {
  readonly engine: Pick<EngineHost, "checkTransaction" | "noteVerdict">;
  readonly verify: (job: ProofJob, source?: WorkSource) => Promise<ProofVerdict>;
  readonly work: Pick<WorkRateLimiter, "take" | "charge">;
  readonly pool: Pick<Mempool, "get" | "entries">;
};

/** Probes payments; how many at once is bounded as admissions are. */
export class PaymentProbe {
  readonly #parts: PaymentProbeParts;
  readonly #places = new AdmissionQuota();

  constructor(parts: PaymentProbeParts) {
    this.#parts = parts;
  }

  /**
   * Resolves where the pool would take the payment now. Rejects as `Mempool.submit` does: `mempool/…`, `tx/…`, `shielded/…`,
   * `codec/…`, `queue/too-fast`. That the pool is full is not looked at.
   */
  async probe(raw: Uint8Array, source?: WorkSource): Promise<void> {
    const leave = this.#places.take(source, raw.length);
    try {
      if (source !== undefined) this.#parts.work.take("proofs", source);
      const check = await this.#parts.engine.checkTransaction(raw);
      requireStandard(check);
      const { txid } = check;
      if (this.#parts.pool.get(txid) !== undefined)
        throw new SvcError("mempool/duplicate", { txid });
      if (check.verdict === "needed") await this.#judge(raw, check, source);
      // What waits and spends the same note may be hidden: that is told to nobody but who may spend it.
      this.#requireNoConflict(check);
    } finally {
      leave();
    }
  }

  async #judge(raw: Uint8Array, check: TxCheck, source: WorkSource | undefined): Promise<void> {
    const { engine, verify, work } = this.#parts;
    const { txid, format, nullifiers } = check;
    const actions = nullifiers.length;
    if (source !== undefined && actions > 1) work.take("proofs", source, actions - 1, actions);
    const refusal = await verify({ txid, format, raw }, source);
    if (refusal === null) {
      engine.noteVerdict({ txid, format, valid: true });
      return;
    }
    if (source !== undefined) {
      work.charge("proofs", source, MEMPOOL_LIMITS.falseProofActions + actions);
    }
    throw refusal;
  }

  #requireNoConflict({ nullifiers }: TxCheck): void {
    const spent = new Set(nullifiers);
    for (const entry of this.#parts.pool.entries()) {
      const nullifier = entry.nullifiers.find((one) => spent.has(one));
      if (nullifier !== undefined) throw new SvcError("mempool/nullifier-conflict", { nullifier });
    }
  }
}
