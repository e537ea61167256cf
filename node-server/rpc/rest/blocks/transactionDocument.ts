/** The document of `/transactions/{id}`: a transaction, and how far it has come (specification explorer A2, corrections A21). */
import type { BlockHash } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { serializedSize } from "@svc/shared/chain/serializedSize.ts";
import type { Transaction } from "@svc/shared/chain/transaction.ts";
import type { BlockFacts } from "@svc/shared/protocol/facts/blockFacts.ts";
import type { RestAnswer } from "@svc/shared/protocol/rest/restRoutes.ts";
import { INDEX_IS_BEHIND, type TransactionPlace } from "../../service/indexApi.ts";
import type { NodeApi } from "../../service/nodeApi.ts";
import { addressOf } from "./blockDocument.ts";
import { wholeNumber } from "../call/wholeNumber.ts";

type TransactionDocument = RestAnswer<"transaction">;

/** Subnetwork of coinbases. */
const COINBASE_SUBNETWORK = `01${"00".repeat(19)}`;
/** Subnetwork of payments. */
const PAYMENT_SUBNETWORK = "00".repeat(20);

/** The transaction itself, with what the core computes of it. */
export type ReadTransaction = {
  readonly transaction: Transaction;
  readonly hash: string;
  /** Grams. */
  readonly mass: bigint;
};

/** What is known of a transaction of the chain. */
export type ChainTransaction = {
  readonly place: TransactionPlace;
  /** Null where no body that carries it is kept any more. */
  readonly read: ReadTransaction | null;
  /** The first block that carries it, and the chain block that has applied it; null where they are not, or no longer, known. */
  readonly carrying: Pick<BlockFacts, "timestamp"> | null;
  readonly accepting: Pick<BlockFacts, "hash" | "blueScore" | "timestamp"> | null;
  readonly sinkBlueScore: bigint;
  /** The status is that of an older chain. */
  readonly isBehind: boolean;
};

/** Makes the document of a transaction that blocks carry. Only what a chain block has applied is accepted. */
export function chainTransactionDocument(
  node: Pick<NodeApi, "core" | "profile">,
  { place, read, carrying, accepting, sinkBlueScore, isBehind }: ChainTransaction,
): TransactionDocument {
  const { outcome, kind, fee } = place;
  const isAccepted = outcome.status === "applied";
  const by = isAccepted ? outcome.by : null;
  const score = isAccepted ? (accepting?.blueScore ?? null) : null;
  const above = score === null || score > sinkBlueScore ? 0n : sinkBlueScore - score;
  return {
    ...contentOf(node, { place, read, by }),
    transaction_id: place.txid,
    block_hash: place.blocks,
    block_time: carrying === null ? null : wholeNumber(carrying.timestamp),
    is_accepted: isAccepted,
    confirmations: wholeNumber(above),
    accepting_block_hash: by,
    accepting_block_blue_score: score === null ? null : wholeNumber(score),
    accepting_block_time:
      isAccepted && accepting !== null ? wholeNumber(accepting.timestamp) : null,
    inputs: null,
    kind,
    status: outcome.status,
    ...(isBehind ? { status_reason: INDEX_IS_BEHIND } : {}),
    drop_reason: outcome.status === "dropped" ? outcome.reason : null,
    actions: place.actions,
    fee: fee === null ? null : String(fee),
    // What an older index has written down for a coinbase is another size.
    size: read === null ? place.size : serializedSize(read.transaction),
    first_seen: place.firstSeenMs === null ? null : wholeNumber(place.firstSeenMs),
  };
}

/** A transaction that waits: nothing of the chain holds of it. */
export type WaitingTransaction = {
  readonly txid: string;
  readonly read: ReadTransaction;
  readonly actions: number;
  /** Sompi. */
  readonly fee: bigint;
  /** Bytes, as fees are counted. */
  readonly size: number;
};

/** Makes the document of a transaction that waits in the pool. */
export function waitingDocument({
  txid,
  read,
  actions,
  fee,
  size,
}: WaitingTransaction): TransactionDocument {
  return {
    subnetwork_id: encodeHex(read.transaction.subnetworkId),
    transaction_id: txid,
    hash: read.hash,
    mass: String(read.mass),
    payload: encodeHex(read.transaction.payload),
    block_hash: [],
    block_time: null,
    is_accepted: false,
    confirmations: 0,
    accepting_block_hash: null,
    accepting_block_blue_score: null,
    accepting_block_time: null,
    inputs: null,
    outputs: null,
    kind: "payment",
    status: "waiting",
    drop_reason: null,
    actions,
    fee: String(fee),
    size,
    first_seen: null,
  };
}

type Content = Pick<TransactionDocument, "subnetwork_id" | "hash" | "mass" | "payload" | "outputs">;

function contentOf(
  node: Pick<NodeApi, "core" | "profile">,
  { place, read, by }: Pick<ChainTransaction, "place" | "read"> & { readonly by: BlockHash | null },
): Content {
  const isCoinbase = place.kind === "coinbase";
  if (read === null) {
    const subnetwork = isCoinbase ? COINBASE_SUBNETWORK : PAYMENT_SUBNETWORK;
    return { subnetwork_id: subnetwork, hash: null, mass: null, payload: null, outputs: null };
  }
  const { transaction, hash, mass } = read;
  const outputs = transaction.outputs.map(({ value, script }, index) => ({
    transaction_id: place.txid,
    index,
    amount: wholeNumber(value),
    script_public_key: encodeHex(script),
    script_public_key_address: addressOf(node, script),
    script_public_key_type: "nonstandard" as const,
    accepting_block_hash: by,
  }));
  return {
    subnetwork_id: encodeHex(transaction.subnetworkId),
    hash,
    mass: String(mass),
    payload: encodeHex(transaction.payload),
    outputs: isCoinbase ? outputs : null,
  };
}
