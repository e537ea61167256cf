/** Form that names a wallet of this browser. */
import { createSignal } from "solid-js";
import { t } from "../../i18n/translate.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import { createTask } from "../../state/createTask.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { TextField } from "../../ui/Field.tsx";
import { ErrorNotice } from "../../ui/Notice.tsx";
import type { WalletEntry } from "../../wallet-api/walletEntry.ts";
import { walletName } from "./walletName.ts";
import styles from "./Wallets.module.css";

/** One name, which everybody can read who uses this browser. */
export function NameWallet(props: { entry: WalletEntry; onDone: () => void }) {
  const { wallet } = useWallet();
  const [text, setText] = createSignal(props.entry.name);
  const saving = createTask(async () => {
    await wallet.renameWallet(props.entry.id, text());
    props.onDone();
  });
  return (
    <form
      class={styles.naming}
      novalidate
      onSubmit={(event) => {
        event.preventDefault();
        void saving.run();
      }}
    >
      <TextField
        label={t("wallets.nameOf", { name: walletName(props.entry) })}
        hint={t("wallets.nameHint")}
        maxlength={PAGE_LIMITS.walletNameChars}
        dir="auto"
        ref={(input) => queueMicrotask(() => input.focus())}
        value={text()}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <ErrorNotice error={saving.error()} />
      <div class={styles.actions}>
        <Button onClick={() => props.onDone()}>{t("form.cancel")}</Button>
        <Button kind="primary" type="submit" busy={saving.busy()}>
          {t("addresses.save")}
        </Button>
      </div>
    </form>
  );
}
