/**
 * Tips that a server shows: which blocks it names, and the evidence of them. The tip that finds most blocks is asked for once, and kept for
 * the next blocks that a page checks.
 */
import type { EvidencePort, TipEvidence, TipPort } from "@svc/shared/light/evidencePort.ts";
import { tipEvidence } from "@svc/shared/light/tipEvidence.ts";
import type { EvidenceTipFacts } from "@svc/shared/protocol/facts/evidenceFacts.ts";
import { PAGE_LIMITS } from "../../../pageLimits.ts";

/** A tip that was not judged yet. */
export type ShownTip = {
  /** By the server's word. */
  readonly named: EvidenceTipFacts;
  /** Asked for when it is first needed. Rejects as the port does. */
  readonly evidence: (signal: AbortSignal) => Promise<TipEvidence>;
};

type Kept = { readonly atMs: bigint; readonly tip: Promise<ShownTip> };

/** The tips of one server. */
export class ChainTips {
  readonly port: EvidencePort;
  readonly #port: TipPort;
  readonly #nowMs: () => bigint;
  #kept: Kept | null = null;

  /** `nowMs`: time of day, Unix milliseconds. */
  constructor(port: TipPort, nowMs: () => bigint) {
    this.port = port;
    this.#port = port;
    this.#nowMs = nowMs;
  }

  /** The tip under which blocks are looked for first. One that failed is asked for anew by the next caller. Rejects as the port does. */
  first(signal: AbortSignal): Promise<ShownTip> {
    const now = this.#nowMs();
    const age = this.#kept === null ? null : now - this.#kept.atMs;
    if (this.#kept !== null && age !== null && age >= 0n && age < PAGE_LIMITS.checkTipKeptMs) {
      return this.#kept.tip;
    }
    const asked: Kept = { atMs: now, tip: this.at(BigInt(PAGE_LIMITS.checkTipBlocks), signal) };
    this.#kept = asked;
    asked.tip.catch(() => this.#forget(asked));
    return asked.tip;
  }

  /** A tip whose state lies so many blue scores below the sink. Rejects as the port does. */
  async at(depth: bigint, signal: AbortSignal): Promise<ShownTip> {
    const named = await this.#port.evidenceTip(depth, signal);
    let asked: Promise<TipEvidence> | null = null;
    const evidence = (within: AbortSignal): Promise<TipEvidence> => {
      if (asked !== null) return asked;
      const begun = tipEvidence(this.#port, named, within);
      asked = begun;
      // The chain may have left the named sink meanwhile.
      begun.catch(() => this.#forgetTip());
      return begun;
    };
    return { named, evidence };
  }

  #forget(one: Kept): void {
    if (this.#kept === one) this.#kept = null;
  }

  #forgetTip(): void {
    this.#kept = null;
  }
}
