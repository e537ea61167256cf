/** Test helper: round trip of an initial sync's messages through the raw forms of the core. */
import { anchorBindingChunkMessage, rawAnchorBindingsOf } from "../p2pAnchorBindings.ts";
import { equalBytes } from "../../../base/bytes.ts";
import { FORM_BOUNDS } from "../../raw/formBounds.ts";
import type { P2pShieldedMetadata } from "../generated/p2pMessages.ts";
import { blockMessage, rawBlockOf } from "../p2pBlock.ts";
import type { P2pPayload } from "../p2pEnvelope.ts";
import { headersMessage, rawHeaderPagesOf } from "../p2pHeaderPages.ts";
import { historyChunkMessage, historyPageOf } from "../p2pHistory.ts";
import {
  laneChunkMessage,
  lanesMetadataMessage,
  lanesMetadataOf,
  rawLanePageOf,
} from "../p2pLanes.ts";
import { LaneProofs } from "../p2pLaneProofs.ts";
import { nullifierChunkMessage, rawNullifiersOf } from "../p2pNullifiers.ts";
import { proofMessage, rawProofOf } from "../p2pProof.ts";
import { rawStateClaimOf, stateClaimMessage } from "../p2pStateClaim.ts";
import {
  bodilessHeader,
  headerEntry,
  rawTrustedPage,
  rawTrustedPagesOf,
  trustedPartOf,
} from "../p2pTrusted.ts";

/** Headers that a message may bring here. */
const HEADERS = FORM_BOUNDS.pruningPoints;

/**
 * Converts a message to its raw form and back; undefined for one without a raw form. Of trusted data the list by block, which
 * has none, is taken from the message.
 */
export function throughRaw(payload: P2pPayload): P2pPayload | undefined {
  switch (payload.$case) {
    case "pruningPointProof":
      return { ...payload, value: proofMessage(rawProofOf(payload.value)) };
    case "pruningPoints":
    case "blockHeaders":
      return { ...payload, value: headersMessage(rawHeaderPagesOf(payload.value, HEADERS)) };
    case "trustedData": {
      const parts = rawTrustedPagesOf(payload.value).map(trustedPartOf);
      const daaWindow = parts.flatMap(({ window }) => window);
      return { ...payload, value: { ...payload.value, daaWindow } };
    }
    case "blockWithTrustedDataV4": {
      const header = bodilessHeader(payload.value);
      if (header !== null) {
        const { segment } = trustedPartOf(rawTrustedPage({ window: [], segment: [header] }));
        const [only = header] = segment;
        return { ...payload, value: headerEntry(only) };
      }
      const block = payload.value.block && blockMessage(rawBlockOf(payload.value.block));
      return { ...payload, value: { ...payload.value, block } };
    }
    case "smtMetadata":
      return { ...payload, value: lanesMetadataMessage(lanesMetadataOf(payload.value)) };
    case "smtLaneChunk": {
      const page = rawLanePageOf(payload.value);
      const proofs = new LaneProofs(page);
      return { ...payload, value: laneChunkMessage(page, (row) => proofs.proofOf(row)) };
    }
    case "shieldedMetadata":
      return { ...payload, value: stateThroughRaw(payload.value) };
    case "shieldedNullifierChunk":
      return { ...payload, value: nullifierChunkMessage(rawNullifiersOf(payload.value)) };
    case "anchorBindingChunk": {
      const { done } = payload.value;
      const raw = rawAnchorBindingsOf(payload.value);
      return { ...payload, value: anchorBindingChunkMessage(raw, done) };
    }
    case "shieldedHistoryChunk": {
      const { records } = historyPageOf(payload.value);
      const top = payload.value.entries[0]?.chainIndex ?? payload.value.anchorIndex;
      return { ...payload, value: historyChunkMessage(records, top) };
    }
    default:
      return undefined;
  }
}

/** Whether the data have what follows the reference's is told by their length, as a peer would: it has none without. */
function stateThroughRaw(message: P2pShieldedMetadata): P2pShieldedMetadata {
  const { claim, stateRoot } = rawStateClaimOf(message, 0n);
  const facts = {
    stateRoot: stateRoot ?? new Uint8Array(32),
    blueScoreOf: (block: Uint8Array) => scoreIn(message.data, block),
  };
  const [plain, extended] = [false, true].map((isExtended) =>
    stateClaimMessage(claim, facts, isExtended),
  );
  const isPlain = plain?.data.length === message.data.length;
  return (isPlain ? plain : extended) ?? message;
}

/** The score behind the last place where a block is named. */
function scoreIn(data: Uint8Array, block: Uint8Array): bigint {
  for (let at = data.length - 40; at >= 0; at -= 1) {
    if (!equalBytes(data.subarray(at, at + 32), block)) continue;
    return new DataView(data.buffer, data.byteOffset + at + 32, 8).getBigUint64(0, true);
  }
  throw new Error("the block is not named");
}
