/** Applies what the scanner found to invoices: in one commit with the place that the scan has come to. */
import type { PaymentFact } from "@svc/shared/invoice/paymentFact.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { keepReceipts } from "../scan/keepReceipts.ts";
import type { PaidNote, ReceiptFact } from "../receipts/paidNote.ts";
import type { ScanStep } from "../scan/chainScan.ts";
import type { GatewayStore } from "../store/gatewayStore.ts";
import type { InvoiceDesk } from "./invoiceDesk.ts";
import { keepStep } from "./keepStep.ts";

/** Dependencies. */
export type ApplyScanParts = {
  readonly store: Pick<
    GatewayStore,
    "commit" | "view" | "found" | "proof" | "receipts" | "invoices" | "oldAddresses"
  >;
  readonly desk: Pick<InvoiceDesk, "apply" | "revived">;
  /** Blocks that are remembered. */
  readonly recentBlocks: number;
};

/** Applies a step of the scan. Throws the store's error, and then nothing has happened. */
export function applyScan({ store, desk, recentBlocks }: ApplyScanParts, step: ScanStep): void {
  store.commit((batch) => {
    applyFacts({ store, desk }, batch, keepStep(store, batch, step, recentBlocks));
    const wants = ({ key, index, cmx }: PaidNote): boolean =>
      store.invoices.at(key, index, batch)?.payments.some(({ output }) => output.cmx === cmx) ===
      true;
    const keeping = { wants, handsOver: false };
    applyReceipts({ store, desk }, batch, keepReceipts(store.receipts, batch, step, keeping));
  });
}

/** Tells the invoices of payments whether a receipt is kept of them. */
export function applyReceipts(
  {
    store,
    desk,
  }: Pick<ApplyScanParts, "desk"> & { readonly store: Pick<GatewayStore, "invoices"> },
  batch: StoreBatch,
  facts: readonly ReceiptFact[],
): void {
  for (const { key, index, cmx, block, bytes } of facts) {
    const invoice = store.invoices.at(key, index, batch);
    if (invoice === undefined) continue;
    desk.apply(batch, invoice, [{ kind: "receipt", cmx, block, isKept: bytes !== null }]);
  }
}

/**
 * Applies facts to the invoices that have their addresses. Where one was put away, a payment brings it back. An address that no invoice had
 * is nobody's business.
 */
export function applyFacts(
  {
    store,
    desk,
  }: Pick<ApplyScanParts, "desk"> & {
    readonly store: Pick<GatewayStore, "invoices" | "oldAddresses">;
  },
  batch: StoreBatch,
  facts: readonly PaymentFact[],
): void {
  const byAddress = Map.groupBy(facts, ({ key, index }) => `${key}/${index}`);
  for (const own of byAddress.values()) {
    const [first] = own;
    if (first === undefined) continue;
    const invoice = store.invoices.at(first.key, first.index, batch);
    const inputs = own.map(({ input }) => input);
    if (invoice !== undefined) desk.apply(batch, invoice, inputs);
    else revive({ store, desk }, batch, first, inputs);
  }
}

/** Facts that change nothing of an invoice that was put away leave it there. */
function revive(
  { store, desk }: Parameters<typeof applyFacts>[0],
  batch: StoreBatch,
  { key, index }: PaymentFact,
  inputs: readonly PaymentFact["input"][],
): void {
  const old = store.oldAddresses.at(key, index, batch);
  const invoice = old === undefined ? null : desk.revived(old, { key, index });
  if (invoice === null || desk.apply(batch, invoice, inputs) === invoice) return;
  store.oldAddresses.delete(batch, key, index);
}
