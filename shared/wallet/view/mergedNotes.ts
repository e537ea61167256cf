/** Tells a consolidation from other payments to oneself: it goes to address 0, without a memo, and makes fewer notes than it spends. */
import type { Payee, Payment } from "../state/payment.ts";
import type { WalletAccount } from "../state/walletState.ts";

/** True where these payees are those of a consolidation. */
export function isMerge(
  payees: readonly Payee[],
  { defaultAddress }: Pick<WalletAccount, "defaultAddress">,
): boolean {
  const [payee, second] = payees;
  if (payee === undefined || second !== undefined) return false;
  return payee.own && payee.recipient === defaultAddress && payee.memo === "";
}

/** How many notes a payment merges; null where it is no consolidation. */
export function mergedNotes(
  { payees, reserved, change }: Pick<Payment, "payees" | "reserved" | "change">,
  account: Pick<WalletAccount, "defaultAddress">,
): number | null {
  const made = change === 0n ? 1 : 2;
  return isMerge(payees, account) && reserved.length > made ? reserved.length : null;
}
