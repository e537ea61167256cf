/** Codec of the WebSocket frames of `/v1/live` (docs/formats.md 4): one type byte, then the content. */
import { asBlockHash, asChainIndex, asTxId } from "../../base/brand.ts";
import type { BlockHash, ChainIndex, TxId } from "../../base/brand.ts";
import { ByteReader, ByteWriter } from "../../base/bytes.ts";
import { decodeHex, encodeHex } from "../../base/hex.ts";
import { SvcError } from "../../base/svcError.ts";

/** A frame from the node. */
export type ServerFrame =
  /** JSON of the answer of `GET /v1/tip`. */
  | { readonly type: "tip"; readonly json: string }
  /** P container of one record. */
  | { readonly type: "block"; readonly container: Uint8Array }
  | { readonly type: "reorg"; readonly commonHash: BlockHash; readonly chainIndex: ChainIndex }
  /** txid 32, action count u16, 788 bytes per action. */
  | { readonly type: "poolAdd"; readonly payment: Uint8Array }
  | { readonly type: "poolDelete"; readonly txid: TxId }
  | { readonly type: "ping" };

/** A frame from the browser. */
export type ClientFrame =
  /** Blocks after this one, and the pool if wanted. */
  | { readonly type: "subscribe"; readonly after: BlockHash; readonly pool: boolean }
  /** Everything up to this chain index has been taken. */
  | { readonly type: "ack"; readonly chainIndex: ChainIndex }
  | { readonly type: "pong" };

/** First byte of a frame from the node. */
const SERVER_TYPES = { tip: 1, block: 2, reorg: 3, poolAdd: 4, poolDelete: 5, ping: 6 } as const;
/** First byte of a frame from the browser. */
const CLIENT_TYPES = { subscribe: 1, ack: 2, pong: 6 } as const;

/** Encodes a frame of the node. */
export function encodeServerFrame(frame: ServerFrame): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter().u8(SERVER_TYPES[frame.type]);
  switch (frame.type) {
    case "tip":
      return writer.raw(new TextEncoder().encode(frame.json)).toBytes();
    case "block":
      return writer.raw(frame.container).toBytes();
    case "reorg":
      return writer.raw(decodeHex(frame.commonHash, 32)).u64(frame.chainIndex).toBytes();
    case "poolAdd":
      return writer.raw(frame.payment).toBytes();
    case "poolDelete":
      return writer.raw(decodeHex(frame.txid, 32)).toBytes();
    case "ping":
      return writer.toBytes();
  }
}

/** Decodes a frame of the node; contents that have codecs of their own stay bytes. Throws `live/bad-frame`, `codec/…`. */
export function decodeServerFrame(bytes: Uint8Array): ServerFrame {
  const reader = new ByteReader(bytes);
  const frame = readServerFrame(reader, reader.u8());
  reader.finish();
  return frame;
}

function readServerFrame(reader: ByteReader, type: number): ServerFrame {
  const rest = () => reader.take(reader.remaining);
  switch (type) {
    case SERVER_TYPES.tip:
      return { type: "tip", json: decodeText(rest()) };
    case SERVER_TYPES.block:
      return { type: "block", container: rest() };
    case SERVER_TYPES.reorg: {
      const commonHash = asBlockHash(encodeHex(reader.take(32)));
      return { type: "reorg", commonHash, chainIndex: asChainIndex(reader.u64()) };
    }
    case SERVER_TYPES.poolAdd:
      return { type: "poolAdd", payment: rest() };
    case SERVER_TYPES.poolDelete:
      return { type: "poolDelete", txid: asTxId(encodeHex(reader.take(32))) };
    case SERVER_TYPES.ping:
      return { type: "ping" };
    default:
      throw new SvcError("live/bad-frame", { reason: `type ${type}` });
  }
}

/** Encodes a frame of a browser. */
export function encodeClientFrame(frame: ClientFrame): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(48).u8(CLIENT_TYPES[frame.type]);
  switch (frame.type) {
    case "subscribe":
      return writer
        .raw(decodeHex(frame.after, 32))
        .u8(frame.pool ? 1 : 0)
        .toBytes();
    case "ack":
      return writer.u64(frame.chainIndex).toBytes();
    case "pong":
      return writer.toBytes();
  }
}

/** Decodes a frame of a browser. Throws `live/bad-frame`, `codec/…`. */
export function decodeClientFrame(bytes: Uint8Array): ClientFrame {
  const reader = new ByteReader(bytes);
  const frame = readClientFrame(reader, reader.u8());
  reader.finish();
  return frame;
}

function readClientFrame(reader: ByteReader, type: number): ClientFrame {
  switch (type) {
    case CLIENT_TYPES.subscribe: {
      const after = asBlockHash(encodeHex(reader.take(32)));
      const mark = reader.u8();
      if (mark > 1) throw new SvcError("codec/not-canonical", { what: "pool mark" });
      return { type: "subscribe", after, pool: mark === 1 };
    }
    case CLIENT_TYPES.ack:
      return { type: "ack", chainIndex: asChainIndex(reader.u64()) };
    case CLIENT_TYPES.pong:
      return { type: "pong" };
    default:
      throw new SvcError("live/bad-frame", { reason: `type ${type}` });
  }
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new SvcError("codec/bad-utf8", {}, error);
  }
}
