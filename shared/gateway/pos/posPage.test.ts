import { describe, expect, it } from "vitest";
import { emptyClose, exampleTill } from "../testkit/exampleTill.ts";
import type { TillRecord } from "../till/tillRecordOf.ts";
import { closePage } from "./closePage.ts";
import type { PosFrame } from "./posDocument.ts";
import { POS_MESSAGES, posLanguage } from "./posLanguage.ts";
import { offlinePage, signInPage, tillPage } from "./posPage.ts";

const EVIL = `"><script>alert(1)</script>{due}<img src=x onerror='x'>`;
const TILL = exampleTill;
const NO_SALES = emptyClose;

const frameOf = (tag: string): PosFrame => ({
  ...{ language: posLanguage(tag), nonce: "00ff", script: "/pos.js" },
});

const pagesOf = (till: TillRecord, frame: PosFrame): readonly string[] => [
  signInPage(frame),
  tillPage(till, frame),
  closePage(NO_SALES, till, frame),
  offlinePage(frame),
];

describe("the point of sale", () => {
  it("has every message in every language, with the same slots", () => {
    const slotsOf = (text: string): readonly string[] => text.match(/\{\w+\}/g)?.toSorted() ?? [];
    const english = Object.entries(POS_MESSAGES.en);
    for (const messages of Object.values(POS_MESSAGES)) {
      const texts = new Map(Object.entries(messages));
      expect([...texts.keys()].toSorted()).toEqual(english.map(([name]) => name).toSorted());
      for (const [name, same] of english) {
        const text = texts.get(name) ?? "";
        expect(text, name).not.toBe("");
        expect(slotsOf(text), name).toEqual(slotsOf(same));
      }
    }
  });

  it("is in the browser's language, and leaves no slot open", () => {
    for (const tag of ["en", "de", "es"]) {
      for (const page of pagesOf(TILL, frameOf(tag))) {
        expect(page).toContain(`<html lang="${tag}"`);
        expect(page.replace(/data-texts="[^"]*"/, "")).not.toMatch(/>[^<]*\{\w+\}[^<]*</);
        expect(page).not.toContain("undefined");
      }
    }
  });

  it("makes nothing foreign its markup, and loads one script by its nonce", () => {
    const rate = { currency: "EUR", rate: "8", source: EVIL, time: 0, stale: false };
    const till = { ...TILL, storeName: EVIL, currency: EVIL, timeZone: EVIL, rate };
    const zone = { ...NO_SALES, timeZone: "Europe/Berlin" };
    const frame = frameOf("en");
    for (const page of [tillPage(till, frame), closePage(zone, till, frame)]) {
      expect(page.match(/<script/g)).toHaveLength(1);
      expect(page).not.toContain("<img src=x");
    }
    // The page without a connection has its script in it: a browser keeps nothing else.
    expect(offlinePage(frame).match(/<script(?! nonce="00ff">document)/g)).toBeNull();
  });

  it("sends no password in an address where there is no script", () => {
    expect(signInPage(frameOf("en"))).toMatch(/<form id="sign-in"[^>]* method="post"/);
  });

  it("says that a day has more sales than it shows", () => {
    expect(closePage(NO_SALES, TILL, frameOf("en"))).toContain("older ones are missing");
    const all = { ...NO_SALES, complete: true };
    expect(closePage(all, TILL, frameOf("en"))).not.toContain("older ones are missing");
  });
});
