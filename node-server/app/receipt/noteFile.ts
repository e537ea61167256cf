/** Note file: what payer and payee know of a payment, from which its receipt is made. */
import * as v from "valibot";
import { asChainIndex, type BlockHash, type ChainIndex } from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import type { ReceiptDisclosure, ReceiptNote } from "@svc/shared/light/coreReceipts.ts";
import { noteCommitment } from "@svc/shared/light/noteCommitment.ts";
import { readRecords, type ScanRecord } from "@svc/shared/protocol/http/recordContainer.ts";
import { factsReader } from "@svc/shared/protocol/facts/readFacts.ts";
import type { HttpNode } from "@svc/shared/wallet/node/httpNode.ts";
import { CoreTree } from "@svc/shared/wallet/state/coreTree.ts";
import { APP_LIMITS } from "../appLimits.ts";

const schema = v.strictObject({
  recipient: fields.rawAddress,
  value: fields.sompi,
  rho: fields.hash32,
  rseed: fields.hash32,
  /** Of the block that made the note. */
  chainIndex: fields.chainIndex,
  payment: v.optional(
    v.strictObject({
      transaction: fields.hex,
      index: fields.u32,
      spent: v.optional(v.strictObject({ value: fields.sompi, rcv: fields.hash32 })),
    }),
  ),
});

/** What a note file says. */
export type NoteFile = v.InferOutput<typeof schema>;

/** Reads a note file. Throws `codec/bad-json`. */
export const readNoteFile: (text: string) => NoteFile = factsReader(schema, "note file");

/** A note with its path, and the block that made it. */
export type PlacedNote = {
  readonly note: ReceiptNote;
  readonly path: Uint8Array;
  readonly block: BlockHash;
};

/** What the payer discloses, if the file has it. */
export function disclosureOf({ payment }: NoteFile): ReceiptDisclosure | undefined {
  if (payment === undefined) return undefined;
  const { transaction, index, spent } = payment;
  return { transaction: decodeHex(transaction), index, ...(spent && { spent }) };
}

/**
 * Finds a note in the block that made it, and its path in the tree after that block: from a tree below, and the public records up to
 * the block. Rejects with `evidence/not-in-tree` where the block made no such note, `chain/unknown-block`, `chain/pruned`,
 * `wallet/node-unreachable`, `codec/*`.
 */
export async function placeNote(
  core: Pick<CoreGlue, "NoteTree" | "noteCommitments">,
  node: HttpNode,
  file: NoteFile,
  signal: AbortSignal,
): Promise<PlacedNote> {
  const { chainIndex, recipient, value, rho, rseed } = file;
  const before = await node.start(belowIndex(chainIndex), signal);
  const tree = new CoreTree(core, before.tree);
  try {
    for await (const record of recordsUp(node, before, file, signal)) {
      const leaves = leavesOf(record.scan);
      tree.append(concatBytes(...leaves.map((leaf) => decodeHex(leaf))));
      if (record.index !== chainIndex) continue;
      const place = leaves.indexOf(encodeHex(noteCommitment(core, file)));
      if (place < 0) break;
      const position = Number(record.scan.firstLeaf) + place;
      const path = tree.path(BigInt(position), tree.size());
      return { note: { recipient, value, rho, rseed, position }, path, block: record.scan.hash };
    }
    throw new SvcError("evidence/not-in-tree", { root: encodeHex(tree.root(tree.size())) });
  } finally {
    tree.free();
  }
}

type ChainPlace = { readonly hash: BlockHash; readonly chainIndex: ChainIndex };
type PlacedRecord = { readonly index: bigint; readonly scan: ScanRecord };

/** The records of the chain blocks behind one, up to the one of the note. */
async function* recordsUp(
  node: HttpNode,
  after: ChainPlace,
  { chainIndex }: NoteFile,
  signal: AbortSignal,
): AsyncGenerator<PlacedRecord> {
  let [from, index] = [after.hash, BigInt(after.chainIndex)];
  while (index < chainIndex) {
    const left = Number(BigInt(chainIndex) - index);
    const limit = Math.min(left, APP_LIMITS.receiptPageBlocks);
    const page = await node.blocks(from, limit, signal);
    if (page.count === 0 || page.firstIndex !== index + 1n) {
      throw new SvcError("wallet/bad-page", { reason: "it does not follow" });
    }
    for (const scan of readRecords(page)) {
      index += 1n;
      from = scan.hash;
      yield { index, scan };
    }
  }
}

function leavesOf({ outputs, transactions }: ScanRecord): string[] {
  const actions = transactions.flatMap((transaction) => transaction.actions);
  return [...outputs, ...actions].map(({ cmx }) => cmx);
}

function belowIndex(chainIndex: ChainIndex): ChainIndex {
  if (chainIndex === 0n) throw new SvcError("chain/unknown-block", { hash: "0" });
  return asChainIndex(chainIndex - 1n);
}
