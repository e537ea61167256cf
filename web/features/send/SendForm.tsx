import { createSignal, Show } from "solid-js";
import { sentenceOf } from "@svc/shared/base/errors.ts";
import { LIMITS } from "@svc/shared/base/limits.ts";
import { formatCoins } from "@svc/shared/base/money.ts";
import type { PaymentPreview, WalletView } from "../../engine/engineApi.ts";
import { amountText, countText } from "../../i18n/format.ts";
import { sentenceOrNull } from "../../i18n/sentence.ts";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Amount } from "../../ui/Amount.tsx";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { TextArea, TextField } from "../../ui/Field.tsx";
import { ErrorNotice, Notice } from "../../ui/Notice.tsx";
import type { Draft } from "./createDraft.ts";
import { fieldOfError, type SendField } from "./fieldOfError.ts";
import styles from "./Send.module.css";

/** The form: payee, amount, memo. What is wrong stands beside its field. */
export function SendForm(props: {
  draft: Draft;
  wallet: WalletView;
  onReview: (preview: PaymentPreview) => void;
}) {
  const { engine, snapshot } = useWallet();
  const { draft } = props;
  const [label, setLabel] = createSignal<string | null>(null);
  const reviewing = createTask(async () => props.onReview(await engine.preview(draft.text())));
  const filling = createTask(async (text: string) => {
    const link = await engine.readLink(text);
    draft.set({ address: link.address, amount: link.amount || draft.amount(), memo: link.memo });
    setLabel(link.label);
  });
  const takingMax = createTask(async () => {
    const { amount } = await engine.maxPayment();
    draft.set({ amount: formatCoins(amount) });
  });
  const error = () => reviewing.error() ?? draft.error();
  const errorOf = (field: SendField) => {
    const found = error();
    return found !== null && fieldOfError(found) === field ? sentenceOf(found) : null;
  };
  const otherError = () => {
    const found = error();
    return found !== null && fieldOfError(found) === null ? found : null;
  };
  const type = (change: Parameters<Draft["set"]>[0]) => {
    reviewing.clearError();
    draft.set(change);
  };
  /** A link pasted where the address belongs fills the whole form. */
  const typeTo = (text: string) => {
    type({ address: text });
    setLabel(null);
    if (text.includes("?")) void filling.run(text);
  };
  const memoBytes = () => new TextEncoder().encode(draft.memo()).length;

  return (
    <Card>
      <form
        class={styles.form}
        novalidate
        onSubmit={(event) => {
          event.preventDefault();
          void reviewing.run();
        }}
      >
        <TextField
          label={t("send.to")}
          hint={t("send.toHint", { hrp: snapshot.network?.hrp ?? "" })}
          value={draft.to()}
          onInput={(event) => typeTo(event.currentTarget.value)}
          error={errorOf("to") ?? sentenceOrNull(filling.error())}
          tools={<PasteButton onText={typeTo} />}
        />
        <Show when={label()}>
          {(text) => <Notice kind="info">{t("send.linkLabel", { label: text() })}</Notice>}
        </Show>
        <TextField
          label={t("send.amount")}
          hint={t("send.available", { amount: amountText(props.wallet.balances.spendable) })}
          inputmode="decimal"
          value={draft.amount()}
          onInput={(event) => type({ amount: event.currentTarget.value })}
          error={errorOf("amount")}
          tools={
            <button type="button" class={styles.toolText} onClick={() => void takingMax.run()}>
              {t("send.max")}
            </button>
          }
        />
        <TextArea
          label={t("send.memo")}
          hint={t("send.memoHint")}
          rows={3}
          aside={t("send.memoCount", {
            count: countText(memoBytes()),
            max: countText(LIMITS.memoBytes),
          })}
          value={draft.memo()}
          onInput={(event) => type({ memo: event.currentTarget.value })}
          error={errorOf("memo")}
        />
        <p class={styles.feeLine}>
          <span>{t("send.fee")}</span>
          <span data-testid="fee">
            <Show when={draft.preview()} fallback="—">
              {(preview) => <Amount value={preview().fee} />}
            </Show>
          </span>
        </p>
        <ErrorNotice error={otherError()} />
        <Button
          kind="primary"
          type="submit"
          wide
          busy={reviewing.busy()}
          disabled={!props.wallet.status.canSpend}
        >
          {t("send.review")}
        </Button>
      </form>
    </Card>
  );
}

function PasteButton(props: { onText: (text: string) => void }) {
  const paste = () => {
    navigator.clipboard.readText().then(
      (text) => props.onText(text.trim()),
      // The browser asks first, and no is an answer: the field still takes the keyboard's paste.
      () => undefined,
    );
  };
  return (
    <button type="button" class={styles.toolText} onClick={paste}>
      {t("send.linkAction")}
    </button>
  );
}
