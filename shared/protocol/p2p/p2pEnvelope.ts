/**
 * Codec of the peer protocol's envelope: one message, and the ids that match a response to its request (specification network
 * 1.1).
 */
import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { SvcError } from "../../base/svcError.ts";
import { P2pMessage } from "./generated/p2p.ts";

/** A peer's message, tagged by its name. */
export type P2pPayload = NonNullable<P2pMessage["payload"]>;
/** The name of a peer's message. */
export type P2pName = P2pPayload["$case"];
/** The content of a message of one name. */
export type P2pContent<Name extends P2pName> = Extract<P2pPayload, { $case: Name }>["value"];

/** A decoded envelope. */
export type P2pEnvelope = {
  /** `undefined` when this program does not know the message. */
  readonly payload: P2pPayload | undefined;
  /** The route of ours that asked; 0 when none did. */
  readonly responseId: number;
  /** The peer's route that wants the answer; 0 for none. */
  readonly requestId: number;
};

/** Decodes an envelope. Throws `p2p/bad-message` for bytes that are no protobuf. */
export function readEnvelope(bytes: Uint8Array): P2pEnvelope {
  try {
    const { payload, responseId, requestId } = P2pMessage.decode(bytes);
    return { payload, responseId, requestId };
  } catch (error) {
    const data = { field: "message", reason: "the bytes are no protobuf message" };
    throw new SvcError("p2p/bad-message", data, error);
  }
}

/** Encodes an envelope. */
export function writeEnvelope({ payload, responseId, requestId }: P2pEnvelope): Uint8Array {
  return P2pMessage.encode({ payload, responseId, requestId }).finish();
}

/** Field 101, a varint. */
const RESPONSE_ID_TAG = (101 << 3) | 0;

/** Adds the route that asked to an encoded envelope without routes; 0 is not written, and nothing is copied. */
export function withResponseId(envelope: Uint8Array, responseId: number): Uint8Array {
  if (responseId === 0) return envelope;
  const route = new BinaryWriter().uint32(RESPONSE_ID_TAG).uint32(responseId).finish();
  const bytes = new Uint8Array(envelope.length + route.length);
  bytes.set(envelope);
  bytes.set(route, envelope.length);
  return bytes;
}
