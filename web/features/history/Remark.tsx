/** Component: the owner's remark on a history entry, and the form that changes it. */
import { Show } from "solid-js";
import type { HistoryView } from "@svc/shared/wallet/view/history.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import { plainText } from "../../i18n/plainText.ts";
import { t } from "../../i18n/translate.ts";
import { createFormOpener } from "../naming/createFormOpener.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { annotationsText } from "../naming/annotationsText.ts";
import { NameForm } from "../naming/NameForm.tsx";
import styles from "./HistoryList.module.css";

/** The remark where there is one, and a button to write one. */
export function Remark(props: { row: HistoryView }) {
  const { snapshot, wallet } = useWallet();
  const writing = createFormOpener();
  return (
    <div class={styles.remark}>
      <Show
        when={writing.isOpen()}
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
                <Button ref={writing.buttonRef} onClick={() => writing.toggle()}>
                  {t(props.row.label === undefined ? "remark.add" : "remark.change")}
                </Button>
              </div>
            </Show>
          </>
        }
      >
        <NameForm
          label={t("remark.title")}
          hint={annotationsText("remark.hint", snapshot)}
          maxlength={WALLET_LIMITS.paymentLabelChars}
          text={props.row.label ?? ""}
          onSave={(text) => wallet.labelPayment(props.row.id, text)}
          onDone={writing.close}
        />
      </Show>
    </div>
  );
}
