/** Payment form: its payees, and what the payment costs. */
import { For, Show } from "solid-js";
import { asSompi, type Sompi } from "@svc/shared/base/brand.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import type { PaymentPreview, WalletView } from "../../wallet-api/walletApi.ts";
import { amountText } from "../../i18n/format.ts";
import { numbers } from "../../i18n/language.ts";
import { readTypedCoins } from "../../i18n/amounts/readTypedCoins.ts";
import { t } from "../../i18n/translate.ts";
import type { Draft } from "../../state/createDraft.ts";
import type { PayeeLine } from "../../state/draft/createPayeeLine.ts";
import { Amount } from "../../ui/Amount.tsx";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { ErrorNotice } from "../../ui/Notice.tsx";
import { createSendForm, type SendFormModel } from "./createSendForm.ts";
import { createLinkOffer } from "./createLinkOffer.ts";
import { LinkNotice } from "./LinkNotice.tsx";
import { PayeeFields } from "./payees/PayeeFields.tsx";
import styles from "./Send.module.css";

/** The form: payees with their amounts and memos. What is wrong stands beside its field. */
export function SendForm(props: {
  draft: Draft;
  wallet: WalletView;
  onReview: (preview: PaymentPreview) => void;
}) {
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
        <Payees form={form} draft={props.draft} available={availableText(props.wallet)} />
        <Sums
          preview={props.draft.preview()}
          amounts={form.several() ? amountsOf(props.draft.lines()) : null}
        />
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

/** All payees, and the button for one more. */
function Payees(props: { form: SendFormModel; draft: Draft; available: string }) {
  const max = WALLET_LIMITS.walletPayeesMax;
  const isFull = () => props.draft.lines().length >= max;
  let list: HTMLDivElement | undefined;
  let adder: HTMLDivElement | undefined;
  // The keyboard's place goes along: to the new payee, and away from one that is gone.
  const add = () => {
    props.form.add();
    list?.lastElementChild?.querySelector("textarea")?.focus();
  };
  const remove = (line: PayeeLine) => {
    props.draft.remove(line);
    adder?.querySelector("button")?.focus();
  };
  return (
    <>
      <div ref={list} class={styles.payees}>
        <For each={props.draft.lines()}>
          {(line, index) => (
            <PayeeFields
              form={props.form}
              line={line}
              number={index() + 1}
              count={props.draft.lines().length}
              available={props.available}
              onRemove={() => remove(line)}
            />
          )}
        </For>
      </div>
      <div ref={adder} class={styles.adder}>
        <Show when={!isFull()} fallback={<p class={styles.note}>{t("payees.full", { max })}</p>}>
          <Button kind="quiet" icon="plus" onClick={add}>
            {t("payees.add")}
          </Button>
        </Show>
      </div>
    </>
  );
}

/** What can be paid now, fees taken off; where that takes several transactions, also how many; and that more may come. */
function availableText({ sendable, older }: WalletView): string {
  const amount = amountText(sendable.amount);
  const text =
    sendable.transactions <= 1
      ? t("send.available", { amount })
      : t("pay.availableMany", { amount, count: sendable.transactions });
  return older === null ? text : `${text} · ${t("home.olderReading")}`;
}

/** The amounts as they are typed. */
function amountsOf(lines: readonly PayeeLine[]): readonly string[] {
  return lines.map((line) => line.amount()).filter((typed) => typed.trim() !== "");
}

/** These amounts together; null where one of them is none. */
function sumOf(typed: readonly string[]): Sompi | null {
  try {
    return asSompi(typed.reduce((sum, each) => sum + readTypedCoins(each, numbers()), 0n));
  } catch {
    return null;
  }
}

/** The fee, and of several payees what they get together. */
function Sums(props: { preview: PaymentPreview | null; amounts: readonly string[] | null }) {
  return (
    <div class={styles.sums}>
      <Show when={props.amounts}>
        {(amounts) => (
          <p class={styles.sumLine}>
            <span>{t("payees.sum")}</span>
            <span data-testid="payees-sum">
              <Show when={sumOf(amounts())} fallback="—">
                {(amount) => <Amount value={amount()} />}
              </Show>
            </span>
          </p>
        )}
      </Show>
      <p class={styles.sumLine}>
        <span>{t("send.fee")}</span>
        <span data-testid="fee">
          <Show when={props.preview} fallback="—">
            {(preview) => <Amount value={preview().fee} />}
          </Show>
        </span>
      </p>
    </div>
  );
}
