/** Dialog: deletes the wallet from this browser. */
import { createSignal, Show } from "solid-js";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { ErrorNotice, Notice } from "../../ui/Notice.tsx";
import { currentName } from "../wallets/walletName.ts";
import styles from "./Settings.module.css";

/** Removes the wallet from this browser, after its owner said so twice. */
export function DeleteWallet(props: { onClose: () => void }) {
  const client = useWallet();
  const [agreed, setAgreed] = createSignal(false);
  // The one that was on the screen when its owner asked for this, and no other.
  const { current } = client.snapshot.wallets;
  const name = currentName(client.snapshot.wallets);
  const erasing = createTask(() => client.erase(current ?? ""));
  return (
    <Dialog title={t("delete.title")} onClose={props.onClose}>
      <Show when={name}>
        {(shown) => <Notice kind="warning">{t("wallets.deleteName", { name: shown() })}</Notice>}
      </Show>
      <p class={styles.text}>{t("delete.text")}</p>
      <Show when={!client.snapshot.backupConfirmed}>
        <Notice kind="error">{t("delete.backupMissing")}</Notice>
      </Show>
      <label class={styles.consent}>
        <input
          type="checkbox"
          checked={agreed()}
          onChange={(event) => setAgreed(event.currentTarget.checked)}
        />
        <span>{t(client.snapshot.watchOnly ? "watch.deleteConfirm" : "delete.confirm")}</span>
      </label>
      <ErrorNotice error={erasing.error()} />
      <div class={styles.buttons}>
        <Button onClick={() => props.onClose()}>{t("form.cancel")}</Button>
        <Button
          kind="danger"
          disabled={!agreed()}
          busy={erasing.busy()}
          onClick={() => void erasing.run()}
        >
          {t("delete.submit")}
        </Button>
      </div>
    </Dialog>
  );
}
