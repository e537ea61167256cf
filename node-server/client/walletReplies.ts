/**
 * Reads what a node answers to a wallet's questions over gRPC (specification network 2.2): of each response the fields that a
 * wallet looks at, checked as those of the browser protocol are.
 */
import { asHash32, asLeafPosition, type TxId } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";
import { encodeTreeState } from "@svc/shared/protocol/raw/treeState.ts";
import {
  pickResponse,
  type WantedFields,
  type WantedResponse,
} from "@svc/shared/protocol/rpc/pickResponse.ts";
import type { ResponseEnvelope, Responses } from "@svc/shared/protocol/rpc/rpcEnvelope.ts";
import { startOf, tipOf } from "@svc/shared/wallet/node/nodeAnswers.ts";
import { poolRecord } from "@svc/shared/wallet/node/poolRecord.ts";
import type { NodeTip, RecordPage, StartBlock } from "@svc/shared/wallet/state/ports.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import { CLIENT_LIMITS } from "./clientLimits.ts";

const ERROR = 1_000;
const small = (...fields: readonly number[]): WantedResponse => ({
  fields: [...fields, ERROR],
  maxBytes: WALLET_LIMITS.nodeAnswerBytes,
});
const page = (
  fields: readonly number[],
  messages?: readonly (readonly [number, WantedFields])[],
): WantedResponse => ({
  fields: [...fields, ERROR],
  messages: new Map(messages),
  maxBytes: WALLET_LIMITS.nodePageBytes,
});
const message = (
  fields: readonly number[],
  messages?: readonly (readonly [number, WantedFields])[],
): WantedFields => ({ fields, messages: new Map(messages) });

/** Of a transaction its version, inputs, outputs, lock time, subnetwork, gas, payload and mass. */
const SCRIPT = message([1, 2]);
const INPUT = message([2, 3, 5, 6], [[1, message([1, 2])]]);
const OUTPUT = message(
  [1],
  [
    [2, SCRIPT],
    [4, message([1, 2])],
  ],
);
const TRANSACTION = message(
  [1, 4, 5, 6, 8, 10],
  [
    [2, INPUT],
    [3, OUTPUT],
  ],
);
/** Of a chain block what a compact record is made of. */
const CHAIN_BLOCK = message([1, 2, 3, 4, 6, 7, 8], [[5, message([1, 2, 3])]]);

/** Fields by number of the response: those that only nodes of this program know are numbered from 100. */
const WANTED: ReadonlyMap<number, WantedResponse> = new Map([
  // GetMempoolEntry: whether there is one, and whether there could be.
  [1_015, page([100])],
  // SubmitTransaction: transactionId.
  [1_021, small(1)],
  // GetBlockDagInfo: networkName, virtualDaaScore, sink, shieldedTip.
  [1_036, small(1, 9, 10, 100)],
  // GetMempoolEntries: entries with transaction and isOrphan, payments.
  [1_044, page([100], [[1, message([4], [[3, TRANSACTION]])]])],
  // NotifyNewBlockTemplate, and what it asks for.
  [1_082, small()],
  [1_083, small()],
  // GetServerInfo: profile.
  [1_093, small(102)],
  // GetShieldedTreeState: the block, its tree, the history, and the place that was asked for.
  [1_121, small(1, 2, 3, 4, 5, 6, 7, 100, 101, 102)],
  // GetShieldedBlocks: blocks, reorged, records.
  [1_123, page([2, 101], [[1, CHAIN_BLOCK]])],
  // GetShieldedSupply: blockHash, daaScore, blueScore.
  [1_125, small(1, 2, 3)],
  // GetEvidenceOpening, GetEvidenceMembership, GetEvidenceRun: the piece.
  [2_004, small(1)],
  [2_006, small(1)],
  [2_008, small(1)],
]);

/** Reads an envelope of a node that is not believed. Throws `codec/count-too-large`, `rpc/bad-argument`. */
export function readWalletReply(bytes: Uint8Array): ResponseEnvelope {
  return pickResponse(bytes, WANTED, CLIENT_LIMITS.grpcAnswerFields);
}

/** The tip; null from a node that does not tell all of it. Throws `codec/bad-json`. */
export function tipIn(answer: Responses["getBlockDagInfo"]): NodeTip | null {
  const { sink, virtualDaaScore, shieldedTip } = answer;
  if (shieldedTip === undefined) return null;
  return tipOf({
    ...shieldedTip,
    sink,
    sinkBlueScore: String(shieldedTip.sinkBlueScore),
    daaScore: String(virtualDaaScore),
    chainIndex: String(shieldedTip.chainIndex),
    treeSize: String(shieldedTip.treeSize),
    historyFromDaaScore: String(shieldedTip.historyFromDaaScore),
  });
}

/** The block where a scan begins; null from a node that does not know the question. Throws `codec/…`. */
export function startIn(answer: Responses["getShieldedTreeState"]): StartBlock | null {
  const { blockHash, chainIndex, blueScore, daaScore, timestamp } = answer;
  if (chainIndex === undefined) return null;
  return startOf({
    hash: blockHash,
    chainIndex: String(chainIndex),
    blueScore: String(blueScore),
    daaScore: String(daaScore),
    timestamp: String(timestamp),
    tree: encodeHex(treeIn(answer)),
  });
}

/** The tree of a block, in the form that a `NoteTree` is made from. Throws `codec/…`. */
export function treeIn({ size, leaf, ommers }: Responses["getShieldedTreeState"]): Uint8Array {
  return encodeTreeState({
    size: asLeafPosition(size),
    leaf: asHash32(leaf),
    ommers: ommers.map(asHash32),
  });
}

/** A payment that waits, as a record without a block. */
export type WaitingPayment = { readonly txid: TxId; readonly page: RecordPage };

/** The payments that wait. Throws `codec/…`. */
export function paymentsIn({ payments }: Responses["getMempoolEntries"]): WaitingPayment[] {
  const max = PROTOCOL_LIMITS.poolPageMax;
  if (payments.length > max) {
    throw new SvcError("codec/count-too-large", { count: payments.length, max });
  }
  return payments.map(poolRecord);
}
