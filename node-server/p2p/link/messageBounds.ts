/** How large a peer's message may be, by its number and before anything of it is decoded (ADR 18). */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { LIMITS } from "@svc/shared/base/limits.ts";
import { badField } from "@svc/shared/protocol/p2p/p2pFields.ts";
import type { P2pName } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";

const { p2pSmallBytes, p2pListBytes, p2pBlockBytes, p2pPageBytes, p2pProofBytes } = LIMITS;

/** Number and bound of every message. */
export const MESSAGE_BOUNDS: Readonly<Record<P2pName, readonly [number: number, bytes: number]>> = {
  addresses: [1, p2pListBytes],
  block: [2, p2pBlockBytes],
  transaction: [3, p2pBlockBytes],
  blockLocator: [5, p2pListBytes],
  requestAddresses: [6, p2pSmallBytes],
  requestRelayBlocks: [10, p2pListBytes],
  requestTransactions: [12, p2pBlockBytes],
  ibdBlock: [13, p2pBlockBytes],
  invRelayBlock: [14, p2pSmallBytes],
  invTransactions: [15, p2pBlockBytes],
  ping: [16, p2pSmallBytes],
  pong: [17, p2pSmallBytes],
  verack: [19, p2pSmallBytes],
  version: [20, p2pSmallBytes],
  transactionNotFound: [21, p2pSmallBytes],
  reject: [22, p2pListBytes],
  pruningPointUtxoSetChunk: [25, p2pPageBytes],
  requestIbdBlocks: [26, p2pListBytes],
  unexpectedPruningPoint: [27, p2pSmallBytes],
  ibdBlockLocator: [30, p2pListBytes],
  ibdBlockLocatorHighestHash: [31, p2pSmallBytes],
  requestNextPruningPointUtxoSetChunk: [33, p2pSmallBytes],
  donePruningPointUtxoSetChunks: [34, p2pSmallBytes],
  ibdBlockLocatorHighestHashNotFound: [35, p2pSmallBytes],
  blockWithTrustedData: [36, p2pPageBytes],
  doneBlocksWithTrustedData: [37, p2pSmallBytes],
  requestPruningPointAndItsAnticone: [40, p2pSmallBytes],
  blockHeaders: [41, p2pPageBytes],
  requestNextHeaders: [42, p2pSmallBytes],
  doneHeaders: [43, p2pSmallBytes],
  requestPruningPointUtxoSet: [44, p2pSmallBytes],
  requestHeaders: [45, p2pSmallBytes],
  requestBlockLocator: [46, p2pSmallBytes],
  pruningPoints: [47, p2pPageBytes],
  requestPruningPointProof: [48, p2pSmallBytes],
  pruningPointProof: [49, p2pProofBytes],
  ready: [50, p2pSmallBytes],
  blockWithTrustedDataV4: [51, p2pBlockBytes],
  trustedData: [52, p2pPageBytes],
  requestIbdChainBlockLocator: [53, p2pSmallBytes],
  ibdChainBlockLocator: [54, p2pListBytes],
  requestAntipast: [55, p2pSmallBytes],
  requestNextPruningPointAndItsAnticoneBlocks: [56, p2pSmallBytes],
  blockBody: [57, p2pBlockBytes],
  requestBlockBodies: [58, p2pListBytes],
  requestPruningPointSmtState: [59, p2pSmallBytes],
  smtMetadata: [60, p2pSmallBytes],
  smtLaneChunk: [61, p2pPageBytes],
  requestNextPruningPointSmtChunk: [63, p2pSmallBytes],
  requestPruningPointShieldedState: [64, p2pSmallBytes],
  shieldedMetadata: [65, p2pPageBytes],
  shieldedNullifierChunk: [66, p2pPageBytes],
  requestNextPruningPointShieldedChunk: [67, p2pSmallBytes],
  requestShieldedHistory: [70, p2pSmallBytes],
  shieldedHistoryChunk: [71, p2pPageBytes],
  requestNextShieldedHistoryChunk: [72, p2pSmallBytes],
};

const NAMES: ReadonlyMap<number, readonly [name: string, bytes: number]> = new Map(
  Object.entries(MESSAGE_BOUNDS).map(([name, [number, bytes]]) => [number, [name, bytes]]),
);

/** The routes of a question and its answer; every other field is a message. */
const FIRST_ROUTE_FIELD = 101;
const LENGTH_DELIMITED = 2;
const VARINT = 0;
const VARINT_BYTES = 10;

/**
 * Looks at the fields of an envelope and into none of them. Returns the number of its message, null when there is none.
 * Throws `p2p/message-too-large`, and `p2p/bad-message` for what is no envelope or holds two messages.
 */
export function checkMessageSize(bytes: Uint8Array): number | null {
  let message: number | null = null;
  let at = 0;
  while (at < bytes.length) {
    const [tag, afterTag] = readVarint(bytes, at);
    const [field, wireType] = [Math.floor(tag / 8), tag % 8];
    const [value, afterValue] = readVarint(bytes, afterTag);
    if (wireType === VARINT && field >= FIRST_ROUTE_FIELD) at = afterValue;
    else if (wireType === LENGTH_DELIMITED) {
      if (value > bytes.length - afterValue) throw notAnEnvelope();
      if (message !== null) throw badField("message", "there is more than one");
      message = field;
      const [name, max] = NAMES.get(field) ?? ["unknown", LIMITS.p2pSmallBytes];
      if (value > max) {
        throw new SvcError("p2p/message-too-large", { message: name, length: value, max });
      }
      at = afterValue + value;
    } else throw notAnEnvelope();
  }
  return message;
}

function readVarint(bytes: Uint8Array, from: number): [value: number, next: number] {
  let value = 0;
  for (let at = from; at < from + VARINT_BYTES; at += 1) {
    const byte = bytes[at];
    if (byte === undefined) break;
    value += (byte % 128) * 2 ** (7 * (at - from));
    if (byte < 128) return [value, at + 1];
  }
  throw notAnEnvelope();
}

function notAnEnvelope(): SvcError {
  return badField("message", "the bytes are no envelope");
}
