/** Wallets of one browser, as a page lists them. Names stand in clear beside the wallets: a locked one has to be chosen by its name. */

/** One wallet of this browser. */
export type WalletEntry = {
  /** Opaque: `first`, or 32 random hexadecimal digits. It never leaves the browser. */
  readonly id: string;
  /** As its owner named it; "" for no name. */
  readonly name: string;
  /** From 1 on, in the order in which they were made; no two have the same. */
  readonly number: number;
};

/** The wallets, in the order in which they were made, and the one that is open or would be. */
export type WalletsView = {
  readonly list: readonly WalletEntry[];
  /** Null while a new one is made beside them, and where this tab has none. */
  readonly current: string | null;
  /** The one that was current when a new one was begun beside it; null while none is. */
  readonly beside: string | null;
};
