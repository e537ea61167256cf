/** Fields of one payee in the payment form: address, amount and memo, with validation errors beside them. */
import { createSignal, createUniqueId, lazy, Show, Suspense, type JSX } from "solid-js";
import { Portal } from "solid-js/web";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import { amountText } from "../../../i18n/format.ts";
import { isolated } from "../../../i18n/isolated.ts";
import { numbers } from "../../../i18n/language.ts";
import { readTypedCoins } from "../../../i18n/amounts/readTypedCoins.ts";
import { t } from "../../../i18n/translate.ts";
import { typedCoins } from "../../../i18n/amounts/typedCoins.ts";
import type { PayeeLine } from "../../../state/draft/createPayeeLine.ts";
import { useWallet } from "../../../state/walletContext.ts";
import { TextArea, TextField } from "../../../ui/Field.tsx";
import { ErrorNotice, Notice } from "../../../ui/Notice.tsx";
import { ContactPicker } from "../../contacts/ContactPicker.tsx";
import type { PayeeFormModel, SendFormModel } from "../createSendForm.ts";
import { ExpiredNotice } from "../ExpiredNotice.tsx";
import { LookAlikeNotice } from "../LookAlikeNotice.tsx";
import styles from "../Send.module.css";
import { ToolButton } from "./ToolButton.tsx";

const ScanPayment = lazy(() => import("../ScanPayment.tsx"));

/** One payee. With several, each is a group with its number and a button that takes it out. */
export function PayeeFields(props: {
  form: SendFormModel;
  line: PayeeLine;
  number: number;
  count: number;
  /** What can be paid now. */
  available: string;
  onRemove: () => void;
}) {
  const form = props.form.payee(props.line);
  const titleId = createUniqueId();
  const several = () => props.form.several();
  return (
    <div
      class={styles.payee}
      data-several={several()}
      data-testid="payee"
      role={several() ? "group" : undefined}
      aria-labelledby={several() ? titleId : undefined}
    >
      <Show when={several()}>
        <div class={styles.payeeHead}>
          <h2 id={titleId} class={styles.payeeTitle}>
            {t("payees.title", { number: props.number, count: props.count })}
          </h2>
          <ToolButton
            text={t("payees.remove")}
            label={t("payees.removeOf", { number: props.number })}
            onClick={() => props.onRemove()}
          />
        </div>
      </Show>
      <ContactPicker address={props.line.to()} onChoose={form.typeTo} />
      <AddressField form={form} line={props.line} />
      <LookAlikeNotice address={props.line.to()} />
      <ExpiredNotice expiresMs={props.line.link()?.expiresMs ?? null} />
      <Show when={props.line.link()?.label}>
        {(text) => <Notice kind="info">{t("send.linkLabel", { label: isolated(text()) })}</Notice>}
      </Show>
      <AmountField
        form={form}
        line={props.line}
        available={several() ? null : props.available}
        tools={
          // What can be paid at most is what one payee can get.
          several() ? undefined : (
            <ToolButton text={t("send.max")} onClick={() => void props.form.takeMax()} />
          )
        }
      />
      <MemoField form={form} line={props.line} />
      <ErrorNotice error={form.otherError()} />
    </div>
  );
}

/** An address has two lines; Enter goes on to the review as in every other field. */
function AddressField(props: { form: PayeeFormModel; line: PayeeLine }) {
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
      value={props.line.to()}
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

function AmountField(props: {
  form: PayeeFormModel;
  line: PayeeLine;
  available: string | null;
  tools: JSX.Element;
}) {
  return (
    <TextField
      label={t("send.amount")}
      hint={readText(props.line.amount()) ?? props.available ?? undefined}
      inputmode="decimal"
      value={props.line.amount()}
      onInput={(event) => props.form.type({ amount: event.currentTarget.value })}
      error={props.form.errorOf("amount")}
      tools={props.tools}
    />
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

function MemoField(props: { form: PayeeFormModel; line: PayeeLine }) {
  const bytes = () => new TextEncoder().encode(props.line.memo()).length;
  return (
    <TextArea
      label={t("send.memo")}
      hint={t("send.memoHint")}
      rows={3}
      aside={t("send.memoCount", { count: bytes(), max: WALLET_LIMITS.memoBytes })}
      value={props.line.memo()}
      onInput={(event) => props.form.type({ memo: event.currentTarget.value })}
      error={props.form.errorOf("memo")}
    />
  );
}
