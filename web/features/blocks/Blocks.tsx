/** Block explorer page: the list of chain blocks, newest first, below a picture of the DAG. */
import { For, Show } from "solid-js";
import { countText } from "../../i18n/format.ts";
import { t } from "../../i18n/translate.ts";
import { createNow } from "../../state/clock.ts";
import { createTask } from "../../state/createTask.ts";
import { setTheme, theme, type Theme } from "../../state/theme.ts";
import { Button } from "../../ui/Button.tsx";
import { Choices } from "../../ui/Choices.tsx";
import { ErrorNotice } from "../../ui/Notice.tsx";
import markUrl from "../../ui/mark.svg";
import { BlockRow } from "./BlockRow.tsx";
import styles from "./Blocks.module.css";
import { createAddressText } from "./createAddressText.ts";
import { createReading } from "./createReading.ts";
import { createBlocksFeed, type BlocksState } from "./createBlocksFeed.ts";
import { DagStrip } from "./DagStrip.tsx";

/** The selected chain as it grows: every block with what it merged, applied and dropped. */
export function Blocks(props: { url: string }) {
  const { state, loadOlder } = createBlocksFeed(props.url);
  const addressText = createAddressText(props.url);
  const older = createTask(loadOlder);
  const { openHash, toggle, shown, held } = createReading(() => state.rows);
  const now = createNow();
  document.title = t("blocks.title");

  return (
    <main class={styles.page}>
      <Head state={state} />
      <ErrorNotice error={state.problem} />
      <Stats state={state} />
      <DagStrip rows={state.rows}>
        <strong class={styles.announce} aria-live="polite">
          <Show when={state.replaced > 0}>{t("blocks.reorged", { count: state.replaced })}</Show>
        </strong>
      </DagStrip>
      <Show
        when={state.rows.length > 0}
        fallback={<p class={styles.center}>{t("blocks.loading")}</p>}
      >
        <ListHead held={held()} onResume={() => toggle(null)} />
        <ol class={styles.list} aria-label={t("blocks.list")}>
          <For each={shown()}>
            {(row) => (
              <BlockRow
                row={row}
                nowMs={now()}
                addressText={addressText()}
                open={openHash() === row.hash}
                onToggle={() => toggle(row.hash)}
              />
            )}
          </For>
        </ol>
      </Show>
      <Show when={state.hasOlder}>
        <div class={styles.older}>
          <Button busy={older.busy()} onClick={() => void older.run()}>
            {t("blocks.older")}
          </Button>
        </div>
      </Show>
    </main>
  );
}

function Head(props: { state: BlocksState }) {
  const tone = () => {
    if (props.state.problem !== null) return "bad";
    return props.state.live ? "good" : "work";
  };
  const text = () => {
    if (props.state.problem !== null) return t("blocks.offline");
    if (props.state.tip === null) return t("blocks.connecting");
    return t(props.state.live ? "blocks.live" : "blocks.polling");
  };
  const themes: readonly { value: Theme; text: string }[] = [
    { value: "system", text: t("settings.themeSystem") },
    { value: "light", text: t("settings.themeLight") },
    { value: "dark", text: t("settings.themeDark") },
  ];
  return (
    <header class={styles.top}>
      <div class={styles.brand}>
        <img src={markUrl} alt="" width="36" height="36" />
        <div>
          <h1>{t("blocks.title")}</h1>
          <p class={styles.network}>{props.state.tip?.network ?? " "}</p>
        </div>
      </div>
      <div class={styles.tools}>
        <a class={styles.link} href="/wallet/">
          {t("blocks.wallet")}
        </a>
        <span class={styles.live} data-tone={tone()} role="status">
          <span class={styles.dot} aria-hidden="true" />
          {text()}
        </span>
        <Choices label={t("settings.theme")} options={themes} value={theme()} onChange={setTheme} />
      </div>
    </header>
  );
}

/** Names of the columns; while a block is read, how many newer ones wait. */
function ListHead(props: { held: number; onResume: () => void }) {
  return (
    <div class={styles.head}>
      <div class={`${styles.row} ${styles.listHead}`} aria-hidden="true">
        <span>{t("blocks.chainIndex")}</span>
        <span>{t("blocks.hash")}</span>
        <span>{t("blocks.merged")}</span>
        <span>{t("blocks.transactions")}</span>
        <span class={styles.minted}>{t("blocks.minted")}</span>
        <span class={styles.age}>{t("blocks.age")}</span>
      </div>
      <Show when={props.held > 0}>
        <button type="button" class={styles.resume} onClick={() => props.onResume()}>
          {t("blocks.held", { count: props.held })}
        </button>
      </Show>
    </div>
  );
}

function Stats(props: { state: BlocksState }) {
  const number = (value: bigint | number | undefined) =>
    value === undefined ? "—" : countText(value);
  const rows = () => [
    { label: t("blocks.chainIndex"), value: number(props.state.tip?.chainIndex) },
    { label: t("blocks.blueScore"), value: number(props.state.tip?.sinkBlueScore) },
    { label: t("blocks.daaScore"), value: number(props.state.tip?.daaScore) },
    { label: t("blocks.notes"), value: number(props.state.tip?.treeSize) },
    { label: t("blocks.pool"), value: number(props.state.tip?.mempoolSize) },
  ];
  return (
    <dl class={`${styles.stats} number`}>
      <For each={rows()}>
        {(row) => (
          <div class={styles.stat}>
            <dt>{row.label}</dt>
            <dd>{row.value}</dd>
          </div>
        )}
      </For>
    </dl>
  );
}
