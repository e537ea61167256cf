/** History screen: all payments and receipts of the wallet, with search and filter. */
import { createEffect, createSignal, Show } from "solid-js";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import type { HistoryQuery, WalletView } from "../../wallet-api/walletApi.ts";
import { searchedAmount } from "../../i18n/amounts/searchedAmount.ts";
import { numbers } from "../../i18n/language.ts";
import { t } from "../../i18n/translate.ts";
import { createHash, hrefOf, MINED_HREF } from "../../state/router.ts";
import { Button } from "../../ui/Button.tsx";
import { Card, Screen } from "../../ui/Card.tsx";
import { Choices } from "../../ui/Choices.tsx";
import { TextField } from "../../ui/Field.tsx";
import { ErrorNotice } from "../../ui/Notice.tsx";
import { createHistoryPage } from "./createHistoryPage.ts";
import styles from "./History.module.css";
import { HistoryFile } from "./HistoryFile.tsx";
import { HistoryList } from "./HistoryList.tsx";

const kinds = (): readonly { readonly value: HistoryQuery["kind"]; readonly text: string }[] => [
  { value: "all", text: t("history.all") },
  { value: "received", text: t("history.received") },
  { value: "sent", text: t("history.sent") },
  { value: "mined", text: t("history.mined") },
];

function emptyText({ historyLength, status, older }: WalletView): string {
  if (historyLength > 0) return t("history.none");
  return t(status.final && older === null ? "history.empty" : "home.searching");
}

/** The whole history with search and filter. */
export function History(props: { wallet: WalletView }) {
  const [kind, setKind] = createSignal<HistoryQuery["kind"]>("all");
  const [text, setText] = createSignal("");
  const hash = createHash();
  createEffect(() => {
    if (hash() === MINED_HREF) setKind("mined");
  });
  const [limit, setLimit] = createSignal<number>(PAGE_LIMITS.historyPageRows);
  const choose = (chosen: HistoryQuery["kind"]) => {
    if (hash() === MINED_HREF) location.replace(hrefOf("history"));
    setKind(chosen);
  };
  const query = () => ({ kind: kind(), text: text(), amount: searchedAmount(text(), numbers()) });
  const page = createHistoryPage(
    () => props.wallet,
    () => ({ ...query(), limit: limit() }),
  );

  return (
    <Screen title={t("history.title")}>
      <div class={styles.tools}>
        <TextField
          label={t("history.search")}
          type="search"
          hint={t("history.searchHint")}
          value={text()}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <Choices label={t("history.filter")} value={kind()} onChange={choose} options={kinds()} />
      </div>
      <ErrorNotice error={page.fault} />
      <Card>
        <Show
          when={page.rows.length > 0}
          fallback={<p class={styles.empty}>{emptyText(props.wallet)}</p>}
        >
          <HistoryList rows={page.rows} />
          <div class={styles.foot}>
            <span class="number">{t("history.count", { count: page.total })}</span>
            <Show when={page.total > page.rows.length}>
              <Button onClick={() => setLimit(limit() + PAGE_LIMITS.historyPageRows)}>
                {t("history.more")}
              </Button>
            </Show>
          </div>
          <HistoryFile query={query()} count={page.total} />
        </Show>
      </Card>
    </Screen>
  );
}
