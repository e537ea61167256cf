import { createEffect, createSignal, on, Show } from "solid-js";
import { createStore, reconcile } from "solid-js/store";
import { LIMITS } from "@svc/shared/base/limits.ts";
import type { HistoryPage, HistoryQuery, WalletView } from "../../engine/engineApi.ts";
import { t } from "../../i18n/translate.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { Card, Screen } from "../../ui/Card.tsx";
import { Choices } from "../../ui/Choices.tsx";
import { TextField } from "../../ui/Field.tsx";
import styles from "./History.module.css";
import { HistoryList } from "./HistoryList.tsx";

/** The whole history with search and filter. */
export function History(props: { wallet: WalletView }) {
  const { engine } = useWallet();
  const [kind, setKind] = createSignal<HistoryQuery["kind"]>("all");
  const [text, setText] = createSignal("");
  const [limit, setLimit] = createSignal<number>(LIMITS.historyPageRows);
  const [page, setPage] = createStore<HistoryPage>({ rows: [], total: 0 });
  const [asked, setAsked] = createSignal(0);
  const query = (): HistoryQuery => ({ kind: kind(), text: text(), limit: limit() });

  // Every change of the chain or of the query asks anew; a late answer to an old question is dropped.
  createEffect(
    on(
      [
        query,
        () => props.wallet.asOf.chainIndex,
        () => JSON.stringify(props.wallet.recent.map(({ id, state }) => id + state)),
      ],
      ([wanted]) => {
        const number = asked() + 1;
        setAsked(number);
        engine.history(wanted).then(
          (found) => {
            if (asked() === number) setPage(reconcile(found, { key: "id" }));
          },
          () => undefined,
        );
      },
    ),
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
        <Choices
          label={t("history.filter")}
          value={kind()}
          onChange={setKind}
          options={[
            { value: "all", text: t("history.all") },
            { value: "received", text: t("history.received") },
            { value: "sent", text: t("history.sent") },
            { value: "mined", text: t("history.mined") },
          ]}
        />
      </div>
      <Card>
        <Show
          when={page.rows.length > 0}
          fallback={
            <p class={styles.empty}>
              {t(props.wallet.historyLength === 0 ? "history.empty" : "history.none")}
            </p>
          }
        >
          <HistoryList rows={page.rows} />
          <div class={styles.foot}>
            <span class="number">{t("history.count", { count: page.total })}</span>
            <Show when={page.total > page.rows.length}>
              <Button onClick={() => setLimit(limit() + LIMITS.historyPageRows)}>
                {t("history.more")}
              </Button>
            </Show>
          </div>
        </Show>
      </Card>
    </Screen>
  );
}
