/** Check of one transaction of a payment against the whole that the person confirmed: the signer's own, before it signs. */
import { asSompi } from "../../base/brand.ts";
import { formatCoins } from "../../base/money.ts";
import { SvcError } from "../../base/svcError.ts";
import { payeesLeft } from "../reduce/payeeQueue.ts";
import type { IntendedPart, ProvePlan, WholeIntent } from "../state/provePlan.ts";

/**
 * Checks that a transaction pays what is next of the whole, to the payees in their order and with their memos, the last of them
 * perhaps in part; and that all transactions together pay no more, and no more fee, than was confirmed. Throws
 * `signer/unnamed-payee`, `signer/amount-differs`, `signer/memo-differs` and `signer/fee-above-maximum`.
 */
export function checkPart({ payments, maxFee, signed }: WholeIntent, part: IntendedPart): void {
  const before = signed.flatMap((one) => one.payments);
  const left = payeesLeft(payments.map(queued), before.map(queued));
  for (const [index, found] of part.payments.entries()) {
    const due = left[index];
    if (due === undefined || due.address !== found.address) {
      throw new SvcError("signer/unnamed-payee", { index });
    }
    const value = BigInt(found.value);
    const isLast = index === part.payments.length - 1;
    if (value <= 0n || value > due.value || (value < due.value && !isLast)) {
      throw new SvcError("signer/amount-differs", { index, expected: due.value, found: value });
    }
    if (due.memo !== found.memo) throw new SvcError("signer/memo-differs", { index });
  }
  const fee = [...signed, part].reduce((sum, one) => sum + BigInt(one.fee), 0n);
  if (fee > BigInt(maxFee)) {
    const max = formatCoins(BigInt(maxFee));
    throw new SvcError("signer/fee-above-maximum", { fee: formatCoins(fee), max });
  }
}

function queued({ address, value, memo }: ProvePlan["outputs"][number]) {
  return { address, value: asSompi(BigInt(value)), memo };
}
