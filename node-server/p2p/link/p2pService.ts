/** The one gRPC method of peers: a stream of envelopes both ways. Bytes pass through; the link reads them. */
import type { MethodDefinition, ServiceDefinition } from "@grpc/grpc-js";

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Its definition; the path is all that a peer sees of names. */
export const peerStream: MethodDefinition<Uint8Array, Uint8Array> = {
  path: "/protowire.P2P/MessageStream",
  requestStream: true,
  responseStream: true,
  requestSerialize: toBuffer,
  requestDeserialize: (bytes) => bytes,
  responseSerialize: toBuffer,
  responseDeserialize: (bytes) => bytes,
};

/** The service that holds it. */
export const peerServiceDefinition: ServiceDefinition = { messageStream: peerStream };
