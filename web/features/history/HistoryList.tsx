/** Component: the list of history entries. */
import { createSignal, For, Show } from "solid-js";
import type { HistoryView } from "@svc/shared/wallet/view/history.ts";
import { t } from "../../i18n/translate.ts";
import { Amount } from "../../ui/Amount.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { HistoryDetail } from "./HistoryDetail.tsx";
import styles from "./HistoryList.module.css";
import { aboutText, isIncoming, kindIcon, kindText, signOf, stateText } from "./rowTexts.ts";

/** A list of history entries; pressing one opens its details. */
export function HistoryList(props: { rows: readonly HistoryView[] }) {
  const [openId, setOpenId] = createSignal<string | null>(null);
  const opened = () => props.rows.find(({ id }) => id === openId());
  return (
    <>
      <ul class={styles.list}>
        <For each={props.rows}>
          {(row) => (
            <li>
              <Row row={row} onOpen={() => setOpenId(row.id)} />
            </li>
          )}
        </For>
      </ul>
      <Show when={opened()}>
        {(row) => <HistoryDetail row={row()} onClose={() => setOpenId(null)} />}
      </Show>
    </>
  );
}

function Row(props: { row: HistoryView; onOpen: () => void }) {
  return (
    <button
      type="button"
      class={styles.row}
      data-testid="history-row"
      onClick={() => props.onOpen()}
    >
      <span class={styles.icon} data-kind={props.row.kind} data-state={props.row.state}>
        <Icon name={kindIcon(props.row)} size={18} />
      </span>
      <span class={styles.what}>
        <span class={styles.kind}>{kindText(props.row)}</span>
        <span class={styles.about}>{aboutText(props.row)}</span>
      </span>
      <span class={styles.numbers}>
        <span
          class={styles.amount}
          data-in={isIncoming(props.row)}
          data-failed={props.row.state === "failed"}
        >
          <Amount value={props.row.amount} sign={signOf(props.row)} unit={false} />
        </span>
        <span class={styles.state} data-state={props.row.state}>
          {stateText(props.row)}
        </span>
      </span>
      <span class="visually-hidden">{t("detail.open")}</span>
    </button>
  );
}
