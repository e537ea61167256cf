/** Applies what the scanner found to invoices: in one commit with the place that the scan has come to. */
import type { PaymentFact } from "@svc/shared/invoice/paymentFact.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import type { ScanStep } from "../scan/chainScan.ts";
import type { GatewayStore } from "../store/gatewayStore.ts";
import type { InvoiceDesk } from "./invoiceDesk.ts";
import { keepStep } from "./keepStep.ts";

/** Dependencies. */
export type ApplyScanParts = {
  readonly store: Pick<GatewayStore, "commit" | "view" | "found" | "invoices">;
  readonly desk: Pick<InvoiceDesk, "apply">;
  /** Blocks that are remembered. */
  readonly recentBlocks: number;
};

/** Applies a step of the scan. Throws the store's error, and then nothing has happened. */
export function applyScan({ store, desk, recentBlocks }: ApplyScanParts, step: ScanStep): void {
  store.commit((batch) =>
    applyFacts({ store, desk }, batch, keepStep(store, batch, step, recentBlocks)),
  );
}

/** Applies facts to the invoices that have their addresses. An address that no invoice has is nobody's business. */
export function applyFacts(
  {
    store,
    desk,
  }: Pick<ApplyScanParts, "desk"> & { readonly store: Pick<GatewayStore, "invoices"> },
  batch: StoreBatch,
  facts: readonly PaymentFact[],
): void {
  const byAddress = Map.groupBy(facts, ({ key, index }) => `${key}/${index}`);
  for (const own of byAddress.values()) {
    const [first] = own;
    if (first === undefined) continue;
    const invoice = store.invoices.at(first.key, first.index, batch);
    if (invoice === undefined) continue;
    desk.apply(
      batch,
      invoice,
      own.map(({ input }) => input),
    );
  }
}
