/** Send screen: form, review, progress and result of a payment. */
import {
  createEffect,
  createMemo,
  Match,
  on,
  onCleanup,
  onMount,
  Show,
  Switch,
  type JSX,
} from "solid-js";
import { createHash, hrefOf, REVIEW_HREF } from "../../state/router.ts";
import type { PaymentPreview, WalletView } from "../../wallet-api/walletApi.ts";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { useDraft } from "../../state/draftContext.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Screen } from "../../ui/Card.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Review } from "./Review.tsx";
import styles from "./Send.module.css";
import { SendForm } from "./SendForm.tsx";
import { SendProgress } from "./SendProgress.tsx";
import { stepOf } from "./sendStages.ts";

/**
 * The steps of a payment, from the form to its result. A payment under way is shown whatever came before. The review has an
 * address of its own, so that the browser's Back leads to the form.
 */
export function Send(props: { wallet: WalletView }) {
  const { snapshot, wallet } = useWallet();
  const draft = useDraft();
  const hash = createHash();
  onMount(() => void wallet.warmProver());
  // How the last payment ended is told once; one under way goes on wherever its owner looks.
  onCleanup(() => {
    const stage = snapshot.send?.stage;
    if (stage === "sent" || stage === "failed" || stage === "paused") void wallet.clearSend();
  });
  const reviewed = () => (hash() === REVIEW_HREF ? draft.reviewed() : null);
  const step = createMemo(() => stepOf(snapshot.send, reviewed() !== null));
  // The review stays until the payment's first step is shown; then Back no longer leads to it.
  createEffect(() => {
    if (snapshot.send !== null && hash() === REVIEW_HREF) location.replace(hrefOf("send"));
  });

  const review = (preview: PaymentPreview) => {
    draft.setReviewed(preview);
    location.hash = REVIEW_HREF;
  };
  // How it ends is told by the snapshot too; only an error before the first step is shown here.
  const sending = createTask(async (fee: PaymentPreview["fee"], separate: boolean) =>
    wallet.send(draft.payees(), fee, separate),
  );
  const another = () => {
    draft.clear();
    void wallet.clearSend();
  };

  return (
    <Screen title={t("send.title")}>
      <StepFocus step={step()}>
        <Switch fallback={<SendForm draft={draft} wallet={props.wallet} onReview={review} />}>
          <Match when={snapshot.send}>
            {(send) => (
              <SendProgress
                send={send()}
                paid={draft.reviewed()}
                onAnother={another}
                onRetry={() => void wallet.clearSend()}
                onStop={(id) => void wallet.stopPayment(id)}
              />
            )}
          </Match>
          <Match when={reviewed()}>
            {(preview) => (
              <Review
                preview={preview()}
                busy={sending.busy()}
                canSpend={props.wallet.status.canSpend}
                error={sending.error()}
                onEdit={() => history.back()}
                onConfirm={() => void sending.run(preview().fee, false)}
                onSeparate={() => void sending.run(preview().fee, true)}
              />
            )}
          </Match>
        </Switch>
      </StepFocus>
      <Show when={snapshot.send === null && !props.wallet.status.canSpend}>
        <Notice kind="info">{t("send.notReady")}</Notice>
      </Show>
    </Screen>
  );
}

/** Form, review, progress and end replace each other: the keyboard's place goes along to the new one. */
function StepFocus(props: { step: string; children: JSX.Element }) {
  let place: HTMLDivElement | undefined;
  createEffect(
    on(
      () => props.step,
      () => place?.focus({ preventScroll: true }),
      { defer: true },
    ),
  );
  return (
    <div
      ref={place}
      class={styles.step}
      tabindex={-1}
      data-testid="send-step"
      data-step={props.step}
    >
      {props.children}
    </div>
  );
}
