/** Size limits of peers' messages, checked by message number before anything is decoded (ADR 18). */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { badField } from "@svc/shared/protocol/p2p/p2pFields.ts";
import type { P2pName } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { FIELD_KIND, FieldCursor } from "./fieldCursor.ts";
import { MESSAGE_SHAPES, type MessageShape } from "./messageShapes.ts";

/** The size limits of one kind of message. */
export type SizeBound = {
  readonly bytes: number;
  /** Fields, those of messages within messages too: each becomes something when it is decoded. */
  readonly parts: number;
};

const small: SizeBound = { bytes: P2P_LIMITS.p2pSmallBytes, parts: P2P_LIMITS.p2pSmallParts };
const list: SizeBound = { bytes: P2P_LIMITS.p2pListBytes, parts: P2P_LIMITS.p2pListParts };
const ids: SizeBound = {
  bytes: P2P_LIMITS.p2pIdListBytes,
  parts: 2 * P2P_LIMITS.p2pTransactionIds,
};
const transaction: SizeBound = {
  bytes: P2P_LIMITS.p2pTransactionBytes,
  parts: P2P_LIMITS.p2pTransactionParts,
};
const block: SizeBound = { bytes: P2P_LIMITS.p2pBlockBytes, parts: P2P_LIMITS.p2pBlockParts };
const logPage: SizeBound = {
  bytes: P2P_LIMITS.p2pLogPageBytes,
  parts: P2P_LIMITS.p2pSmallParts,
};
const page: SizeBound = { bytes: P2P_LIMITS.p2pPageBytes, parts: P2P_LIMITS.p2pPageParts };
const proof: SizeBound = { bytes: P2P_LIMITS.p2pProofBytes, parts: P2P_LIMITS.p2pProofParts };

/** Number and size limits of every message. */
export const MESSAGE_BOUNDS: Readonly<
  Record<P2pName, readonly [number: number, bound: SizeBound]>
> = {
  addresses: [1, list],
  block: [2, block],
  transaction: [3, transaction],
  blockLocator: [5, list],
  requestAddresses: [6, small],
  requestRelayBlocks: [10, list],
  requestTransactions: [12, ids],
  ibdBlock: [13, block],
  invRelayBlock: [14, small],
  invTransactions: [15, ids],
  ping: [16, small],
  pong: [17, small],
  verack: [19, small],
  version: [20, small],
  transactionNotFound: [21, small],
  reject: [22, list],
  pruningPointUtxoSetChunk: [25, page],
  requestIbdBlocks: [26, list],
  unexpectedPruningPoint: [27, small],
  ibdBlockLocator: [30, list],
  ibdBlockLocatorHighestHash: [31, small],
  requestNextPruningPointUtxoSetChunk: [33, small],
  donePruningPointUtxoSetChunks: [34, small],
  ibdBlockLocatorHighestHashNotFound: [35, small],
  blockWithTrustedData: [36, page],
  doneBlocksWithTrustedData: [37, small],
  requestPruningPointAndItsAnticone: [40, small],
  blockHeaders: [41, page],
  requestNextHeaders: [42, small],
  doneHeaders: [43, small],
  requestPruningPointUtxoSet: [44, small],
  requestHeaders: [45, small],
  requestBlockLocator: [46, small],
  pruningPoints: [47, page],
  requestPruningPointProof: [48, small],
  pruningPointProof: [49, proof],
  ready: [50, small],
  blockWithTrustedDataV4: [51, block],
  trustedData: [52, page],
  requestIbdChainBlockLocator: [53, small],
  ibdChainBlockLocator: [54, list],
  requestAntipast: [55, small],
  requestNextPruningPointAndItsAnticoneBlocks: [56, small],
  blockBody: [57, block],
  requestBlockBodies: [58, list],
  requestPruningPointSmtState: [59, small],
  smtMetadata: [60, small],
  smtLaneChunk: [61, page],
  requestNextPruningPointSmtChunk: [63, small],
  requestPruningPointShieldedState: [64, small],
  shieldedMetadata: [65, page],
  shieldedNullifierChunk: [66, page],
  requestNextPruningPointShieldedChunk: [67, small],
  requestShieldedHistory: [70, small],
  shieldedHistoryChunk: [71, page],
  requestNextShieldedHistoryChunk: [72, small],
  stemTransaction: [201, transaction],
  requestAnchorBindings: [204, small],
  anchorBindingChunk: [205, page],
  requestNextAnchorBindingChunk: [206, small],
  requestAnchorLog: [210, small],
  anchorLogPage: [211, logPage],
};

type Kind = { readonly name: P2pName; readonly bound: SizeBound; readonly shape: MessageShape };

const KINDS = new Map<number, Kind>();
for (const name of keysOf(MESSAGE_BOUNDS)) {
  const [number, bound] = MESSAGE_BOUNDS[name];
  KINDS.set(number, { name, bound, shape: MESSAGE_SHAPES[name] });
}

/** The routes of a question and its answer; every other field is a message. */
const RESPONSE_ID_FIELD = 101;
const REQUEST_ID_FIELD = 102;

/**
 * Messages of which the oldest are dropped when too many wait: news of what there is, since what is newest leads to them, and
 * payments on their stem, which their sender spreads itself when nobody else does.
 */
export const DROPPED_WHEN_FULL: ReadonlySet<P2pName> = new Set([
  "invRelayBlock",
  "invTransactions",
  "stemTransaction",
]);

/**
 * Whether messages of this name may be large, so that backpressure applies: nothing more is read from a peer while many of them
 * wait.
 */
export function isBulk(name: P2pName): boolean {
  return MESSAGE_BOUNDS[name][1].bytes > P2P_LIMITS.p2pListBytes && !DROPPED_WHEN_FULL.has(name);
}

/** The head of an envelope: number, name and routes of its message. */
export type MessageHead = {
  /** Of its message; null when there is none. */
  readonly number: number | null;
  /** `undefined` for a number that this program does not know. */
  readonly name: P2pName | undefined;
  /** The route of ours that asked; 0 when none did. */
  readonly responseId: number;
  /** The peer's route that wants the answer; 0 for none. */
  readonly requestId: number;
  /** Where its message begins and ends. */
  readonly from: number;
  readonly to: number;
};

/**
 * Reads the head of an envelope without decoding its message. Throws `p2p/message-too-large`, and `p2p/bad-message` for what is
 * no envelope or holds two messages.
 */
export function readMessageHead(bytes: Uint8Array): MessageHead {
  const cursor = new FieldCursor(bytes);
  let number: number | null = null;
  const ids = { response: 0, request: 0 };
  const span = { from: 0, to: 0 };
  while (cursor.at < bytes.length) {
    cursor.readField(bytes.length);
    const { field, kind, value } = cursor;
    if (kind === FIELD_KIND.varint && field >= RESPONSE_ID_FIELD) {
      if (field === RESPONSE_ID_FIELD) ids.response = value >>> 0;
      if (field === REQUEST_ID_FIELD) ids.request = value >>> 0;
    } else if (kind === FIELD_KIND.lengthDelimited) {
      if (number !== null) throw badField("message", "there is more than one");
      number = field;
      checkBytes(field, value);
      span.from = cursor.at;
      span.to = cursor.at + value;
      cursor.at = span.to;
    } else throw badField("message", "the bytes are no envelope");
    // What lies around the message is as small as two numbers, or the message would be bounded for nothing.
    const around = cursor.at - (span.to - span.from);
    const max = P2P_LIMITS.p2pEnvelopeBytes;
    if (around > max) throw badField("message", `more than ${max} bytes are around it`);
  }
  const name = number === null ? undefined : KINDS.get(number)?.name;
  return { number, name, responseId: ids.response, requestId: ids.request, ...span };
}

/**
 * Counts the fields of an envelope's message without decoding them. Throws `p2p/bad-message` when they are too many, and for
 * what is no protobuf; the parts of a message that nobody knows are not looked at.
 */
export function checkMessageParts(bytes: Uint8Array, { number, from, to }: MessageHead): void {
  const kind = number === null ? undefined : KINDS.get(number);
  if (kind === undefined) return;
  const { name, bound, shape } = kind;
  const cursor = new FieldCursor(bytes);
  cursor.at = from;
  let parts = 0;
  const count = (found: number): void => {
    parts += found;
    if (parts > bound.parts) throw badField(name, `it has more than ${bound.parts} parts`);
  };
  const walk = (end: number, within: MessageShape): void => {
    while (cursor.at < end) {
      cursor.readField(end);
      count(1);
      if (cursor.kind !== FIELD_KIND.lengthDelimited) continue;
      const inner = within[cursor.field];
      if (inner === undefined) cursor.at += cursor.value;
      else if (inner === "packed") count(cursor.passPacked(cursor.value));
      else walk(cursor.at + cursor.value, inner);
    }
  };
  walk(to, shape);
}

function checkBytes(number: number, length: number): void {
  const kind = KINDS.get(number);
  const { bytes: max } = kind?.bound ?? small;
  const message = kind?.name ?? "unknown";
  if (length > max) throw new SvcError("p2p/message-too-large", { message, length, max });
}

function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] {
  return Object.keys(record).filter((key): key is Key => key in record);
}
