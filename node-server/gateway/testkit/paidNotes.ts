/** Test helper: notes of payments as a scan finds them, and a press whose receipts say what they are made of. */
import { asNoteCommitment, asRawAddress, asSompi } from "@svc/shared/base/brand.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import type { ReceiptParts } from "@svc/shared/light/coreReceipts.ts";
import { outputOf } from "@svc/shared/invoice/testkit/invoices.ts";
import type { PaidNote } from "../receipts/paidNote.ts";
import type { ReceiptPressParts } from "../receipts/receiptPress.ts";
import { scannedBlock, SCANNED_KEY } from "./scannedChain.ts";

/** The note of the payment with a number, the only leaf of its block. */
export function paidNote(payment: number, block: number, fork = 0): PaidNote {
  const { hash, chainIndex } = scannedBlock(block, fork);
  const note = {
    recipient: asRawAddress("0a".repeat(43)),
    value: asSompi(BigInt(payment) + 1n),
    rho: "0b".repeat(32),
    rseed: payment.toString(16).padStart(64, "0"),
    position: block - 1,
  };
  const { cmx } = outputOf(payment, 1n);
  const index = 0x8000_0000 + payment;
  return { key: SCANNED_KEY, index, cmx: asNoteCommitment(cmx), block: hash, chainIndex, note };
}

/** Makes receipts whose file is the payment's number, the path and the opening; `workOf` is what the header of an opening shows. */
export function fakeReceipts(workOf: (opening: string) => bigint): ReceiptPressParts["receipts"] {
  return {
    make: ({ note, path, opening }: ReceiptParts) =>
      new TextEncoder().encode(
        [note.rseed, encodeHex(path), new TextDecoder().decode(opening)].join("|"),
      ),
    check: (receipt) => {
      const [, , opening = ""] = new TextDecoder().decode(receipt).split("|");
      return { work: workOf(opening).toString(16) } as never;
    },
  };
}

/** What a file of `fakeReceipts` was made of. */
export function madeOf(bytes: Uint8Array | null) {
  const [rseed = "", path = "", opening = ""] = new TextDecoder()
    .decode(bytes ?? new Uint8Array())
    .split("|");
  return { payment: Number(`0x${rseed || "0"}`), path: decodeHex(path), opening };
}
