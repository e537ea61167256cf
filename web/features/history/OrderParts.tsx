/** Component: the transactions of a payment that took several, each a button that opens it; and the way to stop one under way. */
import { For, Show } from "solid-js";
import type { OrderView } from "@svc/shared/wallet/view/foldOrders.ts";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Amount } from "../../ui/Amount.tsx";
import { Button } from "../../ui/Button.tsx";
import { ErrorNotice } from "../../ui/Notice.tsx";
import styles from "./HistoryList.module.css";
import { stateText } from "./rowTexts.ts";

/** The list. `id` is that of the whole payment. */
export function OrderParts(props: { id: string; order: OrderView; onOpen: (id: string) => void }) {
  const { snapshot, wallet } = useWallet();
  const stopping = createTask(() => wallet.stopPayment(props.id));
  const isUnderWay = () =>
    props.order.stopped === null && sumOf(props.order) < props.order.confirmed;
  return (
    <section aria-label={t("pay.rowParts")} data-testid="order-parts">
      <ul class={styles.parts}>
        <For each={props.order.parts}>
          {(part, index) => (
            <li>
              <button type="button" class={styles.part} onClick={() => props.onOpen(part.id)}>
                <span>{t("pay.openPart", { part: index() + 1 })}</span>
                <span class={styles.partState}>{stateText(part)}</span>
                <Amount value={part.amount} unit={false} />
              </button>
            </li>
          )}
        </For>
      </ul>
      <ErrorNotice error={stopping.error()} />
      <Show when={isUnderWay() && !snapshot.tabs.following}>
        <div class={styles.actions}>
          <Button kind="danger" busy={stopping.busy()} onClick={() => void stopping.run()}>
            {t("pay.stop")}
          </Button>
        </div>
      </Show>
    </section>
  );
}

/** What the transactions that are signed pay. */
function sumOf({ parts }: OrderView): bigint {
  return parts.reduce((sum, { txid, amount }) => (txid === null ? sum : sum + amount), 0n);
}
