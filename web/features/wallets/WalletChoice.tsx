/** Component: chooses which wallet of this browser is to be unlocked. */
import { Show } from "solid-js";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Choices } from "../../ui/Choices.tsx";
import { ErrorNotice } from "../../ui/Notice.tsx";
import { walletName } from "./walletName.ts";
import styles from "./Wallets.module.css";

/** The wallets by their names; nothing where there is one alone. */
export function WalletChoice() {
  const client = useWallet();
  const choosing = createTask((id: string) => client.chooseWallet(id));
  const wallets = () => client.snapshot.wallets;
  const options = () =>
    wallets().list.map((entry) => ({ value: entry.id, text: walletName(entry) }));
  return (
    <Show when={wallets().list.length > 1}>
      <div class={styles.choice}>
        <p class={styles.label} aria-hidden="true">
          {t("wallets.choice")}
        </p>
        <Choices
          label={t("wallets.choice")}
          options={options()}
          value={wallets().current ?? ""}
          onChange={(id) => void choosing.run(id)}
        />
        <ErrorNotice error={choosing.error()} />
      </div>
    </Show>
  );
}
