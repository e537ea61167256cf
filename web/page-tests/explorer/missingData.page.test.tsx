/** Pages of the explorer whose documents are empty, missing, old or of another form: they say so, in three languages, and stay whole. */
import { PAGE_LOCALES, type PageLocale } from "@svc/shared/explorer/pageLocale.ts";
import { describe, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import type { TextKey } from "../../explorer/texts/catalogue.ts";
import { axeFaults } from "../testkit/axeFaults.ts";
import { PHONE, SCREEN_WIDTHS } from "../testkit/screenRules.ts";
import { DOCUMENT_STATES, type DocumentState } from "./testkit/documentStates.ts";
import { HASH } from "./testkit/explorerAddresses.ts";
import { EXPLORER_TEXTS, expectDrawn, showExplorer } from "./testkit/showExplorer.ts";
import { SilentWorker } from "./testkit/silentWorker.ts";

/** px. The narrowest screen: on a wider one these sentences have room. */
const [NARROWEST] = SCREEN_WIDTHS;

/** Sentences of the pages about a state. */
const WORDS: Readonly<Record<DocumentState, TextKey>> = {
  empty: "blocks.title",
  "without an index": "data.noIndex",
  unanswered: "data.none",
  "not there": "data.none",
  "of another form": "data.unreadable",
  stale: "data.stale",
};

/** The pages that are made from documents beside those of the frame, with what one says in other words than all. */
const PAGES: Readonly<Record<string, Partial<Record<DocumentState, TextKey>>>> = {
  "/": { empty: "rules.none" },
  "/blocks": {},
  [`/blocks/${HASH}`]: { empty: "block.title", "not there": "unknown.never-seen" },
  "/transactions": { empty: "transactions.title" },
  [`/transactions/${HASH}`]: {
    empty: "transaction.carriedByNone",
    "not there": "unknown.never-seen",
  },
  "/dag/extremes": { empty: "extremes.none" },
  "/miners": { empty: "miners.none" },
  "/network": { empty: "network.countriesNone" },
  "/charts": { empty: "reorg.none" },
  "/supply": { empty: "supply.title" },
  "/search?q=1276151": { empty: "search.noBlocks" },
  "/widget/frame": {
    empty: "widget.estimates",
    "without an index": "frame.away",
    unanswered: "frame.away",
    "not there": "frame.away",
    stale: "frame.away",
  },
};

/** Expects what the page has to say of a state, and nothing that is no word. */
function expectWords(key: TextKey, locale: PageLocale): void {
  const text = document.querySelector("main")?.textContent ?? "";
  const message = EXPLORER_TEXTS[locale][key];
  if (typeof message !== "string") throw new TypeError("these texts have one form");
  // Up to its first slot.
  expect(text).toContain(message.split("{", 1).join(""));
  expect(text).not.toMatch(/NaN|undefined|\[object/);
}

describe.each(PAGE_LOCALES)("in %s", (locale) => {
  describe.each(DOCUMENT_STATES)("$name", ({ name, answer }) => {
    test.each(Object.keys(PAGES))("%s", async (address) => {
      vi.stubGlobal("Worker", SilentWorker);
      await page.viewport(NARROWEST, PHONE.height);
      showExplorer(address, { locale, answer });
      await expectDrawn();
      expectWords(PAGES[address]?.[name] ?? WORDS[name], locale);
      expect(document.documentElement.scrollWidth).toBe(NARROWEST);
      // The structure that axe looks at is the same in each language.
      if (locale === "en") expect(await axeFaults()).toEqual([]);
    });
  });
});
