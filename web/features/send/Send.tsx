import { createSignal, Match, onCleanup, onMount, Show, Switch } from "solid-js";
import type { PaymentPreview, WalletView } from "../../engine/engineApi.ts";
import { t } from "../../i18n/translate.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Screen } from "../../ui/Card.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { createDraft } from "./createDraft.ts";
import { Review } from "./Review.tsx";
import { SendForm } from "./SendForm.tsx";
import { SendProgress } from "./SendProgress.tsx";

/** A payment from the form to its end. A payment under way is shown whatever came before. */
export function Send(props: { wallet: WalletView }) {
  const { snapshot, engine } = useWallet();
  const draft = createDraft(engine);
  const [reviewed, setReviewed] = createSignal<PaymentPreview | null>(null);
  onMount(() => void engine.warmProver());
  // How the last payment ended is told once; one under way goes on wherever its owner looks.
  onCleanup(() => {
    const stage = snapshot.send?.stage;
    if (stage === "sent" || stage === "failed") void engine.clearSend();
  });

  const begin = (preview: PaymentPreview) => {
    setReviewed(null);
    // How it ends is told by the snapshot; the rejection says the same.
    engine.send(draft.text(), preview.fee).then(undefined, () => undefined);
  };
  const another = () => {
    draft.clear();
    void engine.clearSend();
  };

  return (
    <Screen title={t("send.title")}>
      <Switch fallback={<SendForm draft={draft} wallet={props.wallet} onReview={setReviewed} />}>
        <Match when={snapshot.send}>
          {(send) => (
            <SendProgress
              send={send()}
              onAnother={another}
              onRetry={() => void engine.clearSend()}
            />
          )}
        </Match>
        <Match when={reviewed()}>
          {(preview) => (
            <Review
              preview={preview()}
              memo={draft.memo()}
              onEdit={() => setReviewed(null)}
              onConfirm={() => begin(preview())}
            />
          )}
        </Match>
      </Switch>
      <Show when={snapshot.send === null && !props.wallet.status.canSpend}>
        <Notice kind="info">{t("send.notReady")}</Notice>
      </Show>
    </Screen>
  );
}
