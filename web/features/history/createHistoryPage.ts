/** History query: loads the matching entries from the wallet worker and keeps them up to date. */
import { createEffect, on, type Accessor } from "solid-js";
import { createStore, reconcile } from "solid-js/store";
import type { HistoryLine } from "@svc/shared/wallet/view/foldMined.ts";
import type { HistoryView } from "@svc/shared/wallet/view/history.ts";
import type { HistoryPage, HistoryQuery, WalletView } from "../../wallet-api/walletApi.ts";
import { useWallet } from "../../state/walletContext.ts";

/** Changes with all that a line shows and that no block changes. */
function lineVersion(line: HistoryLine): string {
  return line.kind === "mined-day" ? `${line.id} ${line.blocks}` : rowVersion(line);
}

/**
 * The entries that match a query, fetched again whenever the query or the wallet changes. A late answer to an outdated
 * query is dropped.
 */
export function createHistoryPage(
  view: Accessor<WalletView>,
  query: Accessor<HistoryQuery>,
): HistoryPage {
  const { wallet } = useWallet();
  const [page, setPage] = createStore<HistoryPage>({ rows: [], total: 0, fault: null });
  let asked = 0;
  const ask = (wanted: HistoryQuery) => {
    asked += 1;
    const number = asked;
    wallet.history(wanted).then(
      (found) => {
        if (asked === number) setPage(reconcile(found, { key: "id" }));
      },
      // The wallet was locked meanwhile, and this screen goes with it.
      () => undefined,
    );
  };
  /** Changes with every block, with what is proved of them, with what waits without one, and with its owner's words. */
  const version = () => {
    const { asOf, evidence, recent, labelVersion } = view();
    const proved = [evidence.far, evidence.near].map((shown) => shown?.chainIndex ?? "");
    return [asOf.chainIndex, labelVersion, ...proved, ...recent.map(lineVersion)].join();
  };
  createEffect(on([query, version], ([wanted]) => ask(wanted)));
  return page;
}

/** Of a payment over several transactions also how many are out. */
function rowVersion({ id, state, order }: HistoryView): string {
  return [id, state, order?.out ?? "", order?.stopped?.code ?? ""].join();
}
