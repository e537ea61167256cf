/**
 * Codec of the gRPC API's envelope: an id and one message (specification network 2.1).
 *
 * The method is read as a field number, so a call this program does not know still gets an answer: the
 * response to field n is field n + 1, and every response carries its error in field 1000.
 */
import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { SvcError } from "../../base/svcError.ts";
import { RpcRequest, RpcResponse } from "./generated/rpc.ts";
import { RpcError } from "./generated/rpcValues.ts";

/** A request, tagged by its method. */
export type RequestPayload = NonNullable<RpcRequest["payload"]>;
/** A response or a notification, tagged by its method. */
export type ResponsePayload = NonNullable<RpcResponse["payload"]>;
/** Request types by method. */
export type Requests = { [P in RequestPayload as P["$case"]]: P["value"] };
/** Response and notification types by method. */
export type Responses = { [P in ResponsePayload as P["$case"]]: P["value"] };

/** A decoded request. */
export type RequestEnvelope = {
  /** What the reply repeats; `undefined` for old clients that send none. */
  readonly id: bigint | undefined;
  /** Field number of the method; `null` when the client asks for nothing, which ends the stream. */
  readonly method: number | null;
  /** `undefined` when this program does not know the method. */
  readonly payload: RequestPayload | undefined;
};

const FIRST_METHOD = 1_001;
const ID_FIELD = 101;
const ERROR_FIELD = 1_000;

/** Decodes a request. Throws `rpc/bad-argument` for bytes that are no protobuf. */
export function readRequest(bytes: Uint8Array): RequestEnvelope {
  return readProtobuf(() => {
    const { id, payload } = RpcRequest.decode(bytes);
    return { id, method: lastMethod(bytes), payload };
  });
}

/** Encodes a request. */
export function encodeRequest(id: bigint, payload: RequestPayload): Uint8Array {
  return RpcRequest.encode({ id, payload }).finish();
}

/** Encodes a response; a notification has no id. */
export function encodeResponse(id: bigint | undefined, payload: ResponsePayload): Uint8Array {
  return RpcResponse.encode({ id, payload }).finish();
}

/** Encodes the response to any method with nothing but an error in it. */
export function encodeErrorResponse(
  id: bigint | undefined,
  method: number,
  error: RpcError,
): Uint8Array {
  const writer = new BinaryWriter();
  if (id !== undefined) writer.tag(ID_FIELD, WireType.Varint).uint64(id);
  writer.tag(method + 1, WireType.LengthDelimited).fork();
  writer.tag(ERROR_FIELD, WireType.LengthDelimited).bytes(RpcError.encode(error).finish());
  return writer.join().finish();
}

/** A decoded response, as a client reads it. */
export type ResponseEnvelope = {
  readonly id: bigint | undefined;
  readonly payload: ResponsePayload | undefined;
};

/** Decodes a response. Throws `rpc/bad-argument` for bytes that are no protobuf. */
export function readResponse(bytes: Uint8Array): ResponseEnvelope {
  return readProtobuf(() => {
    const { id, payload } = RpcResponse.decode(bytes);
    return { id, payload };
  });
}

/** The error of a response; `undefined` when the call succeeded. */
export function errorOf(payload: ResponsePayload): RpcError | undefined {
  return "error" in payload.value ? payload.value.error : undefined;
}

function lastMethod(bytes: Uint8Array): number | null {
  const reader = new BinaryReader(bytes);
  let method: number | null = null;
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (field >= FIRST_METHOD) method = field;
    reader.skip(wireType, field);
  }
  return method;
}

function readProtobuf<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const data = { field: "message", reason: "the bytes are no protobuf message" };
    throw new SvcError("rpc/bad-argument", data, error);
  }
}
