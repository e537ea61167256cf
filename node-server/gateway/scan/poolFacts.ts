/** Facts about payments that wait in the node's pool, for the viewing keys of the gateway. They are one node's word, and no money. */
import type { PaymentFact } from "@svc/shared/invoice/paymentFact.ts";
import type { IncomingOutput } from "@svc/shared/wallet/state/incomingFacts.ts";
import { WaitingNotes } from "../../scanning/waitingNotes.ts";
import type { ScannedKey } from "./scannedKey.ts";

/** Makes the listener of a viewing key in the scan of the pool. */
export function poolFacts(
  { id }: ScannedKey,
  onFacts: (facts: readonly PaymentFact[]) => void,
): WaitingNotes {
  const told = (kind: "waiting" | "gone") => (notes: readonly IncomingOutput[]) => {
    const facts = notes.flatMap((note): PaymentFact[] => {
      const { addressIndex, txid, outputIndex, cmx, value } = note;
      if (addressIndex === null) return [];
      const output = { txid, outputIndex, cmx, amount: value };
      return [{ key: id, index: addressIndex, input: { kind, output } }];
    });
    if (facts.length > 0) onFacts(facts);
  };
  return new WaitingNotes({ onWaiting: told("waiting"), onGone: told("gone") });
}
