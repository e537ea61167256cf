/** Component: the unpaid rest of a stopped payment, and the button that fills in the payment form with it. */
import { Show } from "solid-js";
import type { RowPayee } from "@svc/shared/wallet/view/rowPayees.ts";
import { amountText } from "../../i18n/format.ts";
import { t } from "../../i18n/translate.ts";
import { goTo } from "../../state/router.ts";
import { useDraft } from "../../state/draftContext.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { payeeTexts } from "./endedPayment.ts";
import styles from "./HistoryList.module.css";

/** The rest, where there is one. It is a new payment, which its owner reviews and confirms as any other. */
export function PayRest(props: { rest: readonly RowPayee[]; onClose: () => void }) {
  const draft = useDraft();
  const { snapshot } = useWallet();
  const sum = () => props.rest.reduce((total, { value }) => total + value, 0n);
  // The form holds text: a memo of other bytes would be lost without a word.
  const isTyped = () => props.rest.every(({ memo }) => memo.kind !== "bytes");
  const pay = () => {
    draft.setPayees(payeeTexts(props.rest));
    props.onClose();
    goTo("send");
  };
  return (
    <Show when={props.rest.length > 0 && isTyped() && !snapshot.tabs.following}>
      <Notice kind="info" title={t("payees.restTitle", { amount: amountText(sum()) })}>
        <p>{t("payees.restText", { count: props.rest.length })}</p>
        <div class={styles.actions}>
          <Button kind="primary" icon="send" onClick={pay}>
            {t("payees.rest")}
          </Button>
        </div>
      </Notice>
    </Show>
  );
}
