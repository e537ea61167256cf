/** Payment form: payee, amount and memo, with validation errors beside their fields. */
import { createSignal, lazy, Show, Suspense } from "solid-js";
import { Portal } from "solid-js/web";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import type { PaymentPreview, WalletView } from "../../wallet-api/walletApi.ts";
import { amountText } from "../../i18n/format.ts";
import { isolated } from "../../i18n/isolated.ts";
import { numbers } from "../../i18n/language.ts";
import { readTypedCoins } from "../../i18n/amounts/readTypedCoins.ts";
import { t } from "../../i18n/translate.ts";
import { typedCoins } from "../../i18n/amounts/typedCoins.ts";
import type { Draft } from "../../state/createDraft.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Amount } from "../../ui/Amount.tsx";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { TextArea, TextField } from "../../ui/Field.tsx";
import { ErrorNotice, Notice } from "../../ui/Notice.tsx";
import { createSendForm, type SendFormModel } from "./createSendForm.ts";
import { createLinkOffer } from "./createLinkOffer.ts";
import { LinkNotice } from "./LinkNotice.tsx";
import { LookAlikeNotice } from "./LookAlikeNotice.tsx";
import styles from "./Send.module.css";

const ScanPayment = lazy(() => import("./ScanPayment.tsx"));

/** The form: payee, amount, memo. What is wrong stands beside its field. */
export function SendForm(props: {
  draft: Draft;
  wallet: WalletView;
  onReview: (preview: PaymentPreview) => void;
}) {
  const { draft } = props;
  const form = createSendForm(props.draft, (preview) => props.onReview(preview));
  const link = createLinkOffer(props.draft, form);
  return (
    <Card>
      <LinkNotice offer={link.offer()} onTake={link.take} onKeep={link.keep} />
      <form
        class={styles.form}
        novalidate
        onSubmit={(event) => {
          event.preventDefault();
          void form.review();
        }}
      >
        <PayeeField form={form} draft={draft} />
        <LookAlikeNotice address={draft.to()} />
        <Show when={form.label()}>
          {(text) => (
            <Notice kind="info">{t("send.linkLabel", { label: isolated(text()) })}</Notice>
          )}
        </Show>
        <TextField
          label={t("send.amount")}
          hint={readText(draft.amount()) ?? availableText(props.wallet)}
          inputmode="decimal"
          value={draft.amount()}
          onInput={(event) => form.type({ amount: event.currentTarget.value })}
          error={form.errorOf("amount")}
          tools={<ToolButton text={t("send.max")} onClick={() => void form.takeMax()} />}
        />
        <MemoField form={form} draft={draft} />
        <FeeLine preview={draft.preview()} />
        <ErrorNotice error={form.otherError()} />
        <Button
          kind="primary"
          type="submit"
          wide
          busy={form.busy()}
          disabled={!props.wallet.status.canSpend}
        >
          {t("send.review")}
        </Button>
      </form>
    </Card>
  );
}

/** An address has two lines; Enter goes on to the review as in every other field. */
function PayeeField(props: { form: SendFormModel; draft: Draft }) {
  const { snapshot } = useWallet();
  const [refused, setRefused] = createSignal(false);
  const paste = () => {
    setRefused(false);
    navigator.clipboard.readText().then(
      (text) => props.form.typeTo(text.trim()),
      // The browser asks first, and no is an answer: the field still takes the keyboard's paste.
      () => setRefused(true),
    );
  };
  return (
    <TextArea
      label={t("send.to")}
      hint={
        refused() ? t("send.pasteRefused") : t("send.toHint", { hrp: snapshot.network?.hrp ?? "" })
      }
      address
      rows={3}
      value={props.draft.to()}
      onInput={(event) => props.form.typeTo(event.currentTarget.value.replaceAll(/[\r\n]/g, ""))}
      onKeyDown={(event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        event.currentTarget.form?.requestSubmit();
      }}
      error={props.form.errorOf("to")}
      tools={
        <div class={styles.tools}>
          <ToolButton text={t("send.linkAction")} onClick={paste} />
          <ScanButton onText={props.form.typeTo} />
        </div>
      }
    />
  );
}

/** Opens the camera. What reads the codes is loaded then: it is large, and most payments go without. */
function ScanButton(props: { onText: (text: string) => void }) {
  const [isOpen, setOpen] = createSignal(false);
  return (
    <>
      <ToolButton text={t("scan.open")} onClick={() => setOpen(true)} />
      <Show when={isOpen()}>
        <Portal>
          <Suspense>
            <ScanPayment onText={props.onText} onClose={() => setOpen(false)} />
          </Suspense>
        </Portal>
      </Show>
    </>
  );
}

/** How an amount was read that was not typed as this page would write it; null where there is nothing to say. */
function readText(typed: string): string | null {
  try {
    const amount = readTypedCoins(typed, numbers());
    if (typedCoins(amount, numbers()) === typed) return null;
    return t("amount.readAs", { amount: amountText(amount) });
  } catch {
    return null;
  }
}

/** What can be paid now, fees taken off; where that takes several transactions, also how many. */
function availableText({ sendable }: WalletView): string {
  const amount = amountText(sendable.amount);
  if (sendable.transactions <= 1) return t("send.available", { amount });
  return t("pay.availableMany", { amount, count: sendable.transactions });
}

function MemoField(props: { form: SendFormModel; draft: Draft }) {
  const bytes = () => new TextEncoder().encode(props.draft.memo()).length;
  return (
    <TextArea
      label={t("send.memo")}
      hint={t("send.memoHint")}
      rows={3}
      aside={t("send.memoCount", { count: bytes(), max: WALLET_LIMITS.memoBytes })}
      value={props.draft.memo()}
      onInput={(event) => props.form.type({ memo: event.currentTarget.value })}
      error={props.form.errorOf("memo")}
    />
  );
}

function FeeLine(props: { preview: PaymentPreview | null }) {
  return (
    <p class={styles.feeLine}>
      <span>{t("send.fee")}</span>
      <span data-testid="fee">
        <Show when={props.preview} fallback="—">
          {(preview) => <Amount value={preview().fee} />}
        </Show>
      </span>
    </p>
  );
}

function ToolButton(props: { text: string; onClick: () => void }) {
  return (
    <button type="button" class={styles.toolText} onClick={() => props.onClick()}>
      {props.text}
    </button>
  );
}
