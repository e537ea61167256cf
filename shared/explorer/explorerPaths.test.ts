import { describe, expect, it } from "vitest";
import { explorerPageOf, explorerPathOf, pageNeeds, searchTermOf } from "./explorerPaths.ts";
import { pageLocaleOf } from "./pageLocale.ts";

const HASH = "0f".repeat(32);

describe("a path names a page", () => {
  it.each([
    ["/", ""],
    ["/blocks", ""],
    ["/blocks", "before=100-ab"],
    [`/blocks/${HASH}`, ""],
    ["/transactions", ""],
    [`/transactions/${HASH}`, ""],
    ["/dag", ""],
    ["/dag", "minute=29927981"],
    ["/dag/extremes", ""],
    ["/miners", ""],
    ["/network", ""],
    ["/charts", ""],
    ["/charts", "window=7d"],
    ["/supply", ""],
    ["/check", ""],
    ["/widget", ""],
    ["/widget/frame", ""],
    ["/about-data", ""],
  ])("%s?%s and back", (path, query) => {
    const page = explorerPageOf(path, query);
    expect(page.kind).not.toBe("unknown");
    expect(explorerPathOf(page)).toBe(query === "" ? path : `${path}?${query}`);
    expect(new Set(pageNeeds(page)).size).toBe(pageNeeds(page).length);
  });

  it.each(["/nothing", "/blocks/abc", `/blocks/${HASH}/x`, `/wallets/${HASH}`, "/constructor", ""])(
    "%s names none",
    (path) => {
      expect(explorerPageOf(path, "")).toEqual({ kind: "unknown" });
    },
  );

  it("a parameter that has not its form is not passed on", () => {
    expect(explorerPageOf("/dag", "minute=-1")).toEqual({ kind: "dag", minute: null });
    expect(explorerPageOf("/blocks", "before=a%26b")).toEqual({ kind: "blocks", before: null });
    expect(explorerPageOf("/charts", "window=9y")).toEqual({ kind: "charts", window: "24h" });
  });
});

it.each([
  ["  ", { kind: "empty" }],
  [` 0x${HASH.toUpperCase()} `, { kind: "hash", hash: HASH }],
  ["1,276,152", { kind: "number", score: "1276152" }],
  ["1.276.152", { kind: "number", score: "1276152" }],
  ["-5", { kind: "other", text: "-5" }],
  ["hello", { kind: "other", text: "hello" }],
])("%j is searched as %o", (typed, term) => {
  expect(searchTermOf(typed)).toEqual(term);
});

it.each([
  ["lang=de", "svc-lang=es", "en", { locale: "de", isAsked: true }],
  ["lang=fr", "a=1; svc-lang=es", "en", { locale: "es", isAsked: false }],
  ["", undefined, "fr, de;q=0.5, en;q=0.4", { locale: "de", isAsked: false }],
  ["", "svc-lang=<x>", "es-MX", { locale: "es", isAsked: false }],
  ["", undefined, undefined, { locale: "en", isAsked: false }],
  ["", undefined, "de;q=0", { locale: "en", isAsked: false }],
])("%j, cookie %j and header %j choose %o", (query, cookie, acceptLanguage, chosen) => {
  expect(pageLocaleOf({ query, cookie, acceptLanguage })).toEqual(chosen);
});
