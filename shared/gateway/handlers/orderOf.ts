/** An order from the terms of a request: what they leave out is the merchant's own setting. */
import type * as v from "valibot";
import { asBlueScore, asSompi } from "../../base/brand.ts";
import { SvcError } from "../../base/svcError.ts";
import type { InvoicePolicy } from "../../invoice/invoice.ts";
import type { invoiceTerms } from "../../protocol/gateway/invoiceTerms.ts";
import type { InvoiceOrder, Merchant } from "../gatewayPorts.ts";
import type { PricePort } from "../pricePort.ts";
import { quotedAmount } from "./quotedAmount.ts";

type Terms = v.InferOutput<typeof invoiceTerms>;

/**
 * Makes the order. Rejects with `gateway/price-stale`, and with `api/bad-field` for a tolerance that takes in the whole amount of a
 * price.
 */
export async function orderOf(
  terms: Terms,
  merchant: Merchant,
  prices: PricePort,
): Promise<InvoiceOrder> {
  const price = terms.price ?? null;
  const priced = price === null ? null : await quotedAmount(price, prices);
  const amountSompi = priced?.amount ?? terms.amountSompi ?? 0n;
  const policy = policyOf(terms, merchant.policy);
  if (policy.toleranceUnder >= amountSompi) {
    const expected = "less than the amount";
    throw new SvcError("api/bad-field", { field: "toleranceUnderSompi", expected });
  }
  return {
    orderId: terms.orderId,
    amountSompi,
    expiresInS: terms.expiresIn ?? merchant.expiresInS,
    policy,
    redirectUrl: terms.redirectUrl ?? null,
    language: terms.language ?? null,
    metadata: terms.metadata ?? {},
    quote: priced?.quote ?? null,
  };
}

function policyOf(terms: Terms, own: InvoicePolicy): InvoicePolicy {
  const { toleranceUnderSompi, toleranceOverSompi, poolLimitSompi } = terms;
  const depth = terms.requiredBlueScore ?? null;
  const monitorS = terms.monitorSeconds ?? null;
  return {
    requiredBlueScore: depth === null ? own.requiredBlueScore : asBlueScore(BigInt(depth)),
    toleranceUnder: asSompi(toleranceUnderSompi ?? own.toleranceUnder),
    toleranceOver: asSompi(toleranceOverSompi ?? own.toleranceOver),
    graceMs: own.graceMs,
    late: own.late,
    monitorMs: monitorS === null ? own.monitorMs : BigInt(monitorS) * 1_000n,
    // A request lowers what the merchant allowed, and never raises it.
    poolLimit: lower(own.poolLimit, asSompi(poolLimitSompi ?? own.poolLimit)),
  };
}

function lower<T extends bigint>(a: T, b: T): T {
  return a < b ? a : b;
}
