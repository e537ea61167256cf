/** Formats node ids as UUIDs. */
import { encodeHex } from "@svc/shared/base/hex.ts";

/** The 16 bytes of an id in the groups of a UUID. */
export function uuidText(id: Uint8Array): string {
  return encodeHex(id).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
