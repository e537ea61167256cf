/** Component: the frame of every page: way to the content, search, navigation, state of the connection, language and colours. */
import { createMemo, For, onMount, Show, type JSX } from "solid-js";
import type { ExplorerPage, PageKind } from "@svc/shared/explorer/explorerPaths.ts";
import { PAGE_LOCALES } from "@svc/shared/explorer/pageLocale.ts";
import markUrl from "../../ui/mark.svg";
import type { PlainKey } from "../view/pageTexts.ts";
import { hrefOf, sameIn, useFrame } from "./pageFrame.ts";
import { SearchField } from "./SearchField.tsx";
import { ThemeChoice } from "./ThemeChoice.tsx";

type Door = {
  readonly page: ExplorerPage;
  readonly text: PlainKey;
  readonly of: readonly PageKind[];
};

const DOORS: readonly Door[] = [
  { page: { kind: "overview" }, text: "nav.overview", of: ["overview"] },
  { page: { kind: "blocks", before: null }, text: "nav.blocks", of: ["blocks", "block"] },
  {
    page: { kind: "transactions", before: null },
    text: "nav.transactions",
    of: ["transactions", "transaction"],
  },
  { page: { kind: "dag", minute: null }, text: "nav.dag", of: ["dag", "extremes"] },
  { page: { kind: "charts", window: "24h" }, text: "nav.charts", of: ["charts"] },
  { page: { kind: "miners" }, text: "nav.miners", of: ["miners"] },
  { page: { kind: "network" }, text: "nav.network", of: ["network"] },
  { page: { kind: "supply" }, text: "nav.supply", of: ["supply"] },
  { page: { kind: "check" }, text: "nav.check", of: ["check"] },
  { page: { kind: "about-data" }, text: "nav.data", of: ["about-data"] },
];

const LANGUAGES = { en: "English", de: "Deutsch", es: "Español" } as const;

/** The frame around a page. */
export function Layout(props: { children: JSX.Element }) {
  const frame = useFrame();
  const { t } = frame.texts;
  return (
    <div class="explorer">
      <a class="skip-link" href="#main">
        {t("frame.skip")}
      </a>
      <header class="top">
        <div class="bar">
          <a class="brand" href={hrefOf(frame, { kind: "overview" })}>
            <img src={markUrl} alt="" width="32" height="32" />
            <span>
              <strong>{t("frame.title")}</strong>
              <NetworkName />
            </span>
          </a>
          <SearchField id="find" />
          <LiveState />
        </div>
        <Navigation />
      </header>
      <main id="main" tabindex="-1">
        {props.children}
      </main>
      <Foot />
    </div>
  );
}

function NetworkName() {
  const { store } = useFrame();
  return (
    <span class="network-name">
      {store.read("blockDag", "/info/blockdag").body?.networkName ?? "\u00a0"}
    </span>
  );
}

/** The connection in a word. It is announced, at most once in some seconds: the word hardly ever changes. */
function LiveState() {
  const { store, texts } = useFrame();
  const isAway = createMemo(() => {
    const { isStale, body } = store.read("blockDag", "/info/blockdag");
    return isStale || body === null;
  });
  return (
    <p class="live" data-tone={isAway() ? "bad" : "good"} role="status" data-testid="live-state">
      <span aria-hidden="true">{isAway() ? "▲" : "●"}</span>{" "}
      {texts.t(isAway() ? "frame.away" : "frame.live")}
    </p>
  );
}

function Navigation() {
  const frame = useFrame();
  let doors: HTMLElement | undefined;
  // On a narrow screen the door of this page may lie beyond the edge.
  onMount(() => {
    const [place, here] = [doors, doors?.querySelector<HTMLElement>("[aria-current]")];
    if (place === undefined || here === null || here === undefined) return;
    place.scrollLeft = here.offsetLeft - (place.clientWidth - here.offsetWidth) / 2;
  });
  return (
    <nav class="doors" aria-label={frame.texts.t("frame.pages")} ref={(nav) => (doors = nav)}>
      <ul>
        <For each={DOORS}>
          {(door) => (
            <li>
              <a
                href={hrefOf(frame, door.page)}
                aria-current={door.of.includes(frame.page.kind) ? "page" : undefined}
              >
                {frame.texts.t(door.text)}
              </a>
            </li>
          )}
        </For>
      </ul>
    </nav>
  );
}

function Foot() {
  const frame = useFrame();
  const { t } = frame.texts;
  return (
    <footer class="foot">
      <p>{t("frame.honest")}</p>
      <div class="foot-tools">
        <ul class="languages" aria-label={t("frame.languages")}>
          <For each={PAGE_LOCALES}>
            {(locale) => (
              <li>
                <a
                  href={sameIn(frame, locale)}
                  hreflang={locale}
                  lang={locale}
                  data-locale={locale}
                  aria-current={locale === frame.texts.locale ? "true" : undefined}
                >
                  {LANGUAGES[locale]}
                </a>
              </li>
            )}
          </For>
        </ul>
        <ThemeChoice />
        <ul class="languages">
          <li>
            <a href={hrefOf(frame, { kind: "widget" })}>{t("nav.widget")}</a>
          </li>
          <Show when={frame.base !== ""}>
            <li>
              <a href="/wallet/">{t("frame.wallet")}</a>
            </li>
          </Show>
        </ul>
      </div>
    </footer>
  );
}
