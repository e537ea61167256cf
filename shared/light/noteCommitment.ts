/** The commitment of a note, as it stands among the leaves of the note tree. */
import { concatBytes } from "../base/bytes.ts";
import { decodeHex } from "../base/hex.ts";
import { callCore } from "../core/callCore.ts";
import type { CoreGlue } from "../core/generated/coreGlue.ts";
import type { ReceiptNote } from "./coreReceipts.ts";

/** The 32 bytes of the leaf. Throws `shielded/bad-recipient`, `shielded/bad-note`. */
export function noteCommitment(
  core: Pick<CoreGlue, "noteCommitments">,
  { recipient, value, rho, rseed }: Omit<ReceiptNote, "position">,
): Uint8Array {
  const amount = new DataView(new ArrayBuffer(8));
  amount.setBigUint64(0, value, true);
  const raw = concatBytes(
    decodeHex(recipient),
    new Uint8Array(amount.buffer),
    decodeHex(rho),
    decodeHex(rseed),
  );
  return callCore(() => core.noteCommitments(raw));
}
