/**
 * Making of a receipt with a node's evidence: for a wallet, the wallet daemon and the program. The node is asked about the block of the
 * payment, which says that somebody has a receipt made about it.
 */
import type { BlockHash } from "../base/brand.ts";
import { SvcError } from "../base/svcError.ts";
import type { HardestHeader } from "../protocol/facts/receiptFacts.ts";
import type {
  CoreReceipts,
  ReceiptChallenge,
  ReceiptDisclosure,
  ReceiptNote,
} from "./coreReceipts.ts";
import type { EvidencePort } from "./evidencePort.ts";

/** What a receipt is to show, and where. */
export type ReceiptOrder = {
  readonly note: ReceiptNote;
  /** 32 siblings of the note in the tree after `block`. */
  readonly path: Uint8Array;
  /** The chain block that made the note, or a later one. */
  readonly block: BlockHash;
  /**
   * Two chain blocks at or above `block`, at most 7,200 blocks apart: the header is one between them, the hardest (`receiptRange`
   * says where to look).
   */
  readonly from: BlockHash;
  readonly to: BlockHash;
  readonly disclosure?: ReceiptDisclosure;
  readonly challenge?: ReceiptChallenge;
};

/** What receipts are made with. */
export type ReceiptTools = Pick<CoreReceipts, "hardestHeader" | "make">;

/**
 * Makes a receipt. Rejects with `evidence/not-shown` where no block stands above `from`, with what the node rejects with, and with
 * what does not hold of its evidence.
 */
export async function makeReceipt(
  receipts: ReceiptTools,
  node: EvidencePort,
  order: ReceiptOrder,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { note, path, block, disclosure, challenge } = order;
  const above = await node.run(order.from, order.to, signal);
  const header = receipts.hardestHeader(above);
  if (header === null) {
    throw new SvcError("evidence/not-shown", { reason: "no block stands above the payment" });
  }
  const run = order.from === block ? above : await ownHeader(node, block, signal);
  return receipts.make({
    note,
    path,
    ...(await stateOf(node, block, header, signal)),
    ...(run && { run }),
    ...(disclosure && { disclosure }),
    ...(challenge && { challenge }),
  });
}

/** The state that the header commits to, with the block in its log; before the security fork the block's own state. */
async function stateOf(
  node: EvidencePort,
  block: BlockHash,
  { below }: NonNullable<HardestHeader>,
  signal: AbortSignal,
): Promise<{ readonly opening: Uint8Array; readonly membership?: Uint8Array }> {
  try {
    if (below === block) return { opening: await node.opening(block, "digest", signal) };
    const membership = await node.membership(block, below, signal);
    return { opening: await node.opening(below, "digest", signal), membership };
  } catch (error) {
    if (!SvcError.is(error, "evidence/not-member")) throw error;
    return { opening: await node.opening(block, "digest", signal) };
  }
}

/** The header of the block alone, for its time; a receipt does without where the node has forgotten it. */
async function ownHeader(
  node: EvidencePort,
  block: BlockHash,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  try {
    return await node.run(block, block, signal);
  } catch (error) {
    if (SvcError.is(error, "chain/pruned")) return undefined;
    throw error;
  }
}
