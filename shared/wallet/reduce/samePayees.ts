/** Comparison of payments by whom they pay how much. */
import type { Payee } from "../state/payment.ts";

/** Whether two payments pay the same amounts to the same addresses, in any order. */
export function samePayees(one: readonly Payee[], other: readonly Payee[]): boolean {
  const lines = (list: readonly Payee[]) =>
    list.map(({ recipient, value }) => `${recipient}:${value}`).toSorted();
  const [a, b] = [lines(one), lines(other)];
  return a.length === b.length && a.every((line, index) => line === b[index]);
}
