/** A cursor over the fields of a protobuf message, which decodes and allocates nothing. */
import { badField } from "@svc/shared/protocol/p2p/p2pFields.ts";

/** Wire types of protobuf fields; groups are long gone from protobuf, and refused. */
export const FIELD_KIND = { varint: 0, fixed64: 1, lengthDelimited: 2, fixed32: 5 } as const;

const VARINT_BYTES = 10;
/** Field numbers have 29 bits. */
const MAX_TAG = 2 ** 32;

/** A cursor at a place in a message. Every method throws `p2p/bad-message` for what is no protobuf. */
export class FieldCursor {
  readonly #bytes: Uint8Array;
  /** Where the next field begins. */
  at = 0;
  /** Of the field that was read last. */
  field = 0;
  /** Of the field that was read last, one of `FIELD_KIND`. */
  kind = 0;
  /** Of the field that was read last: its number, or how many bytes of content follow. */
  value = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Reads the head of a field; the content of one with a length comes next, others are passed. */
  readField(end: number): void {
    const tag = this.varint();
    this.field = Math.floor(tag / 8);
    this.kind = tag % 8;
    if (this.field === 0 || tag >= MAX_TAG) throw notProtobuf();
    if (this.kind === FIELD_KIND.varint) this.value = this.varint();
    else if (this.kind === FIELD_KIND.fixed64) this.at += 8;
    else if (this.kind === FIELD_KIND.fixed32) this.at += 4;
    else if (this.kind === FIELD_KIND.lengthDelimited) {
      this.value = this.varint();
      if (this.value > end - this.at) throw notProtobuf();
    } else throw notProtobuf();
    if (this.at > end) throw notProtobuf();
  }

  /** How many numbers the packed list of so many bytes has that comes next; passes it. */
  passPacked(length: number): number {
    const end = this.at + length;
    let count = 0;
    for (; this.at < end; this.at += 1) if ((this.#bytes[this.at] ?? 0) < 128) count += 1;
    return count;
  }

  /** A number; what does not fit is not exact. */
  varint(): number {
    let value = 0;
    let scale = 1;
    for (let read = 0; read < VARINT_BYTES; read += 1) {
      const byte = this.#bytes[this.at];
      if (byte === undefined) break;
      this.at += 1;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
    throw notProtobuf();
  }
}

function notProtobuf(): Error {
  return badField("message", "the bytes are no envelope");
}
