/** Component: the list of history entries, with the names of their days. */
import { createSignal, For, Match, Show, Switch } from "solid-js";
import type { HistoryLine, MinedDay } from "@svc/shared/wallet/view/foldMined.ts";
import type { HistoryView } from "@svc/shared/wallet/view/history.ts";
import { agoText, dayText } from "../../i18n/format.ts";
import { t } from "../../i18n/translate.ts";
import { createNow } from "../../state/clock.ts";
import { MINED_HREF } from "../../state/router.ts";
import { Amount } from "../../ui/Amount.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { useContacts } from "../../state/contacts/contacts.ts";
import { HistoryDetail } from "./HistoryDetail.tsx";
import styles from "./HistoryList.module.css";
import { aboutText, isIncoming, kindIcon, kindText, signOf, stateText } from "./rowTexts.ts";

/** A list of history entries; pressing one opens its details, pressing a day of mining shows its blocks. */
export function HistoryList(props: { rows: readonly HistoryLine[] }) {
  const [openId, setOpenId] = createSignal<string | null>(null);
  const now = createNow();
  const opened = () => props.rows.flatMap(withParts).find(({ id }) => id === openId());
  const dayAt = (index: number) => {
    const line = props.rows[index];
    if (line === undefined) return null;
    return line.timestamp === null ? t("day.now") : dayText(line.timestamp, now());
  };
  return (
    <>
      <ul class={styles.list}>
        <For each={props.rows}>
          {(line, index) => (
            <li>
              <Show when={dayAt(index()) !== dayAt(index() - 1)}>
                <p class={styles.day}>{dayAt(index())}</p>
              </Show>
              <Switch>
                <Match when={rowOf(line)}>
                  {(row) => <Row row={row()} now={now()} onOpen={() => setOpenId(line.id)} />}
                </Match>
                <Match when={minedOf(line)}>{(day) => <Mined day={day()} now={now()} />}</Match>
              </Switch>
            </li>
          )}
        </For>
      </ul>
      <Show when={opened()}>
        {(row) => <HistoryDetail row={row()} onOpen={setOpenId} onClose={() => setOpenId(null)} />}
      </Show>
    </>
  );
}

function rowOf(line: HistoryLine): HistoryView | undefined {
  return line.kind === "mined-day" ? undefined : line;
}

function minedOf(line: HistoryLine): MinedDay | undefined {
  return line.kind === "mined-day" ? line : undefined;
}

/** A row that folds several transactions opens to these. */
function withParts(line: HistoryLine): readonly HistoryView[] {
  const row = rowOf(line);
  return row === undefined ? [] : [row, ...(row.order?.parts ?? [])];
}

function Row(props: { row: HistoryView; now: number; onOpen: () => void }) {
  const contacts = useContacts();
  const payee = () =>
    props.row.kind === "sent" ? (contacts.at(props.row.counterparty)?.name ?? "") : "";
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
        <bdi class={styles.about}>{aboutText(props.row, props.now, payee())}</bdi>
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

function Mined(props: { day: MinedDay; now: number }) {
  return (
    <a class={styles.row} data-testid="history-row" href={MINED_HREF}>
      <span class={styles.icon} data-kind="mined" data-state="settled">
        <Icon name="mined" size={18} />
      </span>
      <span class={styles.what}>
        <span class={styles.kind}>{t("row.mined")}</span>
        <span class={styles.about}>
          {t("row.minedBlocks", { count: props.day.blocks })} ·{" "}
          {agoText(props.day.timestamp, props.now)}
        </span>
      </span>
      <span class={styles.numbers}>
        <span class={styles.amount} data-in="true">
          <Amount value={props.day.amount} sign="+" unit={false} />
        </span>
        <span class={styles.state}>{t("row.minedEach")}</span>
      </span>
    </a>
  );
}
