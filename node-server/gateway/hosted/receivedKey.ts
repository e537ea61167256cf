/** Keys of the table of received payments: viewing key, address index, note commitment. */
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { addressKey } from "../store/gatewayKeys.ts";
import type { FoundRow } from "../store/foundTable.ts";

/** Viewing key ‖ index ‖ note commitment. */
export function receivedKey({
  key,
  index,
  output,
}: Pick<FoundRow, "key" | "index" | "output">): Uint8Array<ArrayBuffer> {
  return concatBytes(addressKey(key, index), decodeHex(output.cmx));
}
