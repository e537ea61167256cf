/** Read-only calls of the wallet worker, which a tab that follows may make, too. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { historyCsv, historyJson } from "@svc/shared/wallet/view/historyFile.ts";
import { cursorOf } from "@svc/shared/wallet/state/walletState.ts";
import type {
  HistoryForm,
  HistoryPage,
  HistoryQuery,
  WalletApi,
} from "../../wallet-api/walletApi.ts";
import type { WalletSession } from "../walletSession.ts";
import { historyFound, historyPage } from "../walletView.ts";

/** The calls. They reject as those of `WalletApi` do. */
export type WalletReads = Pick<WalletApi, "history" | "historyFile" | "receipts">;

/** The calls over the open wallet, which `session` gives. */
export function walletReads(session: () => WalletSession): WalletReads {
  return {
    history: async (query) => history(session(), query),
    historyFile: async (query, form) => historyFile(session(), query, form),
    receipts: async (rowId, challenge) => session().receipts(rowId, challenge),
  };
}

async function history({ annotations }: WalletSession, query: HistoryQuery): Promise<HistoryPage> {
  const fault = await annotations.labels.read();
  return { ...historyPage(annotations.labels.rows(), query), fault };
}

async function historyFile(
  session: WalletSession,
  query: Omit<HistoryQuery, "limit">,
  form: HistoryForm,
): Promise<string> {
  const { labels } = session.annotations;
  const fault = await labels.read();
  // A file without the remarks would say that there are none.
  if (fault !== null) throw SvcError.from(fault);
  const rows = historyFound(labels.rows(), query);
  if (form === "csv") return historyCsv(rows);
  const { chainIndex, timestamp } = cursorOf(session.sync.state);
  return historyJson(rows, { network: session.networkName, through: { chainIndex, timestamp } });
}
