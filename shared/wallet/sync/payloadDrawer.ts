/**
 * Draws payments from the pages that came and asks for them whole, with what binds them to the header of their block
 * (docs/light-client.md). What is drawn depends on the pages and on chance, never on a key (decision 23).
 */
import { asTxId, type BlueScore, type ChainIndex, type TxId } from "../../base/brand.ts";
import { encodeHex } from "../../base/hex.ts";
import { SvcError } from "../../base/svcError.ts";
import { bytesIn, recordLayouts, type Span } from "../../protocol/http/recordLayout.ts";
import type { ChainProof } from "../proof/chainProof.ts";
import type { PayloadParts, RecordPage } from "../state/ports.ts";
import type { ChainBlock } from "../state/walletState.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import type { DrawnBlocks, RefusedDraw } from "./drawnBlocks.ts";

/** A drawn payment. */
export type AskedPayload = {
  readonly type: "payload";
  readonly block: ChainBlock;
  readonly txid: TxId;
  /** The payment as the page has it. */
  readonly told: Uint8Array;
  readonly shown: Uint8Array;
};

/** What is asked for: a payment, and how often it was asked for in vain. */
type Drawing = Pick<RefusedDraw, "block" | "place" | "told" | "misses">;

type Drawn = { readonly block: ChainBlock; readonly place: number; readonly span: Span };

const TXID_LENGTH = 32;

/** Draws along one walk of the chain. */
export class PayloadDrawer {
  readonly #parts: Omit<PayloadParts, "check">;
  readonly #drawn: DrawnBlocks;

  /** `drawn` keeps what was drawn until evidence covers it. */
  constructor(parts: Omit<PayloadParts, "check">, drawn: DrawnBlocks) {
    this.#parts = parts;
    this.#drawn = drawn;
  }

  /** Takes up what was proved, and the last block that was taken in. */
  reset({ fault, far, near }: ChainProof, applied: ChainIndex): void {
    const tips = [far, near].flatMap((shown) => (shown === null ? [] : [shown.tipBlueScore]));
    const judged = tips.toSorted((one, other) => Number(one - other)).at(-1) ?? null;
    this.#drawn.reset(fault, applied, judged);
  }

  /**
   * Draws from a page with these blocks, or asks again for what was refused before. A node may have pruned the payments of old pages, so one
   * that shows none is named only for pages at its tip. Rejects with `run/aborted` alone.
   */
  async draw(
    page: RecordPage,
    blocks: readonly ChainBlock[],
    isAtTip: boolean,
    signal: AbortSignal,
  ): Promise<AskedPayload | null> {
    if (page.memosUnknown !== undefined) return null;
    const asked = this.#again(blocks) ?? this.#drawOf(page, blocks);
    if (asked === null) return null;
    const { block, place, told } = asked;
    try {
      const shown = await this.#parts.source.payload(block.hash, place, signal);
      if (asked.misses > 0) this.#drawn.refused = null;
      const txid = asTxId(encodeHex(told.subarray(0, TXID_LENGTH)));
      this.#drawn.add({ block, txid });
      return { type: "payload", block, txid, told, shown };
    } catch (error) {
      if (signal.aborted) throw error;
      const newest = blocks.at(-1)?.blueScore ?? block.blueScore;
      if (isAtTip) this.#missed(asked, newest, SvcError.from(error));
      return null;
    }
  }

  /** What was refused some minutes ago: in the place of one draw. */
  #again(blocks: readonly ChainBlock[]): RefusedDraw | null {
    const { refused } = this.#drawn;
    const newest = blocks.at(-1)?.blueScore ?? 0n;
    return refused !== null && newest >= refused.due ? refused : null;
  }

  #drawOf({ body, count }: RecordPage, blocks: readonly ChainBlock[]): Drawing | null {
    const payments: Drawn[] = [];
    for (const [record, layout] of recordLayouts(body, count).entries()) {
      const block = blocks[record];
      if (block === undefined) break;
      for (const [place, span] of layout.payments.entries()) payments.push({ block, place, span });
    }
    const oneIn = this.#drawn.wantsOne ? 1 : WALLET_LIMITS.evidencePayloadOneIn;
    const index = this.#parts.draw(payments.length, oneIn);
    const drawn = index === null ? undefined : payments[index];
    if (drawn === undefined) return null;
    const { block, place, span } = drawn;
    return { block, place, told: bytesIn(body, span).slice(), misses: 0 };
  }

  /** One is kept, and asked for again after a while: a node that is busy for a moment is not named. */
  #missed({ misses, ...asked }: Drawing, newest: BlueScore, reason: SvcError): void {
    if (this.#drawn.refused !== null && misses === 0) return;
    const due = newest + WALLET_LIMITS.evidenceMissPause;
    this.#drawn.refuse({ ...asked, misses: misses + 1, due, reason });
  }
}
