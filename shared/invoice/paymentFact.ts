/** A fact about a payment as a scanner tells it: it knows viewing keys and addresses, and no invoice. */
import type { ViewingKeyId } from "../base/brand.ts";
import type { PaymentInput } from "./applyToPayments.ts";

/** What happened to a payment of an address. */
export type PaymentFact = {
  readonly key: ViewingKeyId;
  /** Index of the address at that key. */
  readonly index: number;
  readonly input: PaymentInput;
};
