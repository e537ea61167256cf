/** Page: the result of a search. With script no server learns the hash: the page asks for a bucket and looks in it. */
import { createSignal, For, Match, onCleanup, onMount, Show, Switch } from "solid-js";
import type { SearchTerm } from "@svc/shared/explorer/explorerPaths.ts";
import type { BucketEntry } from "@svc/shared/explorer/searchBucket.ts";
import { searchHash, type HashSearch } from "../live/searchHash.ts";
import { ColorBadge } from "../parts/ColorBadge.tsx";
import { HashLink } from "../parts/HashLink.tsx";
import { Panel, WithDocument } from "../parts/Panel.tsx";
import { hrefOf, useFrame } from "../frame/pageFrame.ts";
import { Age } from "../parts/Age.tsx";

const HASH = /^#([0-9a-f]{64})$/;

/** The page. */
export function Search(props: { term: SearchTerm }) {
  const { t } = useFrame().texts;
  return (
    <>
      <div class="page-head">
        <h1>{t("search.title")}</h1>
        <p class="lead">{t("search.lead")}</p>
      </div>
      <Switch
        fallback={
          <div class="found">
            <PrivateResult />
          </div>
        }
      >
        <Match when={props.term.kind === "hash" && props.term}>
          {(term) => <ToldResult hash={term().hash} />}
        </Match>
        <Match when={props.term.kind === "number" && props.term}>
          {(term) => <ScoreResult score={term().score} />}
        </Match>
        <Match when={props.term.kind === "other" && props.term}>
          {(term) => (
            <Panel title={t("search.nothing")}>
              <p>
                {t("search.noForm")} <span class="mono">{term().text}</span>
              </p>
            </Panel>
          )}
        </Match>
      </Switch>
      <Panel title={t("search.how")}>
        <p>{t("search.howBucket")}</p>
        <p class="note">{t("search.howOpen")}</p>
      </Panel>
    </>
  );
}

/** The hash stands behind the `#` of the address, which stays in the browser. */
function PrivateResult() {
  const frame = useFrame();
  const { t } = frame.texts;
  const [hash, setHash] = createSignal<string | null>(null);
  const [search, setSearch] = createSignal<HashSearch | null>(null);
  onMount(() => {
    let ended = new AbortController();
    const look = () => {
      ended.abort();
      ended = new AbortController();
      const wanted = HASH.exec(location.hash)?.[1] ?? null;
      setHash(wanted);
      setSearch(null);
      if (wanted === null) return;
      const { signal } = ended;
      searchHash(wanted, {
        apiBase: frame.apiBase,
        fetch: (url, init) => fetch(url, init),
        signal,
      }).then(
        (result) => signal.aborted || setSearch(result),
        () => signal.aborted || setSearch({ kind: "unanswered" }),
      );
    };
    addEventListener("hashchange", look);
    onCleanup(() => {
      removeEventListener("hashchange", look);
      ended.abort();
    });
    look();
  });
  return (
    <Show when={hash()} fallback={<p class="note">{t("search.empty")}</p>}>
      {(wanted) => (
        <Panel title={t("search.result")}>
          <p class="mono">{wanted()}</p>
          <div aria-live="polite" data-testid="search-result">
            <Show when={search()} fallback={<p class="note">{t("search.looking")}</p>}>
              {(found) => <Found hash={wanted()} search={found()} />}
            </Show>
          </div>
        </Panel>
      )}
    </Show>
  );
}

function Found(props: { hash: string; search: HashSearch }) {
  const { t } = useFrame().texts;
  const entries = () => (props.search.kind === "found" ? props.search.entries : []);
  return (
    <>
      <Switch>
        <Match when={props.search.kind === "unanswered"}>
          <p>{t("search.unanswered")}</p>
        </Match>
        <Match when={entries().length === 0}>
          <p>{t("search.notFound")}</p>
        </Match>
      </Switch>
      <For each={entries()}>{(entry) => <Entry hash={props.hash} entry={entry} />}</For>
      <Show when={entries().length === 0}>
        <p class="note">
          {t("search.openAnyway")} <HashLink kind="block" hash={props.hash} /> ({t("block.block")})
          · <HashLink kind="transaction" hash={props.hash} /> ({t("transaction.transaction")})
        </p>
      </Show>
    </>
  );
}

function Entry(props: { hash: string; entry: BucketEntry }) {
  const { texts } = useFrame();
  const { t } = texts;
  const isBlock = () => props.entry.kind.startsWith("block-");
  return (
    <p class="verdict">
      <strong>{t(isBlock() ? "block.block" : "transaction.transaction")}</strong> —{" "}
      {t(`bucket.${props.entry.kind}`)},{" "}
      {t("search.atScore", { score: texts.count(props.entry.daaScore) })}{" "}
      <HashLink kind={isBlock() ? "block" : "transaction"} hash={props.hash} />
    </p>
  );
}

/** Without script the hash is in the address: the server was told it. */
function ToldResult(props: { hash: string }) {
  const { store, texts } = useFrame();
  const { t } = texts;
  const block = () => store.read("block", `/blocks/${props.hash}`).body;
  const transaction = () => store.read("transaction", `/transactions/${props.hash}`).body;
  return (
    <Panel title={t("search.result")}>
      <p class="mono">{props.hash}</p>
      <Show when={block()}>
        <p>
          {t("search.isBlock")} <HashLink kind="block" hash={props.hash} />
        </p>
      </Show>
      <Show when={transaction()}>
        <p>
          {t("search.isTransaction")} <HashLink kind="transaction" hash={props.hash} />
        </p>
      </Show>
      <Show when={block() === null && transaction() === null}>
        <p data-testid="unknown-reason">{t("unknown.never-seen")}</p>
      </Show>
      <p class="note">{t("search.wasTold")}</p>
    </Panel>
  );
}

function ScoreResult(props: { score: string }) {
  const { texts } = useFrame();
  const { t } = texts;
  return (
    <div class="columns">
      <Panel title={t("search.blueScore", { score: texts.count(props.score) })}>
        <AtScore path={`/blocks/at?blueScore=${props.score}`} />
      </Panel>
      <Panel title={t("search.daaScore", { score: texts.count(props.score) })}>
        <AtScore path={`/blocks/at?daaScore=${props.score}`} />
      </Panel>
    </div>
  );
}

function AtScore(props: { path: string }) {
  const frame = useFrame();
  const { t } = frame.texts;
  return (
    <WithDocument row="blocksAt" path={props.path}>
      {(document) => {
        // A document of another form is no empty list.
        const blocks = () => [...document()];
        return (
          <Show when={blocks().length > 0} fallback={<p class="note">{t("search.noBlocks")}</p>}>
            <ul class="plain">
              <For each={blocks()}>
                {(block) => (
                  <li>
                    <HashLink kind="block" hash={block.block_hash} />{" "}
                    <ColorBadge color={block.color} isChainBlock={block.isChainBlock} />{" "}
                    <Age ms={Number(block.timestamp)} />
                  </li>
                )}
              </For>
            </ul>
            <p class="note">
              <a
                href={hrefOf(frame, {
                  kind: "dag",
                  minute: String(minuteOf(blocks()[0]?.timestamp)),
                })}
              >
                {t("search.inGraph")}
              </a>
            </p>
          </Show>
        );
      }}
    </WithDocument>
  );
}

function minuteOf(timestamp: string | undefined): number {
  return Math.floor(Number(timestamp ?? "0") / 60_000);
}
