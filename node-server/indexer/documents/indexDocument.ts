/** The document of `/info/index`: what the index covers, and how far it is. */
import type { RestAnswer } from "@svc/shared/protocol/rest/restRoutes.ts";
import type { FollowerState } from "../follow/indexFollower.ts";
import { transactionRowOf } from "../tables/derivedTables.ts";
import { DERIVED_LAYOUT } from "../tables/indexLayout.ts";
import { ALWAYS, coverageOf, whole, type AnswerView } from "./answerView.ts";
import { coveredTotals } from "./coveredTotals.ts";

/** Makes the document. */
export function indexDocument(
  view: AnswerView,
  { behind, isRebuilding }: FollowerState,
): RestAnswer<"index"> {
  const { reader, first, head, open } = view;
  const done = first === null || head === null ? 0n : head.index - first.index + 1n;
  const all = done + behind;
  const totals = coveredTotals(view);
  // A payment that was dropped may be carried again.
  const openTransactions = [...open.transactions()].filter(
    ([txid]) => transactionRowOf(reader, txid) === undefined,
  ).length;
  const merged = totals.blocks + totals.transactions;
  return {
    sink: head?.hash ?? null,
    daaScore: String(head?.daaScore ?? 0n),
    behind: whole(behind),
    isRebuilding,
    progress: all === 0n ? 0 : Number(done) / Number(all),
    hashes: whole(merged + BigInt(open.all().length + openTransactions)),
    blocks: whole(totals.blocks + BigInt(open.all().length)),
    transactions: whole(totals.payments),
    formatVersion: DERIVED_LAYOUT.version,
    ...coverageOf(view, ALWAYS),
  };
}
