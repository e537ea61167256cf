/** Review step of a payment: shows it complete, for the person to confirm. */
import { For, Show } from "solid-js";
import type { ErrorJson } from "@svc/shared/base/svcError.ts";
import type { PayeePreview, PaymentPreview } from "../../wallet-api/walletApi.ts";
import { amountText } from "../../i18n/format.ts";
import { plainText } from "../../i18n/plainText.ts";
import { t, type PlainKey } from "../../i18n/translate.ts";
import { Amount } from "../../ui/Amount.tsx";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { Facts, type Fact } from "../../ui/Facts.tsx";
import { ErrorNotice, Notice } from "../../ui/Notice.tsx";
import { NamedAddress } from "../contacts/NamedAddress.tsx";
import { howTexts } from "./howTexts.ts";
import { LookAlikeWarning } from "./LookAlikeWarning.tsx";
import styles from "./Send.module.css";

/** The complete payment to be confirmed, before anything is proved. */
export function Review(props: {
  preview: PaymentPreview;
  /** The payment is being started. */
  busy: boolean;
  /** The wallet is up to date and mistrusts nothing: a payment may be planned. */
  canSpend: boolean;
  /** Why it did not start; null when nothing is wrong. */
  error: ErrorJson | null;
  onEdit: () => void;
  onConfirm: () => void;
  /** One more payment, though an earlier one may still go through. */
  onSeparate: () => void;
}) {
  const several = () => props.preview.payees.length > 1;
  const rows = (): readonly Fact[] => [
    ...(several() ? [] : props.preview.payees.flatMap(payeeFacts)),
    { label: t("send.fee"), value: <Amount value={props.preview.fee} /> },
    { label: t("send.total"), value: <Amount value={props.preview.total} /> },
  ];
  return (
    <Card title={t("send.reviewTitle")}>
      <p class={styles.sum}>
        <Amount value={props.preview.amount} />
        <Show when={several()}>
          <span class={styles.sumOf}>
            {t("payees.total", { count: props.preview.payees.length })}
          </span>
        </Show>
      </p>
      <Show when={several()}>
        <PayeeList payees={props.preview.payees} />
      </Show>
      <Facts rows={rows()} />
      <HowPaid preview={props.preview} />
      <For each={props.preview.payees}>
        {({ lookAlike }) => <LookAlikeWarning known={lookAlike} />}
      </For>
      <Show when={props.preview.own}>
        <Notice kind="warning">{t("send.self")}</Notice>
      </Show>
      <Show when={props.preview.repeats.length > 0}>
        <Notice kind="warning" title={t("send.repeatsTitle")}>
          <p>{t(repeatsText(props.preview))}</p>
          <Button disabled={props.busy || !props.canSpend} onClick={() => props.onSeparate()}>
            {t("send.separate")}
          </Button>
        </Notice>
      </Show>
      <p class={styles.note}>
        {t("send.nothingYet")} {t("send.proofNote")}
      </p>
      <ErrorNotice error={props.error} />
      <div class={styles.actions}>
        <Button disabled={props.busy} onClick={() => props.onEdit()}>
          {t("send.edit")}
        </Button>
        <Show when={props.preview.shares}>
          <Button
            kind="primary"
            icon="send"
            busy={props.busy}
            disabled={!props.canSpend}
            onClick={() => props.onConfirm()}
          >
            {confirmText(props.preview)}
          </Button>
        </Show>
      </div>
    </Card>
  );
}

/** Which notes are spent, what comes back, and in how many transactions. */
function HowPaid(props: { preview: PaymentPreview }) {
  return (
    <section class={styles.how} aria-label={t("pay.howTitle")} data-testid="how-paid">
      <h3>{t("pay.howTitle")}</h3>
      <For each={howTexts(props.preview)}>{(text) => <p>{text}</p>}</For>
    </section>
  );
}

/** Several payees, each with all that is paid to it. */
function PayeeList(props: { payees: readonly PayeePreview[] }) {
  return (
    <ol class={styles.payeeList} data-testid="review-payees">
      <For each={props.payees}>
        {(payee, index) => (
          <li>
            <h3>{t("payees.title", { number: index() + 1, count: props.payees.length })}</h3>
            <Facts rows={payeeFacts(payee)} />
            <Show when={payee.own}>
              <p class={styles.note}>{t("payees.own")}</p>
            </Show>
          </li>
        )}
      </For>
    </ol>
  );
}

/** What the button promises: how much in all, and to how many. */
function confirmText({ amount: sum, payees: { length: count } }: PaymentPreview): string {
  const amount = amountText(sum);
  return count === 1 ? t("send.confirm", { amount }) : t("payees.confirm", { amount, count });
}

function payeeFacts(payee: PayeePreview): readonly Fact[] {
  const memo = <bdi class={styles.memo}>{plainText(payee.memo)}</bdi>;
  const to = <NamedAddress address={payee.address} />;
  return [
    { label: t("send.to"), value: to, wide: true },
    { label: t("send.amount"), value: <Amount value={payee.amount} /> },
    ...(payee.memo === "" ? [] : [{ label: t("send.memo"), value: memo }]),
  ];
}

function repeatsText({ shares, repeats }: PaymentPreview): PlainKey {
  if (shares) return "send.repeats";
  const isReplaced = repeats.every(({ state }) => state === "conflicted");
  return isReplaced ? "send.repeatsReplaced" : "send.repeatsApart";
}
