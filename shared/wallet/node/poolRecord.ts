/**
 * Wraps a mempool transaction as a scan record without a block, so that the scanner can look at it
 * (formats 2 and 5, frame MEMPOOL_ADD).
 */
import { asChainIndex, asTxId, type TxId } from "../../base/brand.ts";
import { ByteReader, ByteWriter } from "../../base/bytes.ts";
import { encodeHex } from "../../base/hex.ts";
import { SvcError } from "../../base/svcError.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import { ACTION_LENGTH } from "../../protocol/http/recordContainer.ts";
import type { RecordPage } from "../state/ports.ts";

/** Hash, blue score, DAA score, time, first leaf, coinbase transaction, number of its outputs. */
const EMPTY_BLOCK = new Uint8Array(32 + 8 + 8 + 8 + 8 + 32 + 2);

/** Makes the record of a frame's content: txid 32, n u16, n × 788 bytes. Throws `codec/…` for other bytes. */
export function poolRecord(frame: Uint8Array): { readonly txid: TxId; readonly page: RecordPage } {
  const reader = new ByteReader(frame);
  const txid = reader.take(32);
  const count = reader.checkCount(reader.u16(), WALLET_LIMITS.poolFrameActions, ACTION_LENGTH);
  const actions = reader.take(count * ACTION_LENGTH);
  reader.finish();
  const body = new ByteWriter(EMPTY_BLOCK.length + frame.length + 2)
    .raw(EMPTY_BLOCK)
    .u16(1)
    .raw(txid)
    .u16(count)
    .raw(actions)
    .toBytes();
  const page = { firstIndex: asChainIndex(0n), count: 1, body };
  return { txid: asTxId(encodeHex(txid)), page };
}

/** Length of the head, and of the number of payments behind it. */
const PAYMENTS_AT = EMPTY_BLOCK.length + 2;
const COUNT_MOST = 0xffff;

/** Joins records of `poolRecord` to one, so that a scanner looks at their payments together. Throws `codec/count-too-large`. */
export function mergedRecord(records: readonly RecordPage[]): RecordPage {
  if (records.length > COUNT_MOST) {
    throw new SvcError("codec/count-too-large", { count: records.length, max: COUNT_MOST });
  }
  const writer = new ByteWriter().raw(EMPTY_BLOCK).u16(records.length);
  for (const { body } of records) writer.raw(body.subarray(PAYMENTS_AT));
  return { firstIndex: asChainIndex(0n), count: 1, body: writer.toBytes() };
}
