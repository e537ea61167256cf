/** Encodes messages into pages of the serving thread. */
import { writeEnvelope, type P2pPayload } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import type { ServedPage } from "./serveMessages.ts";

/** Encodes a message without the ids of routes. */
export function encodePayload(payload: P2pPayload): Uint8Array {
  return writeEnvelope({ payload, responseId: 0, requestId: 0 });
}

/** Encodes messages as a page. */
export function pageOf(payloads: readonly P2pPayload[], next: string | null): ServedPage {
  return { messages: payloads.map(encodePayload), next };
}

/** The page for a peer that asks for another pruning point than this node's, or while it cannot be served. */
export function unexpectedPoint(): ServedPage {
  return pageOf([{ $case: "unexpectedPruningPoint", value: {} }], null);
}
