/** Component: the owner's remark on a history entry, and the form that changes it. */
import { createSignal, Show } from "solid-js";
import type { HistoryView } from "@svc/shared/wallet/view/history.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import { plainText } from "../../i18n/plainText.ts";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { TextField } from "../../ui/Field.tsx";
import { ErrorNotice } from "../../ui/Notice.tsx";
import styles from "./HistoryList.module.css";

/** The remark where there is one, and a button to write one. */
export function Remark(props: { row: HistoryView }) {
  const { snapshot } = useWallet();
  const [writing, setWriting] = createSignal(false);
  let button: HTMLButtonElement | undefined;
  const close = () => {
    setWriting(false);
    // The form had the keyboard's place, and is gone.
    queueMicrotask(() => button?.focus());
  };
  return (
    <div class={styles.remark}>
      <Show
        when={writing()}
        fallback={
          <>
            <Show when={props.row.label}>
              {(text) => (
                <>
                  <p class={styles.receiptText}>{t("remark.title")}</p>
                  <p dir="auto" class={styles.memo} data-testid="remark">
                    {plainText(text())}
                  </p>
                </>
              )}
            </Show>
            <Show when={!snapshot.tabs.following}>
              <div class={styles.actions}>
                <Button ref={(found) => (button = found)} onClick={() => setWriting(true)}>
                  {t(props.row.label === undefined ? "remark.add" : "remark.change")}
                </Button>
              </div>
            </Show>
          </>
        }
      >
        <RemarkForm row={props.row} onDone={close} />
      </Show>
    </div>
  );
}

function RemarkForm(props: { row: HistoryView; onDone: () => void }) {
  const { wallet } = useWallet();
  const [text, setText] = createSignal(props.row.label ?? "");
  const saving = createTask(async () => {
    await wallet.labelPayment(props.row.id, text());
    props.onDone();
  });
  return (
    <form
      class={styles.remark}
      novalidate
      onSubmit={(event) => {
        event.preventDefault();
        void saving.run();
      }}
    >
      <TextField
        label={t("remark.title")}
        hint={t("remark.hint")}
        maxlength={WALLET_LIMITS.paymentLabelChars}
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
