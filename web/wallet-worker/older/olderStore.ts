/** Store of the older blocks that are read behind the open wallet: a database of its own, which is removed when they are joined. */
import type { Secret } from "@svc/shared/base/secret.ts";
import type { OlderStore } from "@svc/shared/wallet/run/olderReader.ts";
import type { StorePort } from "@svc/shared/wallet/state/ports.ts";
import type { WalletSync } from "@svc/shared/wallet/sync/walletSync.ts";
import { deleteOlder, openOlder, type Database } from "../store/database.ts";
import { WalletStore } from "../store/walletStore.ts";

/** Opens a wallet in a store. */
export type OpenIn = (store: StorePort, signal: AbortSignal) => Promise<WalletSync>;

/** The store beside the database with this name; `open` opens a wallet of the same keys in it. */
export function olderStore(name: string, dataKey: Secret, open: OpenIn): OlderStore {
  let database: Database | null = null;
  const close = (): void => {
    database?.close();
    database = null;
  };
  return {
    open: async (signal) => {
      // Whoever needs it from this tab takes it: what is read goes on from its last commit.
      database = await openOlder(name, { onReplaced: close, onClosed: close });
      return open(new WalletStore(database, dataKey, "older/"), signal);
    },
    close,
    drop: () => {
      close();
      return deleteOlder(name);
    },
  };
}
