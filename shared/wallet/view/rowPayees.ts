/** The payees of a history row, as a page shows them. */
import type { AddressText, Sompi } from "../../base/brand.ts";
import { readMemo, type Memo } from "../state/memo.ts";
import type { Payee } from "../state/payment.ts";

/** Whom a payment paid, how much in sompi, and with which memo. */
export type RowPayee = {
  readonly address: AddressText;
  readonly value: Sompi;
  readonly memo: Memo;
};

/** The payees in their order. */
export function rowPayees(payees: readonly Payee[]): readonly RowPayee[] {
  return payees.map(({ address, value, memo }) => ({ address, value, memo: readMemo(memo) }));
}
