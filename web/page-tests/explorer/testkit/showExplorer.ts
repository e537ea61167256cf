/** Shows a page of the explorer over documents: its real components, store and poller. What it asks for a test answers. */
import "../../../ui/styles/tokens.css";
import "../../../ui/styles/base.css";
import "../../../explorer/styles/frame.css";
import "../../../explorer/styles/panels.css";
import "../../../explorer/styles/tables.css";
import { explorerPageOf, pageNeeds } from "@svc/shared/explorer/explorerPaths.ts";
import type { PageLocale } from "@svc/shared/explorer/pageLocale.ts";
import type { PageDocument } from "@svc/shared/explorer/pageRenderer.ts";
import { createComponent, createSignal } from "solid-js";
import { render } from "solid-js/web";
import { commands, page } from "vitest/browser";
import { expect, onTestFinished, vi } from "vitest";
import { DocumentStore } from "../../../explorer/live/documentStore.ts";
import { LiveDocuments } from "../../../explorer/live/liveDocuments.ts";
import { PageBody } from "../../../explorer/pages/PageBody.tsx";
import { EXAMPLE_NOW_MS, exampleAnswer } from "../../../explorer/testkit/exampleDocuments.ts";
import { de } from "../../../explorer/texts/de.ts";
import { en } from "../../../explorer/texts/en.ts";
import { es } from "../../../explorer/texts/es.ts";
import { pageTexts } from "../../../explorer/view/pageTexts.ts";
import { DESK } from "../../testkit/screenRules.ts";

/** Answer to a REST path; null where nobody answers. */
export type AnswerOf = (path: string) => PageDocument | null;

/** Documents and server that a page is shown over. */
export type ExplorerStage = {
  readonly locale?: PageLocale;
  /** The examples of the REST table when left out. */
  readonly answer?: AnswerOf;
};

/** A page that is shown. */
export type ShownExplorer = {
  /** Other answers from now on. */
  answer: AnswerOf;
  /** REST paths that were asked for since the page began, in order. */
  readonly asked: readonly string[];
  /** Lets so many milliseconds pass, and resolves when what was due then is answered. */
  readonly pass: (ms: number) => Promise<void>;
};

/** The catalogues of the explorer. */
export const EXPLORER_TEXTS = { en, de, es } as const;

const API = "/api";

/** Shows the page of this address below the explorer's place, until the test ends. */
export function showExplorer(
  address: string,
  { locale = "en", answer = exampleAnswer }: ExplorerStage = {},
): ShownExplorer {
  const [path = "/", query = ""] = address.split("#", 1).join("").split("?");
  const explorerPage = explorerPageOf(path, query);
  const asked: string[] = [];
  const shown = { answer, asked, pass };
  answerCalls(shown, asked);
  history.replaceState(null, "", address.includes("#") ? address.slice(address.indexOf("#")) : "#");
  document.documentElement.lang = locale;
  const needs = pageNeeds(explorerPage).map((need) => [need, answer(need)] as const);
  const known = needs.flatMap(([need, told]) => (told === null ? [] : [[need, told] as const]));
  const store = new DocumentStore(Object.fromEntries(known));
  let steadyMs = 0;
  const [now, setNow] = createSignal(EXAMPLE_NOW_MS);
  const live = new LiveDocuments({
    store,
    apiBase: API,
    fetch: (url, init) => fetch(url, init),
    steadyMs: () => steadyMs,
    nowMs: () => EXAMPLE_NOW_MS + steadyMs,
    isHidden: () => false,
  });
  const frame = {
    texts: pageTexts(locale, EXPLORER_TEXTS[locale]),
    page: explorerPage,
    base: "/explorer",
    apiBase: API,
    origin: "https://explorer.example",
    path,
    query,
    isLocaleAsked: false,
    store,
    now,
    lend: (lent: string) => live.lend(lent),
  };
  const root = document.createElement("div");
  root.id = "root";
  document.body.append(root);
  const dispose = render(() => createComponent(PageBody, { frame }), root);
  onTestFinished(async () => {
    live.stop();
    dispose();
    root.remove();
    await forgetExplorer();
  });
  return shown;

  async function pass(ms: number): Promise<void> {
    steadyMs += ms;
    setNow(EXAMPLE_NOW_MS + steadyMs);
    await live.tick();
  }
}

/** Has the page's own calls of the REST interface answered by the test; all else is served as before. */
function answerCalls(shown: { readonly answer: AnswerOf }, asked: string[]): void {
  const served = globalThis.fetch;
  vi.stubGlobal("fetch", (input: string | URL | Request, init?: RequestInit) => {
    if (typeof input !== "string" || !input.startsWith(`${API}/`)) return served(input, init);
    const path = input.slice(API.length);
    asked.push(path);
    const told = shown.answer(path);
    if (told === null) return Promise.reject(new TypeError("nobody answers"));
    return Promise.resolve(new Response(told.body, { status: told.status }));
  });
}

/** Nothing of a page is there for the next one. */
async function forgetExplorer(): Promise<void> {
  vi.unstubAllGlobals();
  localStorage.clear();
  document.documentElement.lang = "en";
  delete document.documentElement.dataset["theme"];
  await commands.emulateMedia({ colorScheme: null, forcedColors: null, reducedMotion: null });
  await page.viewport(DESK.width, DESK.height);
}

/** Resolves when the page has its heading, and each place of it what a browser alone draws there. */
export async function expectDrawn(): Promise<void> {
  await expect.element(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect
    .poll(() =>
      [...document.querySelectorAll("[data-part]")].filter((part) => part.childElementCount === 0),
    )
    .toEqual([]);
}
