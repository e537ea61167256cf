/**
 * Makes receipts of payments as states of the chain are proved: out of the opening that the node showed for the proof, and of the path in
 * the gateway's own tree. So a receipt costs no question to the node, and what is asked for does not depend on what was paid.
 *
 * The first proved state that covers a payment gives its receipt. While the payment lies within `receiptSureBlocks` below a state, one
 * whose header shows at least twice the work takes the place of the one before it. All of it follows from the chain and from when the
 * gateway looked.
 */
import { throwIfAborted } from "@svc/shared/base/abort.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { INVOICE_LIMITS } from "@svc/shared/invoice/invoiceLimits.ts";
import type { CoreReceipts } from "@svc/shared/light/coreReceipts.ts";
import type { NoteTree } from "@svc/shared/wallet/state/noteTree.ts";
import type { ChainBlock } from "@svc/shared/wallet/state/walletState.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import type { MadeReceipt } from "./paidNote.ts";
import type { NoteRow, ReceiptTable } from "./receiptTable.ts";

/** Dependencies. */
export type ReceiptPressParts = {
  readonly receipts: Pick<CoreReceipts, "make" | "check">;
  readonly payments: Pick<ReceiptTable, "open">;
  /** Hears why no receipt could be made of a payment. */
  readonly onFault: (error: SvcError) => void;
};

/** A state that was proved. */
export type OpenedState = {
  readonly block: Pick<ChainBlock, "chainIndex" | "leafEnd">;
  readonly opening: Uint8Array;
  /** The tree that the opening was compared with. */
  readonly tree: Pick<NoteTree, "path">;
};

/** What a header must show more than the one in whose place it comes. */
const HARDER = 2n;

/** Makes receipts. It keeps none. */
export class ReceiptPress {
  readonly #parts: ReceiptPressParts;

  constructor(parts: ReceiptPressParts) {
    this.#parts = parts;
  }

  /**
   * The receipts that a state gives: of payments that have none, and better ones. After a few of them other work has its turn. Rejects
   * with `run/aborted`, `store/corrupt`.
   */
  async made(state: OpenedState, signal: AbortSignal): Promise<readonly MadeReceipt[]> {
    const { chainIndex } = state.block;
    const rows = [...this.#parts.payments.open(chainIndex, GATEWAY_LIMITS.receiptsAtState)];
    const made: MadeReceipt[] = [];
    let shown: bigint | null = null;
    let tries = 0;
    for (const row of rows) {
      if (!isBetter(row, shown)) continue;
      const receipt = this.#made(row, state, shown);
      tries += 1;
      if (receipt !== null) {
        shown = receipt.work;
        if (isBetter(row, shown)) made.push(receipt);
      }
      if (tries % GATEWAY_LIMITS.receiptsAtOnce !== 0) continue;
      // oxlint-disable-next-line no-await-in-loop -- other work has its turn
      await new Promise((resolve) => setImmediate(resolve));
      throwIfAborted(signal);
    }
    return made;
  }

  /** The receipt of a payment; null where it stands above the state, or none can be made. */
  #made(row: NoteRow, { block, opening, tree }: OpenedState, shown: bigint | null) {
    const { receipts, onFault } = this.#parts;
    const { made: _, ...paid } = row;
    if (BigInt(paid.note.position) >= block.leafEnd) return null;
    try {
      const path = tree.path(BigInt(paid.note.position), block.leafEnd);
      const bytes = receipts.make({ note: paid.note, path, opening });
      const max = INVOICE_LIMITS.receiptBytes;
      if (bytes.length > max) {
        throw new SvcError("codec/count-too-large", { count: bytes.length, max });
      }
      // All receipts of a state stand on one header.
      const work = shown ?? BigInt(`0x${receipts.check(bytes).work}`);
      return { paid, bytes, state: block.chainIndex, work };
    } catch (error) {
      onFault(SvcError.from(error));
      return null;
    }
  }
}

function isBetter({ made }: NoteRow, shown: bigint | null): boolean {
  return made === null || shown === null || shown >= HARDER * made.work;
}
