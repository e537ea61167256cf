/**
 * Answers with evidence for HTTP and gRPC alike (docs/light-client.md). A piece is a function of the blocks that are named, so its
 * bytes are kept and given to everybody who asks for the same, whichever way.
 */
import type { BlockHash, Hash32 } from "@svc/shared/base/brand.ts";
import { LruMap } from "@svc/shared/base/lruMap.ts";
import type { QuestionSource } from "../../engine/calls/askFacts.ts";
import { RPC_LIMITS } from "../rpcLimits.ts";
import { makeRecordDigest } from "./recordDigest.ts";

/** The evidence of one node. */
export class EvidenceAnswers {
  readonly #node: QuestionSource;
  readonly #kept = new LruMap<string, Uint8Array>(
    RPC_LIMITS.evidenceKeptBytes,
    ({ length }) => length,
  );

  constructor(node: QuestionSource) {
    this.#node = node;
  }

  /**
   * JSON of EvidenceTipFacts: which blocks to ask evidence of, for a state so many blue scores below the sink. It is made anew each
   * time. Rejects with `codec/count-too-large`, `chain/unknown-block` where the chain has genesis alone.
   */
  tip(depth: bigint, signal: AbortSignal): Promise<string> {
    return this.#node.ask("evidenceTip", [depth], signal);
  }

  /** The opening of the state after a block. Rejects with `chain/unknown-block`, `chain/pruned`. */
  opening(of: Hash32, hasProduct: boolean, signal: AbortSignal): Promise<Uint8Array> {
    const make = () => this.#node.ask("evidenceOpening", [of, hasProduct], signal);
    return this.#once(`opening ${of} ${hasProduct ? "product" : "digest"}`, make);
  }

  /** The path of a block in the log after another. Rejects with `chain/unknown-block`, `chain/pruned`, `evidence/not-member`. */
  membership(of: Hash32, at: Hash32, signal: AbortSignal): Promise<Uint8Array> {
    const make = () => this.#node.ask("evidenceMembership", [of, at], signal);
    return this.#once(`membership ${of} ${at}`, make);
  }

  /** The run of headers between two blocks. Rejects with `chain/unknown-block`, `chain/pruned`, `codec/count-too-large`. */
  run(from: Hash32, to: Hash32, signal: AbortSignal): Promise<Uint8Array> {
    return this.#once(`run ${from} ${to}`, () => this.#node.ask("evidenceRun", [from, to], signal));
  }

  /**
   * The digest of the scan records above one block up to another. Rejects with `chain/unknown-block`, also for more than a page of
   * them, and with `chain/pruned`.
   */
  records(after: BlockHash, to: BlockHash, signal: AbortSignal): Promise<Uint8Array> {
    const make = () => makeRecordDigest(this.#node, { after, to }, signal);
    return this.#once(`records ${after} ${to}`, make);
  }

  /** The payment at a place among those that a block applied, whole. Rejects with `chain/unknown-block`, `chain/pruned`. */
  payload(at: BlockHash, place: number, signal: AbortSignal): Promise<Uint8Array> {
    const make = () => this.#node.ask("evidencePayload", [at, place], signal);
    return this.#once(`payload ${at} ${place}`, make);
  }

  async #once(key: string, make: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const made = await make();
    this.#kept.set(key, made);
    return made;
  }
}
