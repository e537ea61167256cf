/** Validation errors of the payment form, assigned to its fields. */
import type { ErrorJson } from "@svc/shared/base/svcError.ts";

/** The fields; null for errors that are about none of them. */
export type SendField = "to" | "amount" | "memo";

const FUNDS: ReadonlySet<string> = new Set([
  "wallet/insufficient-funds",
  "wallet/funds-maturing",
  "wallet/too-many-notes",
  "wallet/payment-pending",
]);

/** The field beside which the sentence stands. */
export function fieldOfError(error: ErrorJson): SendField | null {
  if (error.code.startsWith("address/")) return "to";
  if (error.code.startsWith("amount/") || FUNDS.has(error.code)) return "amount";
  return error.code === "wallet/memo-too-long" ? "memo" : null;
}
