import { createEffect, on, type Accessor } from "solid-js";
import { createStore, reconcile } from "solid-js/store";
import type { HistoryPage, HistoryQuery, WalletView } from "../../engine/engineApi.ts";
import { useWallet } from "../../state/walletContext.ts";

/**
 * The lines that a query finds, asked anew whenever the query or the wallet changes. A late answer
 * to an old question is dropped.
 */
export function createHistoryPage(
  wallet: Accessor<WalletView>,
  query: Accessor<HistoryQuery>,
): HistoryPage {
  const { engine } = useWallet();
  const [page, setPage] = createStore<HistoryPage>({ rows: [], total: 0 });
  let asked = 0;
  const ask = (wanted: HistoryQuery) => {
    asked += 1;
    const number = asked;
    engine.history(wanted).then(
      (found) => {
        if (asked === number) setPage(reconcile(found, { key: "id" }));
      },
      // The wallet was locked meanwhile, and this screen goes with it.
      () => undefined,
    );
  };
  /** Changes with every block, and with what waits without one. */
  const version = () => {
    const { asOf, recent } = wallet();
    return [asOf.chainIndex, ...recent.map(({ id, state }) => id + state)].join();
  };
  createEffect(on([query, version], ([wanted]) => ask(wanted)));
  return page;
}
