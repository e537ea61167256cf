/** List of the own addresses: loads it from the wallet worker and keeps it up to date. */
import { createEffect, createSignal, on, type Accessor } from "solid-js";
import { createStore, reconcile } from "solid-js/store";
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";
import type { AddressPage, WalletView } from "../../wallet-api/walletApi.ts";
import { useWallet } from "../../state/walletContext.ts";

/** The addresses, and what stands in the way of reading them. */
export type Addresses = {
  readonly page: AddressPage;
  readonly error: Accessor<ErrorJson | null>;
  /** Names an address. Rejects as the store of the names does. */
  readonly rename: (index: number, text: string) => Promise<void>;
};

/** The newest addresses, fetched again with every block and every new one. A late answer to an older question is dropped. */
export function createAddresses(view: Accessor<WalletView>, limit: Accessor<number>): Addresses {
  const { wallet } = useWallet();
  const [page, setPage] = createStore<AddressPage>({ rows: [], total: 0 });
  const [error, setError] = createSignal<ErrorJson | null>(null);
  let asked = 0;
  const ask = async (): Promise<void> => {
    asked += 1;
    const number = asked;
    try {
      const found = await wallet.addresses(limit());
      if (asked !== number) return;
      setError(null);
      setPage(reconcile(found, { key: "index" }));
    } catch (thrown) {
      if (asked === number) setError(SvcError.from(thrown).toJSON());
    }
  };
  const version = () => `${view().asOf.chainIndex} ${view().address.index} ${limit()}`;
  createEffect(on(version, () => void ask()));
  const rename = async (index: number, text: string): Promise<void> => {
    await wallet.labelAddress(index, text);
    await ask();
  };
  return { page, error, rename };
}
