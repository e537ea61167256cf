/** Test helper: a payment of long ago. */
import {
  asAddressText,
  asBlueScore,
  asChainIndex,
  asNullifier,
  asLeafPosition,
  asSompi,
  asTimestampMs,
  asTxId,
} from "@svc/shared/base/brand.ts";
import { FOREIGN_ADDRESS } from "@svc/shared/wallet/testkit/chainModel.ts";
import type { Payment } from "@svc/shared/wallet/state/payment.ts";

/** A settled payment that is told by a number; `undoable` while its block might still be undone. */
export function settledPayment(number: number, undoable = false): Payment {
  const digits = number.toString(16).padStart(63, "0");
  const [at, blueScore] = [asChainIndex(1n), asBlueScore(1n)];
  const value = asSompi(1n);
  const accepted = { state: "accepted", at, blueScore, previous: null } as const;
  return {
    id: `old-${String(number).padStart(6, "0")}:0`,
    createdMs: asTimestampMs(BigInt(number)),
    payees: [
      { address: asAddressText("test:x"), recipient: FOREIGN_ADDRESS, value, memo: "", own: false },
    ],
    fee: asSompi(2n),
    change: asSompi(0n),
    anchor: null,
    reserved: [
      { position: asLeafPosition(0n), nullifier: asNullifier(`e${digits}`), value: asSompi(3n) },
    ],
    txid: asTxId(`f${digits}`),
    raw: undoable ? "00" : null,
    status: { state: "settled", at, blueScore, previous: undoable ? accepted : null },
  };
}
