/** The invoice of a challenge that was put away, made again from the row of its address because something was paid to it. */
import { asSompi } from "@svc/shared/base/brand.ts";
import {
  newInvoice,
  type Invoice,
  type InvoiceAddress,
  type InvoicePolicy,
} from "@svc/shared/invoice/invoice.ts";
import type { OldAddress } from "../store/oldAddressTable.ts";

/** What merchants' lists show as the order of a challenge. */
export const CHALLENGE_ORDER = "x402";

/** The invoice as it was when it was put away: expired and unpaid. Its merchant's policy is the present one. */
export function revivedInvoice(
  old: OldAddress,
  address: InvoiceAddress,
  policy: InvoicePolicy,
): Invoice {
  const { id, merchant, amount, createdMs, createdBlueScore, expiresMs, lifeMs, version } = old;
  const none = asSompi(0n);
  const invoice = newInvoice({
    ...{ id, merchant, orderId: CHALLENGE_ORDER, address, amount },
    ...{ createdMs, createdBlueScore, expiresMs, lifeMs },
    policy: { ...policy, toleranceUnder: none, toleranceOver: none },
    redirectUrl: null,
    language: null,
    metadata: {},
    quote: null,
  });
  const told = { ...invoice.told, status: "expired", expired: true } as const;
  return { ...invoice, archived: true, version, told, updatedMs: expiresMs };
}
