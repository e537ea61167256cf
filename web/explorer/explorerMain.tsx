/** Entry point of every explorer page in the browser: takes over what the server rendered, and keeps it up to date. */
import "../threads/disposePolyfill.ts";
import "../ui/styles/tokens.css";
import "../ui/styles/base.css";
import "./styles/frame.css";
import "./styles/panels.css";
import "./styles/tables.css";
import { createSignal } from "solid-js";
import { hydrate } from "solid-js/web";
import { explorerPageOf } from "@svc/shared/explorer/explorerPaths.ts";
import { LOCALE_COOKIE, type PageLocale } from "@svc/shared/explorer/pageLocale.ts";
import type { PageInput } from "@svc/shared/explorer/pageRenderer.ts";
import { PAGE_LIMITS } from "../pageLimits.ts";
import { DocumentStore } from "./live/documentStore.ts";
import { LiveDocuments } from "./live/liveDocuments.ts";
import { PageBody } from "./pages/PageBody.tsx";
import type { Catalogue } from "./texts/catalogue.ts";
import { pageTexts } from "./view/pageTexts.ts";

const CATALOGUES: { readonly [L in PageLocale]: () => Promise<Catalogue> } = {
  en: async () => (await import("./texts/en.ts")).en,
  de: async () => (await import("./texts/de.ts")).de,
  es: async () => (await import("./texts/es.ts")).es,
};
/** Of the cookie that keeps the chosen language. */
const YEAR_S = 31_536_000;

/** What the server rendered the page from. */
function pageInput(): PageInput {
  const text = document.getElementById("page-input")?.textContent;
  if (text === null || text === undefined)
    throw new TypeError("the page holds what it was made from");
  const input: PageInput = JSON.parse(text);
  return input;
}

async function takeOver(root: HTMLElement): Promise<void> {
  const input = pageInput();
  const catalogue = await CATALOGUES[input.locale]();
  const store = new DocumentStore(input.documents);
  const live = new LiveDocuments({
    store,
    apiBase: input.apiBase,
    fetch: (url, init) => fetch(url, init),
    steadyMs: () => performance.now(),
    nowMs: () => Date.now(),
    isHidden: () => document.hidden,
  });
  const [now, setNow] = createSignal(input.nowMs);
  // What an inline script of the server would have made; the policy of the pages allows none.
  Object.assign(globalThis, {
    _$HY: { events: [], completed: new WeakSet(), r: {}, fe: () => undefined },
  });
  hydrate(
    () => (
      <PageBody
        frame={{
          ...input,
          texts: pageTexts(input.locale, catalogue),
          page: explorerPageOf(input.path, input.query),
          store,
          now,
          lend: (path) => live.lend(path),
        }}
      />
    ),
    root,
  );
  keepLive(live, () => setNow(Date.now()));
  keepLanguage(root);
}

/** Looks often whether a question is due; at once when somebody looks at the page again. */
function keepLive(live: LiveDocuments, tellTime: () => void): void {
  const look = () => void live.tick();
  setInterval(look, PAGE_LIMITS.explorerLookMs);
  setInterval(() => document.hidden || tellTime(), PAGE_LIMITS.explorerClockMs);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    tellTime();
    look();
  });
}

/** Keeps the language that somebody chooses for later visits. */
function keepLanguage(root: HTMLElement): void {
  root.addEventListener("click", (event) => {
    const { target } = event;
    const locale = target instanceof Element ? target.closest("[data-locale]") : null;
    const chosen = locale?.getAttribute("data-locale");
    if (chosen === null || chosen === undefined) return;
    document.cookie = `${LOCALE_COOKIE}=${chosen}; path=/; max-age=${YEAR_S}; samesite=lax`;
  });
}

const place = document.getElementById("root");
if (place === null) throw new TypeError("the page has a root element");
await takeOver(place);
