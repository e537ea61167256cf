/** Where the payment of a challenge is, as the scan of its invoice has found it. */
import type { InvoicePayment } from "@svc/shared/invoice/invoice.ts";
import type { StoreReader } from "../../storage/rows/storeKeys.ts";
import type { ChallengeRow } from "../store/challengeTable.ts";
import type { GatewayStore } from "../store/gatewayStore.ts";

/** What the invoice of a challenge has of the payment that is bound; empty for a payment that nobody has seen. */
export function paymentsOf(
  { invoices }: Pick<GatewayStore, "invoices">,
  { id, payment }: ChallengeRow,
  reader?: StoreReader,
): readonly InvoicePayment[] {
  const all = invoices.get(id, reader)?.payments ?? [];
  return all.filter(({ output }) => output.txid === payment?.txid);
}

/** Whether it was in a pool or a block, and is in neither. It may come back: a block takes it out of the pool first. */
export function isLost({ place }: InvoicePayment): boolean {
  return place.kind === "lost";
}
