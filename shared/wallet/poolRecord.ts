/**
 * Lets the scanner look at a transaction of the node's pool: wraps it as the only transaction of
 * a record without a block (interfaces 2 and 5, frame MEMPOOL_ADD).
 */
import { asChainIndex, asTxId, type TxId } from "../base/brand.ts";
import { ByteReader, ByteWriter } from "../base/bytes.ts";
import { encodeHex } from "../base/hex.ts";
import { LIMITS } from "../base/limits.ts";
import { ACTION_LENGTH } from "../protocol/http/recordContainer.ts";
import type { RecordPage } from "./ports.ts";

/** Hash, blue score, DAA score, time, first leaf, coinbase transaction, number of its outputs. */
const EMPTY_BLOCK = new Uint8Array(32 + 8 + 8 + 8 + 8 + 32 + 2);

/**
 * The record of a frame's content: txid 32, n u16, n × 788 bytes. Throws `codec/…` for other
 * bytes.
 */
export function poolRecord(frame: Uint8Array): { readonly txid: TxId; readonly page: RecordPage } {
  const reader = new ByteReader(frame);
  const txid = reader.take(32);
  const count = reader.checkCount(reader.u16(), LIMITS.poolFrameActions, ACTION_LENGTH);
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
