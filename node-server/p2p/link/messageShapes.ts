/**
 * The nesting of peers' messages: which fields hold messages again, so that fields can be counted before anything is decoded
 * (`shared/protocol/proto/p2pMessages.proto`, `p2pValues.proto`).
 */
import type { P2pName } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";

/** By field number, the shape of a nested message, or that the field is a packed list of numbers. All other fields are leaves. */
export type MessageShape = { readonly [field: number]: MessageShape | "packed" };

const leaf: MessageShape = {};
/** A message around 16, 20 or 32 bytes. */
const hash: MessageShape = leaf;
const oneHash: MessageShape = { 1: hash };
const hashes: MessageShape = { 1: hash };
const twoHashes: MessageShape = { 1: hash, 2: hash };
const parents: MessageShape = { 1: hash };
const header: MessageShape = { 3: hash, 4: hash, 5: hash, 12: parents, 14: hash };
const headers: MessageShape = { 1: header };
const outpoint: MessageShape = { 1: hash };
const input: MessageShape = { 1: outpoint };
const output: MessageShape = { 2: leaf, 3: { 2: hash } };
const transaction: MessageShape = { 2: input, 3: output, 5: hash };
const block: MessageShape = { 1: header, 2: transaction };
const ghostdagData: MessageShape = { 3: hash, 4: hash, 5: hash, 6: { 1: hash } };
const ghostdagDataOf: MessageShape = { 1: hash, 2: ghostdagData };
const trustedHeader: MessageShape = { 1: header, 2: ghostdagData };
const daaBlock: MessageShape = { 2: ghostdagData, 3: block };
const utxoEntry: MessageShape = { 2: leaf, 5: hash };

/** The shape of every message. */
export const MESSAGE_SHAPES: Readonly<Record<P2pName, MessageShape>> = {
  addresses: { 1: leaf },
  block,
  transaction,
  blockLocator: hashes,
  requestAddresses: { 2: hash },
  requestRelayBlocks: hashes,
  requestTransactions: hashes,
  ibdBlock: block,
  invRelayBlock: oneHash,
  invTransactions: hashes,
  ping: leaf,
  pong: leaf,
  verack: leaf,
  version: { 4: leaf, 9: hash },
  transactionNotFound: oneHash,
  reject: leaf,
  pruningPointUtxoSetChunk: { 1: { 1: outpoint, 2: utxoEntry } },
  requestIbdBlocks: hashes,
  unexpectedPruningPoint: leaf,
  ibdBlockLocator: twoHashes,
  ibdBlockLocatorHighestHash: oneHash,
  requestNextPruningPointUtxoSetChunk: leaf,
  donePruningPointUtxoSetChunks: leaf,
  ibdBlockLocatorHighestHashNotFound: leaf,
  blockWithTrustedData: { 1: block, 3: daaBlock, 4: ghostdagDataOf },
  doneBlocksWithTrustedData: leaf,
  requestPruningPointAndItsAnticone: leaf,
  blockHeaders: headers,
  requestNextHeaders: leaf,
  doneHeaders: leaf,
  requestPruningPointUtxoSet: oneHash,
  requestHeaders: twoHashes,
  requestBlockLocator: oneHash,
  pruningPoints: headers,
  requestPruningPointProof: leaf,
  pruningPointProof: { 1: headers },
  ready: leaf,
  blockWithTrustedDataV4: { 1: block, 2: "packed", 3: "packed" },
  trustedData: { 1: trustedHeader, 2: ghostdagDataOf },
  requestIbdChainBlockLocator: twoHashes,
  ibdChainBlockLocator: hashes,
  requestAntipast: twoHashes,
  requestNextPruningPointAndItsAnticoneBlocks: leaf,
  blockBody: { 1: transaction },
  requestBlockBodies: hashes,
  requestPruningPointSmtState: oneHash,
  smtMetadata: leaf,
  smtLaneChunk: { 1: leaf },
  requestNextPruningPointSmtChunk: leaf,
  requestPruningPointShieldedState: oneHash,
  shieldedMetadata: leaf,
  shieldedNullifierChunk: leaf,
  requestNextPruningPointShieldedChunk: leaf,
  requestShieldedHistory: leaf,
  shieldedHistoryChunk: { 1: leaf },
  requestNextShieldedHistoryChunk: leaf,
  stemTransaction: transaction,
  requestAnchorBindings: oneHash,
  anchorBindingChunk: { 1: leaf },
  requestNextAnchorBindingChunk: leaf,
  requestAnchorLog: leaf,
  anchorLogPage: leaf,
};
