/** Step of the signer page: the payment in words, for its owner to judge. */
import { For, Show } from "solid-js";
import { amountText } from "../i18n/format.ts";
import { t } from "../i18n/translate.ts";
import { Amount } from "../ui/Amount.tsx";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { Facts, type Fact } from "../ui/Facts.tsx";
import { Notice } from "../ui/Notice.tsx";
import type { PaymentReview } from "./paymentSigner.ts";
import styles from "./Signer.module.css";

type Payee = PaymentReview["payees"][number];

/** Shows everything that signing would do. */
export function ReviewStep(props: {
  review: PaymentReview;
  onSign: () => void;
  onReject: () => void;
}) {
  const { payees, fee, total, change, networkName } = props.review;
  const sums: readonly Fact[] = [
    { label: t("signer.fee"), value: <Amount value={fee} /> },
    { label: t("signer.total"), value: <Amount value={total} /> },
    { label: t("signer.change"), value: <Amount value={change} /> },
    { label: t("signer.network"), value: networkName },
  ];
  return (
    <Card title={t("signer.reviewTitle")}>
      <For each={payees}>
        {(payee, index) => (
          <section class={styles.payee}>
            <Show when={payees.length > 1}>
              <h3 class={styles.number}>
                {t("signer.payment", { number: index() + 1, count: payees.length })}
              </h3>
            </Show>
            <p class={styles.sum}>
              <Amount value={payee.value} />
            </p>
            <p class={styles.label}>{t("signer.to")}</p>
            <p class={styles.address}>
              <For each={groupsOf(payee)}>{(group) => <span>{group}</span>}</For>
            </p>
            <Facts rows={[{ label: t("signer.memo"), value: memoOf(payee) }]} />
            <Show when={payee.own}>
              <Notice kind="warning">{t("signer.own")}</Notice>
            </Show>
          </section>
        )}
      </For>
      <Facts rows={sums} />
      <Notice kind="good">{t("signer.reviewChecked")}</Notice>
      <p class={styles.note}>{t("signer.compare")}</p>
      <div class={styles.actions}>
        <Button onClick={() => props.onReject()}>{t("signer.reject")}</Button>
        <Button kind="primary" icon="check" onClick={() => props.onSign()}>
          {t("signer.sign", { amount: amountText(total) })}
        </Button>
      </div>
    </Card>
  );
}

function memoOf({ memo }: Payee) {
  if (memo.kind === "empty") return t("signer.memoNone");
  const text = memo.kind === "text" ? memo.text : t("signer.memoBytes", { hex: memo.hex });
  return <span class={styles.memo}>{text}</span>;
}

/** An address is compared in pieces: the prefix, then groups. Copied, it is whole: the gaps are drawn. */
function groupsOf({ address }: Payee): readonly string[] {
  return address.match(/^[^:]*:|.{1,6}/g) ?? [];
}
