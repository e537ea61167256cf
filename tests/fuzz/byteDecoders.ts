/** Fuzz targets: decoders of bytes (blocks, pages, frames, gRPC messages, store batches), with their seed inputs. */
import { readFileSync } from "node:fs";
import * as v from "valibot";
import { decodeBatch, encodeBatch } from "@svc/node-server/engine/host/storeBytes.ts";
import { compactPage } from "@svc/node-server/client/compactRecords.ts";
import { waitingIn } from "@svc/node-server/client/waitingTransactions.ts";
import {
  paymentsIn,
  readWalletReply,
  startIn,
  tipIn,
  treeIn,
} from "@svc/node-server/client/walletReplies.ts";
import {
  asBlockHash,
  asChainIndex,
  asHash32,
  asLeafPosition,
  asTxId,
} from "@svc/shared/base/brand.ts";
import { concatBytes, ByteWriter, equalBytes } from "@svc/shared/base/bytes.ts";
import { crc32c } from "@svc/shared/base/crc32c.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";
import {
  decodeClientFrame,
  decodeServerFrame,
  encodeClientFrame,
  encodeServerFrame,
} from "@svc/shared/protocol/http/liveFrames.ts";
import {
  ACTION_LENGTH,
  COMPACT_ACTION_LENGTH,
  encodeContainer,
  readContainer,
  readRecords,
} from "@svc/shared/protocol/http/recordContainer.ts";
import { decodeRawBlock, encodeRawBlock } from "@svc/shared/protocol/raw/rawBlock.ts";
import {
  decodeRawTransaction,
  encodeRawTransaction,
} from "@svc/shared/protocol/raw/rawTransaction.ts";
import {
  decodeTreeState,
  EMPTY_TREE,
  encodeTreeState,
} from "@svc/shared/protocol/raw/treeState.ts";
import {
  encodeRequest,
  encodeResponse,
  readRequest,
  readResponse,
} from "@svc/shared/protocol/rpc/rpcEnvelope.ts";
import { transactionToRpc } from "@svc/shared/protocol/rpc/rpcTransaction.ts";
import {
  digestOf,
  encodeRecordDigest,
  readRecordDigest,
} from "@svc/shared/protocol/http/recordDigest.ts";
import { recordHeads } from "@svc/shared/protocol/http/recordHeads.ts";
import { committedPart, recordLayouts } from "@svc/shared/protocol/http/recordLayout.ts";
import { poolRecord } from "@svc/shared/wallet/node/poolRecord.ts";
import { readPaymentFixture } from "../fixtures/payments/paymentFixture.ts";
import type { Decoder } from "./fuzzDecoder.ts";
import { strict } from "./strict.ts";

const HASH = "3c".repeat(32);

function rawBlocks(): { blocks: readonly Uint8Array[]; transactions: readonly Uint8Array[] } {
  const { trunk, branch, payment } = readPaymentFixture();
  const plain = [trunk[0], trunk[7], branch[0]].filter((block) => block !== undefined);
  const witnessed = plain.map((block) =>
    encodeRawBlock({ ...decodeRawBlock(block), witness: Uint8Array.of(1, 2, 3) }),
  );
  const first = plain.map((block) => decodeRawBlock(block).transactions[0]);
  const coinbases = first.filter((tx) => tx !== undefined).map(encodeRawTransaction);
  return {
    blocks: [...plain, ...witnessed],
    transactions: [...coinbases, payment("first").raw, payment("plain").raw],
  };
}

/** A page with no, one and two records. */
function pages(): readonly Uint8Array[] {
  const body = new ByteWriter().raw(decodeHex(HASH)).u64(1n).u64(2n).u64(3n).u64(4n);
  body.raw(decodeHex(HASH)).u16(1).raw(new Uint8Array(43)).u64(5n).raw(decodeHex(HASH));
  body.u16(1).raw(decodeHex(HASH)).u16(1).raw(new Uint8Array(ACTION_LENGTH));
  const records = readRecords({
    firstIndex: asChainIndex(7n),
    count: 1,
    body: body.toBytes(),
  });
  return [[], records, [...records, ...records]].map((some) =>
    encodeContainer(asChainIndex(7n), some),
  );
}

/** The checksum over everything before it. */
function withChecksum(bytes: Uint8Array): Uint8Array {
  const content = bytes.subarray(0, Math.max(0, bytes.length - 4));
  return new ByteWriter().raw(content).u32(crc32c(content)).toBytes();
}

function page(bytes: Uint8Array): void {
  const container = readContainer(bytes, PROTOCOL_LIMITS.recordPageMax);
  const again = encodeContainer(container.firstIndex, readRecords(container));
  if (!equalBytes(again, bytes)) throw new Error("another encoding was taken");
}

/** Two readers of the same bytes: both refuse them, or they find records of the same lengths. */
function headsAndLayouts(bytes: Uint8Array): void {
  const [count = 0, body] = [bytes[0], bytes.subarray(1)];
  const heads = recordHeads(body, count);
  for (const [index, record] of recordLayouts(body, count).entries()) {
    if (record.end - record.start !== heads[index]?.length) throw new Error("another length");
    committedPart(body, record);
  }
}

const serverFrames = [
  encodeServerFrame({ type: "tip", json: '{"sink":"\u00e9"}' }),
  encodeServerFrame({ type: "block", container: Uint8Array.of(1, 2) }),
  encodeServerFrame({
    type: "reorg",
    commonHash: asBlockHash(HASH),
    chainIndex: asChainIndex(9n),
  }),
  encodeServerFrame({ type: "poolDelete", txid: asTxId(HASH) }),
  encodeServerFrame({ type: "ping" }),
];
const clientFrames = [
  encodeClientFrame({ type: "subscribe", after: asBlockHash(HASH), pool: true }),
  encodeClientFrame({ type: "ack", chainIndex: asChainIndex(9n) }),
  encodeClientFrame({ type: "pong" }),
];

const poolFrames = [0, 1, 2].map((count) =>
  new ByteWriter()
    .raw(decodeHex(HASH))
    .u16(count)
    .raw(new Uint8Array(count * ACTION_LENGTH))
    .toBytes(),
);

const recordedRpc = v.parse(
  v.object({ messages: v.array(v.object({ from: v.string(), hex: v.string() })) }),
  JSON.parse(readFileSync(new URL("../vectors/reference/rpc.json", import.meta.url), "utf8")),
).messages;

function recordedMessages(from: string): readonly Uint8Array[] {
  const some = recordedRpc.filter((message) => message.from === from && message.hex.length < 4_000);
  return some.map(({ hex }) => decodeHex(hex));
}

/** A message has many encodings; what was read is written, and read as the same. */
function request(bytes: Uint8Array): void {
  const { id, payload } = readRequest(bytes);
  if (payload === undefined) return;
  const again = encodeRequest(id ?? 0n, payload);
  if (!equalBytes(encodeRequest(id ?? 0n, readRequest(again).payload ?? payload), again)) {
    throw new Error("what was taken is not written");
  }
}

function response(bytes: Uint8Array): void {
  const { id, payload } = readResponse(bytes);
  if (payload === undefined) return;
  const again = encodeResponse(id, payload);
  if (!equalBytes(encodeResponse(id, readResponse(again).payload ?? payload), again)) {
    throw new Error("what was taken is not written");
  }
}

const batches = [
  new Uint8Array(),
  encodeBatch([
    { table: 1, key: Uint8Array.of(1, 2), value: Uint8Array.of(3) },
    { table: 9, key: Uint8Array.of(), value: null },
  ]),
];

const { blocks, transactions } = rawBlocks();

const tree = encodeTreeState({
  size: asLeafPosition(7n),
  leaf: asHash32(HASH),
  ommers: [asHash32(HASH), asHash32(HASH)],
});

/** What a node of either kind says to a program that follows the chain for wallets. */
function walletAnswers(): readonly Uint8Array[] {
  const error = undefined;
  const place = { chainIndex: 3n, blueScore: 4n, timestamp: 5n, blockHash: HASH, daaScore: 6n };
  const history = { historyFromDaaScore: 0n, historyComplete: true };
  const start = { ...place, size: 7n, leaf: HASH, ommers: [HASH, HASH], ...history, error };
  const tip = { genesis: HASH, profileDigest: HASH, sinkBlueScore: 1n, chainIndex: 2n };
  const shieldedTip = { ...tip, treeSize: 3n, treeRoot: HASH, ...history };
  const counts = { networkName: "n", blockCount: 1n, headerCount: 1n, difficulty: 1 };
  const blocks = { tipHashes: [HASH], virtualParentHashes: [], pruningPointHash: HASH, sink: HASH };
  const dag = { ...counts, ...blocks, pastMedianTime: 1n, virtualDaaScore: 2n, shieldedTip, error };
  const [records] = pages();
  const page = { blocks: [], reorged: false, sinkBlueScore: 0n, records, error };
  const [payment = new Uint8Array()] = poolFrames;
  return [
    encodeResponse(1n, { $case: "getBlockDagInfo", value: dag }),
    encodeResponse(2n, { $case: "getShieldedTreeState", value: start }),
    encodeResponse(3n, { $case: "getShieldedBlocks", value: page }),
    encodeResponse(4n, {
      $case: "getMempoolEntries",
      value: { entries: [], payments: [payment, payment], error },
    }),
    ...compactAnswers(),
  ];
}

/** A page of compact records, and a waiting transaction. */
function compactAnswers(): readonly Uint8Array[] {
  const error = undefined;
  const output = { scriptPublicKey: "00".repeat(43), value: 1n, commitment: new Uint8Array(32) };
  const block = {
    ...{ hash: HASH, blueScore: 4n, daaScore: 6n, timestamp: 5n, coinbaseTxid: HASH },
    ...{ coinbaseOutputs: [output], acceptedTxids: [HASH] },
    acceptedActions: ["07".repeat(COMPACT_ACTION_LENGTH)],
  };
  const [raw = new Uint8Array()] = transactions;
  const transaction = transactionToRpc(decodeRawTransaction(raw));
  const entries = [{ fee: 1n, transaction, isOrphan: false }];
  return [
    encodeResponse(5n, {
      $case: "getShieldedBlocks",
      value: { blocks: [block, block], reorged: false, sinkBlueScore: 0n, error },
    }),
    encodeResponse(6n, { $case: "getMempoolEntries", value: { entries, payments: [], error } }),
  ];
}

/** What is read of an answer is of the form that its type says. */
function walletAnswer(bytes: Uint8Array): void {
  const { payload } = readWalletReply(bytes);
  if (payload?.$case === "getBlockDagInfo") tipIn(payload.value);
  if (payload?.$case === "getShieldedTreeState") {
    treeIn(payload.value);
    startIn(payload.value);
  }
  if (payload?.$case === "getMempoolEntries") {
    waitingIn(payload.value, () => poolFrames[0] ?? new Uint8Array());
    paymentsIn(payload.value);
  }
  if (payload?.$case !== "getShieldedBlocks") return;
  const place = { chainIndex: asChainIndex(0n), leafEnd: asLeafPosition(0n) };
  readRecords(compactPage(payload.value.blocks, place).page);
}

/** All byte decoders. */
export const BYTE_DECODERS: readonly Decoder[] = [
  { name: "raw block", seeds: blocks, run: strict(decodeRawBlock, encodeRawBlock) },
  {
    name: "raw transaction",
    seeds: transactions,
    run: strict(decodeRawTransaction, encodeRawTransaction),
  },
  { name: "scan page", seeds: pages(), run: page, repair: withChecksum },
  { name: "server frame", seeds: serverFrames, run: strict(decodeServerFrame, encodeServerFrame) },
  { name: "client frame", seeds: clientFrames, run: strict(decodeClientFrame, encodeClientFrame) },
  {
    name: "pool frame",
    seeds: poolFrames,
    run: (bytes) => void poolRecord(bytes),
  },
  {
    name: "record heads",
    // The number of records, which the head of a page tells, before their bytes.
    seeds: pages().map((page) => {
      const { count, body } = readContainer(page, PROTOCOL_LIMITS.recordPageMax);
      return concatBytes(Uint8Array.of(count), body);
    }),
    run: headsAndLayouts,
  },
  {
    name: "digest of records",
    seeds: [encodeRecordDigest({ count: 3, last: asBlockHash(HASH), digest: digestOf([]) })],
    run: strict(readRecordDigest, encodeRecordDigest),
  },
  { name: "gRPC request", seeds: recordedMessages("client"), run: request },
  { name: "gRPC response", seeds: recordedMessages("node"), run: response },
  { name: "gRPC answer to a wallet", seeds: walletAnswers(), run: walletAnswer },
  { name: "tree state", seeds: [EMPTY_TREE, tree], run: strict(decodeTreeState, encodeTreeState) },
  { name: "store batch", seeds: batches, run: strict(decodeBatch, encodeBatch) },
];
