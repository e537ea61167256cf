/**
 * Evidence of a node, with what came last kept: all receipts show the state after one block, so the next one needs the same pieces, and
 * many callers ask the node no more than one does.
 */
import { LruMap } from "@svc/shared/base/lruMap.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { publicSentenceOf } from "@svc/shared/base/errors.ts";
import type { Code } from "@svc/shared/base/generated/codes.ts";
import type { EvidencePort } from "@svc/shared/light/evidencePort.ts";
import { keyedEvidence } from "@svc/shared/light/keyedEvidence.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";

/** What stays as it is: no node is there, or it says something that a receipt can do without. */
const TOLD: readonly Code[] = [
  "chain/pruned",
  "evidence/not-member",
  "run/aborted",
  "wallet/node-compact-only",
  "wallet/node-unreachable",
];

/** A node that is asked once. Every refusal in words of the node's own is `evidence/not-shown`: it may say anything. */
export class KeptEvidence implements EvidencePort {
  readonly opening: EvidencePort["opening"] = (...asked) => this.#keyed.opening(...asked);
  readonly membership: EvidencePort["membership"] = (...asked) => this.#keyed.membership(...asked);
  readonly run: EvidencePort["run"] = (...asked) => this.#keyed.run(...asked);
  readonly #keyed: EvidencePort;
  readonly #kept = new LruMap<string, Uint8Array>(
    WALLETD_LIMITS.receiptEvidenceBytes,
    ({ length }) => length,
  );

  constructor(node: EvidencePort) {
    this.#keyed = keyedEvidence(node, (question, ask) => this.#ask(question, ask));
  }

  /** Forgets what was kept: it did not hold. */
  forget(): void {
    this.#kept.clear();
  }

  async #ask(question: string, ask: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const known = this.#kept.get(question);
    if (known !== undefined) return known;
    try {
      const answer = await ask();
      this.#kept.set(question, answer);
      return answer;
    } catch (error) {
      if (!(error instanceof SvcError) || SvcError.is(error, ...TOLD)) throw error;
      throw new SvcError("evidence/not-shown", { reason: publicSentenceOf(error) }, error);
    }
  }
}
