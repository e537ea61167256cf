/**
 * Reads a response of the gRPC API field by field and keeps those that the client has a use for (specification network 2.1).
 *
 * A message of two bytes becomes an object of a hundred: who decodes whatever a stranger sends gives him fifty times the
 * memory that his bytes take. What is not wanted is passed over here as bytes.
 */
import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { SvcError } from "../../base/svcError.ts";
import { readResponse, type ResponseEnvelope } from "./rpcEnvelope.ts";

/** What is read of a message: the numbers of its plain fields, and of those that hold messages what is read of these. */
export type WantedFields = {
  readonly fields: readonly number[];
  readonly messages?: ReadonlyMap<number, WantedFields>;
};

/** What is read of a response. A field that repeats a message stands in `messages`, so that the parts of each are counted. */
export type WantedResponse = WantedFields & {
  /** bytes. A longer one is refused. */
  readonly maxBytes: number;
};

const ID_FIELD = 101;
const FIRST_METHOD = 1_001;

/**
 * Reads a response, its payload by the number of its method; of a method that is not wanted there is no payload. Throws
 * `codec/count-too-large` for more than `maxFields` fields, those of messages within included, or too many bytes;
 * `rpc/bad-argument` for bytes that are no protobuf.
 */
export function pickResponse(
  bytes: Uint8Array,
  wanted: ReadonlyMap<number, WantedResponse>,
  maxFields: number,
): ResponseEnvelope {
  const budget = { left: maxFields, max: maxFields };
  const kept = new BinaryWriter();
  const last: { payload: Payload | null } = { payload: null };
  eachField(bytes, budget, (reader, field, wireType) => {
    if (field === ID_FIELD && wireType === WireType.Varint) {
      kept.tag(field, wireType).uint64(reader.uint64());
    } else if (field >= FIRST_METHOD && wireType === WireType.LengthDelimited) {
      last.payload = { method: field, bytes: reader.bytes() };
    } else {
      reader.skip(wireType, field);
    }
  });
  writePayload(kept, last.payload, wanted, budget);
  return readResponse(kept.finish());
}

type Payload = { readonly method: number; readonly bytes: Uint8Array };
type Budget = { left: number; readonly max: number };

/** Of several the last one counts, as everywhere in protobuf. */
function writePayload(
  kept: BinaryWriter,
  payload: Payload | null,
  wanted: ReadonlyMap<number, WantedResponse>,
  budget: Budget,
): void {
  if (payload === null) return;
  const want = wanted.get(payload.method);
  if (want === undefined) return;
  if (payload.bytes.length > want.maxBytes) {
    throw new SvcError("codec/count-too-large", {
      count: payload.bytes.length,
      max: want.maxBytes,
    });
  }
  kept.tag(payload.method, WireType.LengthDelimited).fork();
  keepFields(kept, payload.bytes, want, budget);
  kept.join();
}

/** As deep as what is wanted, and no deeper. */
function keepFields(
  kept: BinaryWriter,
  bytes: Uint8Array,
  { fields, messages }: WantedFields,
  budget: Budget,
): void {
  eachField(bytes, budget, (reader, field, wireType, start) => {
    const inner = messages?.get(field);
    if (inner !== undefined && wireType === WireType.LengthDelimited) {
      kept.tag(field, wireType).fork();
      keepFields(kept, reader.bytes(), inner, budget);
      kept.join();
      return;
    }
    reader.skip(wireType, field);
    if (fields.includes(field)) kept.raw(bytes.subarray(start, reader.pos));
  });
}

type OnField = (reader: BinaryReader, field: number, wireType: WireType, start: number) => void;

/** `read` takes the field from the reader; `start` is where its tag begins. */
function eachField(bytes: Uint8Array, budget: Budget, read: OnField): void {
  const reader = new BinaryReader(bytes);
  try {
    while (reader.pos < reader.len) {
      budget.left -= 1;
      if (budget.left < 0) {
        throw new SvcError("codec/count-too-large", { count: budget.max + 1, max: budget.max });
      }
      const start = reader.pos;
      const [field, wireType] = reader.tag();
      read(reader, field, wireType, start);
    }
  } catch (error) {
    if (error instanceof SvcError) throw error;
    const data = { field: "message", reason: "the bytes are no protobuf message" };
    throw new SvcError("rpc/bad-argument", data, error);
  }
}
