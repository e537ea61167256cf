/**
 * Makes scan records of compact ones (specification shielded 16): of each action a node of the parent network serves its first
 * 148 bytes, in which the scanner finds notes. The other bytes are zeros, so memos are not in them.
 */
import {
  asBlockHash,
  asBlueScore,
  asChainIndex,
  asDaaScore,
  asLeafPosition,
  asNoteCommitment,
  asNullifier,
  asRawAddress,
  asSompi,
  asTimestampMs,
  asTxId,
  type BlockHash,
  type BlueScore,
} from "@svc/shared/base/brand.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import {
  ACTION_LENGTH,
  COMPACT_ACTION_LENGTH,
  encodeRecords,
  type RecordAction,
  type RecordTransaction,
  type ScanRecord,
} from "@svc/shared/protocol/http/recordContainer.ts";
import type { RpcShieldedChainBlock } from "@svc/shared/protocol/rpc/generated/rpcValues.ts";
import type { ChainPlace, RecordPage } from "@svc/shared/wallet/state/ports.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";

/** Hexadecimal digits of a compact action. */
const ACTION_DIGITS = 2 * COMPACT_ACTION_LENGTH;

/** A chain block that was served, and its place as the asker counts. */
export type ServedBlock = ChainPlace & { readonly hash: BlockHash; readonly blueScore: BlueScore };

/** A page of compact records as a page for the scanner, and the places of its blocks. */
export type CompactPage = { readonly page: RecordPage; readonly served: readonly ServedBlock[] };

/**
 * Makes the page after the block at `place`. Throws `codec/…` for blocks of another form, and `codec/count-too-large` where the
 * actions would take more room than a page of whole ones may.
 */
export function compactPage(
  blocks: readonly RpcShieldedChainBlock[],
  place: ChainPlace,
): CompactPage {
  checkActions(blocks);
  const served: ServedBlock[] = [];
  const records: ScanRecord[] = [];
  let { chainIndex, leafEnd } = place;
  for (const block of blocks) {
    const record = recordOf(block, leafEnd);
    chainIndex = asChainIndex(chainIndex + 1n);
    leafEnd = asLeafPosition(leafEnd + leavesOf(record));
    records.push(record);
    served.push({ hash: record.hash, blueScore: record.blueScore, chainIndex, leafEnd });
  }
  const firstIndex = asChainIndex(place.chainIndex + 1n);
  const body = encodeRecords(records);
  return { page: { firstIndex, count: records.length, body, memosUnknown: true }, served };
}

function recordOf(block: RpcShieldedChainBlock, firstLeaf: ScanRecord["firstLeaf"]): ScanRecord {
  const { acceptedActions, acceptedTxids } = block;
  if (acceptedActions.length !== acceptedTxids.length) {
    throw new SvcError("codec/not-canonical", { what: "the list of applied transactions" });
  }
  return {
    hash: asBlockHash(block.hash),
    blueScore: asBlueScore(block.blueScore),
    daaScore: asDaaScore(block.daaScore),
    timestamp: asTimestampMs(block.timestamp),
    firstLeaf,
    coinbaseTxid: asTxId(block.coinbaseTxid),
    outputs: block.coinbaseOutputs.map(({ scriptPublicKey, value, commitment }) => ({
      recipient: asRawAddress(scriptPublicKey),
      value: asSompi(value),
      cmx: asNoteCommitment(encodeHex(commitment)),
    })),
    transactions: acceptedTxids.map((txid, place) =>
      transactionOf(txid, acceptedActions[place] ?? ""),
    ),
  };
}

function transactionOf(txid: string, digits: string): RecordTransaction {
  if (digits.length % ACTION_DIGITS !== 0) {
    const length = digits.length / 2;
    throw new SvcError("codec/wrong-length", { expected: COMPACT_ACTION_LENGTH, found: length });
  }
  const bytes = decodeHex(digits);
  const count = bytes.length / COMPACT_ACTION_LENGTH;
  const actions = Array.from({ length: count }, (_, place) => {
    const from = place * COMPACT_ACTION_LENGTH;
    return actionOf(bytes.subarray(from, from + COMPACT_ACTION_LENGTH));
  });
  return { txid: asTxId(txid), actions };
}

function actionOf(compact: Uint8Array): RecordAction {
  const bytes = new Uint8Array(ACTION_LENGTH);
  bytes.set(compact);
  return {
    nullifier: asNullifier(encodeHex(compact.subarray(0, 32))),
    cmx: asNoteCommitment(encodeHex(compact.subarray(32, 64))),
    bytes,
  };
}

/** Every minted output and every action is a leaf. */
function leavesOf({ outputs, transactions }: ScanRecord): bigint {
  const actions = transactions.reduce((sum, transaction) => sum + transaction.actions.length, 0);
  return BigInt(outputs.length + actions);
}

/** Before anything is made of them: an action grows to five times its length. */
function checkActions(blocks: readonly RpcShieldedChainBlock[]): void {
  let digits = 0;
  for (const { acceptedActions } of blocks) {
    for (const { length } of acceptedActions) digits += length;
  }
  const count = Math.ceil(digits / ACTION_DIGITS);
  const max = Math.floor(WALLET_LIMITS.nodePageBytes / ACTION_LENGTH);
  if (count > max) throw new SvcError("codec/count-too-large", { count, max });
}
