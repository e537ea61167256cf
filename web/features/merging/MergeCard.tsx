/** Card of the first screen: offers a consolidation to a wallet of many notes, reviews it, and begins it. */
import { createSignal, Match, Show, Switch } from "solid-js";
import { amountText, durationText } from "../../i18n/format.ts";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { useDraft } from "../../state/draftContext.ts";
import { isPaying } from "../../state/isPaying.ts";
import { goTo } from "../../state/router.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Amount } from "../../ui/Amount.tsx";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { Facts, type Fact } from "../../ui/Facts.tsx";
import { ErrorNotice } from "../../ui/Notice.tsx";
import type { ConsolidationView, WalletView } from "../../wallet-api/walletApi.ts";
import styles from "./MergeCard.module.css";

/** The card; nothing where a payment of everything is one transaction, or one is being paid. */
export function MergeCard(props: { wallet: WalletView }) {
  const { snapshot, wallet } = useWallet();
  const [review, setReview] = createSignal<ConsolidationView | null>(null);
  const [none, setNone] = createSignal(false);
  const helps = () =>
    !snapshot.watchOnly &&
    !snapshot.tabs.following &&
    !isPaying(snapshot) &&
    props.wallet.status.final &&
    props.wallet.sendable.transactions > 1;
  const looking = createTask(async () => {
    void wallet.warmProver();
    const found = await wallet.consolidation();
    setReview(found);
    setNone(found === null);
  });
  return (
    <Show when={helps() || review() !== null}>
      <Card title={t("merge.title")}>
        <Switch
          fallback={
            <div class={styles.offer}>
              <p>{t("merge.text", { count: props.wallet.noteCount })}</p>
              <Button busy={looking.busy()} onClick={() => void looking.run()}>
                {t("merge.look")}
              </Button>
              <p role="status">
                <Show when={none()}>{t("merge.none")}</Show>
              </p>
            </div>
          }
        >
          <Match when={review()}>
            {(offer) => (
              <MergeReview
                offer={offer()}
                canSpend={props.wallet.status.canSpend}
                onCancel={() => setReview(null)}
              />
            )}
          </Match>
        </Switch>
        <ErrorNotice error={looking.error()} />
      </Card>
    </Show>
  );
}

/** The consolidation to be confirmed; its progress is that of a payment. */
function MergeReview(props: { offer: ConsolidationView; canSpend: boolean; onCancel: () => void }) {
  const { wallet } = useWallet();
  const draft = useDraft();
  const merging = createTask(async ({ payee, merge }: ConsolidationView) => {
    // The screen of payments says how it goes, and not what was typed there.
    draft.setReviewed(null);
    const paying = wallet.send([payee], merge.fee);
    goTo("send");
    await paying;
  });
  return (
    <>
      <Facts rows={factsOf(props.offer)} />
      <p class={styles.text}>{t("merge.shows")}</p>
      <ErrorNotice error={merging.error()} />
      <div class={styles.actions}>
        <Button disabled={merging.busy()} onClick={() => props.onCancel()}>
          {t("merge.cancel")}
        </Button>
        <Button
          kind="primary"
          busy={merging.busy()}
          disabled={!props.canSpend}
          onClick={() => void merging.run(props.offer)}
        >
          {t("merge.confirm", { count: props.offer.merge.notes })}
        </Button>
      </div>
    </>
  );
}

function factsOf({ merge, now, after, seconds }: ConsolidationView): readonly Fact[] {
  const payment = ({ transactions, fee }: ConsolidationView["now"]) =>
    t("merge.payment", { count: transactions, fee: amountText(fee) });
  return [
    { label: t("merge.notes"), value: t("merge.notesCount", { count: merge.notes }) },
    { label: t("merge.takes"), value: t("merge.takesCount", { count: merge.transactions }) },
    { label: t("merge.fee"), value: <Amount value={merge.fee} /> },
    { label: t("merge.back"), value: <Amount value={merge.amount} /> },
    { label: t("merge.wait"), value: durationText(seconds) },
    { label: t("merge.now"), value: payment(now) },
    { label: t("merge.after"), value: payment(after) },
  ];
}
