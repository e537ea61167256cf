/** Context that provides the wallet client to the screens. */
import { createContext, useContext } from "solid-js";
import type { WalletClient } from "./walletClient.ts";

/** Provides the client to every screen. */
export const WalletContext = createContext<WalletClient>();

/** The client of this page. */
export function useWallet(): WalletClient {
  const client = useContext(WalletContext);
  if (client === undefined) throw new TypeError("a screen was mounted outside the wallet");
  return client;
}
