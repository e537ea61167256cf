/** Receipts of payments, which the objects of their invoices keep. They are the scanner's word: nothing here looks into one. */
import type { ReceiptPort } from "@svc/shared/gateway/receiptPort.ts";
import type { GatewayEnv } from "../gatewayEnv.ts";

/** The receipts of a hosted gateway. What the platform says reaches the caller as `internal/unexpected`. */
export function edgeReceipts(invoices: GatewayEnv["INVOICES"]): ReceiptPort {
  return {
    receipt: async ({ invoice, cmx, block }) => {
      const file = await invoices.getByName(invoice).receipt(cmx, block);
      return file === null ? null : new Uint8Array(file);
    },
  };
}
