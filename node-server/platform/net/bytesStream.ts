/** Defines a bidirectional gRPC stream of raw messages. Bytes pass through; an envelope codec reads them. */
import type { MethodDefinition } from "@grpc/grpc-js";

/** A bidirectional stream of byte strings. */
export type BytesStream = MethodDefinition<Uint8Array, Uint8Array>;

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Makes the method's definition; the path is all that the other side sees of names. */
export function bytesStream(path: string): BytesStream {
  return {
    path,
    requestStream: true,
    responseStream: true,
    requestSerialize: toBuffer,
    requestDeserialize: (bytes) => bytes,
    responseSerialize: toBuffer,
    responseDeserialize: (bytes) => bytes,
  };
}
