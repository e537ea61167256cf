/** Entry of the wallet page. */
import "../workers/disposePolyfill.ts";
import "../ui/styles/tokens.css";
import "../ui/styles/base.css";
import { render } from "solid-js/web";
import { WalletClient } from "../state/WalletClient.ts";
import { WalletContext } from "../state/walletContext.ts";
import { WalletApp } from "./WalletApp.tsx";

const root = document.getElementById("root");
if (root === null) throw new TypeError("the page has a root element");
const client = new WalletClient();
render(
  () => (
    <WalletContext.Provider value={client}>
      <WalletApp />
    </WalletContext.Provider>
  ),
  root,
);
void client.start();
