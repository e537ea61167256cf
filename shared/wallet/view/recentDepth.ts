/** How far back a history has to be looked at for its newest lines, without making its rows. */
import type { TimestampMs } from "../../base/brand.ts";
import { partsOf } from "../reduce/paymentParts.ts";
import type { WalletState } from "../state/walletState.ts";

/**
 * How many of the newest entries of the chain hold the newest `lines` lines whole: a day of mining is one line, and so are all
 * transactions of one payment. `dayOf` names the day of a time, as for `foldMined`.
 */
export function recentDepth(
  state: WalletState,
  lines: number,
  dayOf: (ms: TimestampMs) => string,
): number {
  const { history } = state;
  const orderOf = orderIds(state);
  const begun = new Set<string>();
  /** Transactions of begun payments that were not seen yet. */
  let open = 0;
  let depth = 0;
  for (let index = history.length - 1; index >= 0; index -= 1) {
    const row = history[index];
    if (row === undefined) break;
    const order = orderOf.get(row.txid);
    const day = row.timestamp === 0n ? "" : dayOf(row.timestamp);
    const line = order?.id ?? (row.kind === "mined" && day !== "" ? day : row.id);
    if (begun.has(line)) {
      if (order !== undefined) open -= 1;
    } else if (begun.size < lines) {
      begun.add(line);
      if (order !== undefined) open += order.transactions - 1;
    } else {
      // Times go back from row to row: a day that is not begun ends the days that are.
      if (open === 0 && !begun.has(day)) break;
      continue;
    }
    depth = history.length - index;
  }
  return depth;
}

type Order = { readonly id: string; readonly transactions: number };

/** By the id of a transaction, the payment over several of them to which it belongs, and how many of it a block may have. */
function orderIds({ orders, outbox }: WalletState): ReadonlyMap<string, Order> {
  const found = new Map<string, Order>();
  for (const { id } of orders) {
    const txids = partsOf(outbox, id).flatMap(({ txid }) => (txid === null ? [] : [txid]));
    for (const txid of txids) found.set(txid, { id: `order ${id}`, transactions: txids.length });
  }
  return found;
}
