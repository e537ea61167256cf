/** Entry point of the wallet page. */
import "../threads/disposePolyfill.ts";
import "../ui/styles/tokens.css";
import "../ui/styles/base.css";
import { createEffect, createRoot } from "solid-js";
import { render } from "solid-js/web";
import { beginNewest, keepPages } from "../state/keptPages.ts";
import { showWantedLanguage } from "../state/language/languageChoice.ts";
import { WalletClient } from "../state/walletClient.ts";
import { WalletContext } from "../state/walletContext.ts";
import { t } from "../i18n/translate.ts";
import { Message } from "../ui/Message.tsx";
import { WalletApp } from "./WalletApp.tsx";

const root = document.getElementById("root");
if (root === null) throw new TypeError("the page has a root element");
// The language first, so that no English is shown to whoever reads another.
void showWantedLanguage().then(() => {
  if (isSecureContext) openWallet(root);
  else render(() => <InsecurePage />, root);
});

function openWallet(place: HTMLElement): void {
  const client = new WalletClient();
  render(
    () => (
      <WalletContext.Provider value={client}>
        <WalletApp />
      </WalletContext.Provider>
    ),
    place,
  );
  void client.start();
  void beginNewest();
  keepPagesOnce(client);
}

/** Once all that the wallet opens with is there, keeping it costs no second download. */
function keepPagesOnce({ snapshot }: WalletClient): void {
  createRoot((dispose) => {
    createEffect(() => {
      if (snapshot.core.state !== "ready") return;
      dispose();
      void keepPages();
    });
  });
}

/** Over plain HTTP from another machine anybody on the way could change this page. */
function InsecurePage() {
  return <Message icon="alert" title={t("app.insecureTitle")} text={t("app.insecureText")} />;
}
