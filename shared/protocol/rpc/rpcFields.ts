/** Field validators of gRPC messages: every error names the field it is about. */
import {
  asBlockHash,
  asTimestampMs,
  asTxId,
  parseHash32,
  type BlockHash,
  type Hash32,
  type TimestampMs,
  type TxId,
} from "../../base/brand.ts";
import { decodeHex } from "../../base/hex.ts";
import { SvcError } from "../../base/svcError.ts";

const BLUE_WORK_FORM = /^[0-9a-f]{0,48}$/;
const U16_MAX = 0xffff;

/** Makes the error about a field of a request. */
export function badField(field: string, reason: string): SvcError {
  return new SvcError("rpc/bad-argument", { field, reason });
}

/** Checks 64 lower-case hex digits. */
export function hashField(field: string, text: string): Hash32 {
  return checked(field, "it is not 64 hexadecimal digits", () => parseHash32(text));
}

/** Checks the hash of a block. */
export function blockHashField(field: string, text: string): BlockHash {
  return asBlockHash(hashField(field, text));
}

/** Checks the id of a transaction. */
export function txIdField(field: string, text: string): TxId {
  return asTxId(hashField(field, text));
}

/** Checks lower-case hex of `length` bytes, or of any length when it is left out. */
export function hexField(field: string, text: string, length?: number): Uint8Array {
  const size = length === undefined ? "" : ` of ${length} bytes`;
  return checked(field, `it is not hexadecimal${size}`, () => decodeHex(text, length));
}

/** Checks a number that the chain keeps in 16 bits. */
export function u16Field(field: string, value: number): number {
  if (value > U16_MAX) throw badField(field, `it is above ${U16_MAX}`);
  return value;
}

/** Checks a time: milliseconds since 1970, signed on this wire and never negative. */
export function timestampField(field: string, value: bigint): TimestampMs {
  if (value < 0n) throw badField(field, "it is negative");
  return asTimestampMs(value);
}

/** Checks hex of a number below 2¹⁹², any number of digits. */
export function blueWorkField(field: string, text: string): bigint {
  if (!BLUE_WORK_FORM.test(text))
    throw badField(field, "it is not a hexadecimal number of 192 bits");
  return text === "" ? 0n : BigInt(`0x${text}`);
}

/** Checks a part of a message that must be there. */
export function requiredField<T>(field: string, value: T | undefined): T {
  if (value === undefined) throw badField(field, "it is missing");
  return value;
}

function checked<T>(field: string, reason: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw SvcError.is(error, "codec/bad-hex") ? badField(field, reason) : error;
  }
}
