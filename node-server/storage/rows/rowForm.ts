/**
 * Form of a stored row: version u8 = 1 ‖ form u8 (0 plain, 1 sealed) ‖ first 8 bytes of SHA-256(table ‖ length of the key ‖ key ‖
 * version ‖ form ‖ body) ‖ body. The sum finds damage, and a row under the key of another one; it is no protection against an
 * author.
 */
import { createHash } from "node:crypto";
import { concatBytes, equalBytes } from "@svc/shared/base/bytes.ts";
import type { RowSeal } from "./rowSeal.ts";

const VERSION = 1;
const PLAIN = 0;
const SEALED = 1;
const SUM_AT = 2;
const BODY_AT = SUM_AT + 8;

/** Where a row stands. */
export type RowPlace = { readonly table: number; readonly key: Uint8Array };

/** A row whose sum was checked. */
export type StoredRow = { readonly isSealed: boolean; readonly body: Uint8Array };

/** The stored form of a row, sealed when there is a seal. */
export function writeRow(
  place: RowPlace,
  plain: Uint8Array,
  seal: RowSeal | null,
): Uint8Array<ArrayBuffer> {
  const body = seal === null ? plain : seal.seal(plain, contextOf(place));
  const head = Uint8Array.of(VERSION, seal === null ? PLAIN : SEALED);
  return concatBytes(head, sumOf(place, head, body), body);
}

/** Reads a row. Throws a `TypeError` for a damaged one. */
export function readRow(place: RowPlace, value: Uint8Array): StoredRow {
  const [version, form] = value;
  if (value.length < BODY_AT) throw new TypeError("length");
  if (version !== VERSION || (form !== PLAIN && form !== SEALED)) {
    throw new TypeError("unknown version");
  }
  const body = value.subarray(BODY_AT);
  const sum = sumOf(place, value.subarray(0, SUM_AT), body);
  if (!equalBytes(sum, value.subarray(SUM_AT, BODY_AT))) throw new TypeError("sum");
  return { isSealed: form === SEALED, body };
}

/** The content of a row: of a plain one as it stands. Throws as the seal does. */
export function openRow(place: RowPlace, row: StoredRow, seal: RowSeal): Uint8Array {
  return row.isSealed ? seal.open(row.body, contextOf(place)) : row.body;
}

/** What a row is bound to: its place. */
function contextOf({ table, key }: RowPlace): Uint8Array {
  return concatBytes(Uint8Array.of(table), key);
}

function sumOf({ table, key }: RowPlace, head: Uint8Array, body: Uint8Array): Uint8Array {
  const hash = createHash("sha256");
  hash.update(Uint8Array.of(table, key.length & 0xff, key.length >> 8)).update(key);
  hash.update(head).update(body);
  return new Uint8Array(hash.digest().subarray(0, BODY_AT - SUM_AT));
}
