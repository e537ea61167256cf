/**
 * Draws payments from the pages that came and asks for them whole, with what binds them to the header of their block
 * (docs/light-client.md). What is drawn depends on the pages and on chance, never on a key (decision 23).
 */
import { asTxId, type TxId } from "../../base/brand.ts";
import { encodeHex } from "../../base/hex.ts";
import { SvcError, type ErrorJson } from "../../base/svcError.ts";
import { bytesIn, recordLayouts, type Span } from "../../protocol/http/recordLayout.ts";
import type { PayloadParts, RecordPage } from "../state/ports.ts";
import type { ChainBlock } from "../state/walletState.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import type { DrawnBlocks } from "./drawnBlocks.ts";

/** A drawn payment. */
export type AskedPayload = {
  readonly type: "payload";
  readonly block: ChainBlock;
  readonly txid: TxId;
  /** The payment as the page has it. */
  readonly told: Uint8Array;
  readonly shown: Uint8Array;
};

/** The node shows no payments whole, again and again. */
export type PayloadMissing = { readonly type: "fault"; readonly fault: SvcError };

type Drawn = { readonly block: ChainBlock; readonly place: number; readonly span: Span };

const TXID_LENGTH = 32;

/** Draws along one walk of the chain. */
export class PayloadDrawer {
  readonly #parts: Omit<PayloadParts, "check">;
  readonly #drawn: DrawnBlocks;
  #misses = 0;

  /** `drawn` keeps what was drawn until evidence covers it. */
  constructor(parts: Omit<PayloadParts, "check">, drawn: DrawnBlocks) {
    this.#parts = parts;
    this.#drawn = drawn;
  }

  /** Takes up what is known of the node. */
  reset(fault: ErrorJson | null): void {
    this.#drawn.reset(fault);
  }

  /**
   * Draws from a page with these blocks. A node may have pruned the payments of old pages, so one that shows none is named only for
   * pages at its tip. Rejects with `run/aborted` alone.
   */
  async draw(
    page: RecordPage,
    blocks: readonly ChainBlock[],
    isAtTip: boolean,
    signal: AbortSignal,
  ): Promise<AskedPayload | PayloadMissing | null> {
    const drawn = page.memosUnknown === undefined ? this.#drawOf(page, blocks) : null;
    if (drawn === null) return null;
    const { block, place, span } = drawn;
    const told = bytesIn(page.body, span).slice();
    try {
      const shown = await this.#parts.source.payload(block.hash, place, signal);
      this.#misses = 0;
      const txid = asTxId(encodeHex(told.subarray(0, TXID_LENGTH)));
      this.#drawn.add({ block, txid, isRecent: isAtTip });
      return { type: "payload", block, txid, told, shown };
    } catch (error) {
      if (signal.aborted) throw error;
      return isAtTip ? this.#missed(SvcError.from(error)) : null;
    }
  }

  #drawOf({ body, count }: RecordPage, blocks: readonly ChainBlock[]): Drawn | null {
    const payments: Drawn[] = [];
    for (const [record, layout] of recordLayouts(body, count).entries()) {
      const block = blocks[record];
      if (block === undefined) break;
      for (const [place, span] of layout.payments.entries()) payments.push({ block, place, span });
    }
    const oneIn = this.#drawn.wantsOne ? 1 : WALLET_LIMITS.evidencePayloadOneIn;
    const index = this.#parts.draw(payments.length, oneIn);
    return index === null ? null : (payments[index] ?? null);
  }

  #missed(error: SvcError): PayloadMissing | null {
    this.#misses += 1;
    if (this.#misses < WALLET_LIMITS.evidenceTries) return null;
    this.#misses = 0;
    const fault = new SvcError("evidence/not-shown", { reason: error.code }, error);
    return { type: "fault", fault };
  }
}
