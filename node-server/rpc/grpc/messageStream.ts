/** The one gRPC method: a stream of envelopes both ways. Bytes pass through; the envelope codec reads them. */
import type { MethodDefinition, ServiceDefinition } from "@grpc/grpc-js";

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Its definition; the path is all that a client sees of names. */
export const messageStream: MethodDefinition<Uint8Array, Uint8Array> = {
  path: "/protowire.RPC/MessageStream",
  requestStream: true,
  responseStream: true,
  requestSerialize: toBuffer,
  requestDeserialize: (bytes) => bytes,
  responseSerialize: toBuffer,
  responseDeserialize: (bytes) => bytes,
};

/** The service that holds it. */
export const rpcServiceDefinition: ServiceDefinition = { messageStream };
