/** Opens the wallet page in a browser context of its own. */
import type { Browser, BrowserContextOptions } from "playwright-core";
import { WalletPage } from "./walletPage.ts";

/** The browser that opens the page, and the node that serves it at `url`. */
export type WalletPlace = { readonly browser: Browser; readonly node: { readonly url: string } };

/**
 * Opens the page in a browser that has no wallet yet. `query` may choose how it proves. A test that holds up a request needs `options`
 * without service workers: one that answers for the page hides its requests from the test.
 */
export async function openWallet(
  { browser, node }: WalletPlace,
  passphrase: string,
  query = "",
  options: BrowserContextOptions = {},
): Promise<WalletPage> {
  return WalletPage.open(await browser.newContext(options), node.url, passphrase, query);
}
