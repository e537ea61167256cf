/** Making pages of messages. */
import { writeEnvelope, type P2pPayload } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import type { ServedPage } from "./serveMessages.ts";

/** The bytes of a message without the ids of routes. */
export function encodePayload(payload: P2pPayload): Uint8Array {
  return writeEnvelope({ payload, responseId: 0, requestId: 0 });
}

/** A page of messages. */
export function pageOf(payloads: readonly P2pPayload[], next: string | null): ServedPage {
  return { messages: payloads.map(encodePayload), next };
}

/** What a peer gets that asks for another pruning point than ours, or while ours cannot be served. */
export function unexpectedPoint(): ServedPage {
  return pageOf([{ $case: "unexpectedPruningPoint", value: {} }], null);
}
