/** Names of nodes for people. */
import { encodeHex } from "@svc/shared/base/hex.ts";

/** 16 bytes in the groups of a UUID. */
export function uuidText(id: Uint8Array): string {
  return encodeHex(id).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
