/** Words of checked receipts: what they stand on, and why they are refused, in each language of the explorer. */
import { describe, expect, it } from "vitest";
import { PAGE_LOCALES } from "@svc/shared/explorer/pageLocale.ts";
import { readReceiptFacts } from "@svc/shared/protocol/facts/receiptFacts.ts";
import { checkTexts } from "../checkTexts.ts";
import {
  anchorText,
  mayBeLeft,
  measureText,
  receiptLines,
  refusalText,
  standingText,
} from "./receiptWords.ts";

const HASH = "ab".repeat(32);
const told = {
  grade: "work",
  recipient: "01".repeat(43),
  value: "123450000000",
  position: 7,
  block: HASH,
  blueScore: "1000",
  time: "1800000000000",
  depth: "600",
  header: HASH,
  bits: 0x1d00_ffff,
  headerTime: "1800000600000",
  work: "1e240",
  blocks: null,
  challenge: null,
  disclosure: null,
};
const shownOf = (over: Record<string, unknown> = {}) => ({
  facts: readReceiptFacts(JSON.stringify({ ...told, ...over })),
  address: "svc:bob",
});
const english = { texts: checkTexts("en"), locale: "en" } as const;

describe("the words of a receipt", () => {
  it("show who was paid how much, and in which block or before", () => {
    const lines = receiptLines(shownOf(), english).map(({ value }) => value);
    expect(lines).toContain("svc:bob");
    expect(lines).toContain("1,234.5 coins");
    expect(lines).toContain(`in block ${HASH} or before`);
    expect(lines).toContain("January 15, 2027 at 8:00:00 AM UTC, as its miner told it");
  });

  it("say what it takes to make one up, by its grade", () => {
    const asksForWork = true;
    expect(standingText({ shown: shownOf(), asksForWork }, english)).toContain(
      "takes 123,000 hashes on average",
    );
    expect(standingText({ shown: shownOf({ grade: "chain" }), asksForWork }, english)).toContain(
      "at least 123,000 hashes of work above it",
    );
    expect(standingText({ shown: shownOf(), asksForWork: false }, english)).toBe(
      "This network proves nothing: its blocks cost no work.",
    );
  });

  it("say how long that takes, and what a lucky day makes of one header", () => {
    const network = { asksForWork: true, blockTimeMs: 1_000n };
    const measured = (over: Record<string, unknown>) =>
      measureText({ shown: shownOf({ blocks: "4320", ...over }), ...network }, english);
    expect(measured({})).toBe(
      "The whole network makes one such block in 72 minutes on average. A miner with 5 % of it needs 24 hours, and has one within a day with a chance of 63%.",
    );
    expect(measured({ grade: "chain", blocks: "172800" })).toBe(
      "That is 2 days of the whole network's work.",
    );
    expect(measured({ blocks: null })).toMatch(/^This program knows no work of this network/);
    const free = { shown: shownOf(), asksForWork: false, blockTimeMs: 1_000n };
    expect(measureText(free, english)).toBe("");
    for (const locale of PAGE_LOCALES) {
      const texts = { texts: checkTexts(locale), locale };
      expect(measureText({ shown: shownOf({ blocks: "9" }), ...network }, texts)).toContain("5 %");
    }
  });

  it("warn of a branch that may have been left, unless a tip was checked", () => {
    const asksForWork = true;
    expect(mayBeLeft({ shown: shownOf({ depth: "99" }), asksForWork })).toBe(true);
    expect(mayBeLeft({ shown: shownOf({ depth: "100" }), asksForWork })).toBe(false);
    expect(mayBeLeft({ shown: shownOf({ depth: "9", grade: "chain" }), asksForWork })).toBe(false);
  });

  it("keep a foreign text apart from who signed it", () => {
    const text = "me”, signed by who was paid";
    const lines = receiptLines(shownOf({ challenge: { text, isAnswered: false } }), english);
    expect(lines).toContainEqual({ label: "Made for", value: text });
    expect(lines.find(({ label }) => label === "Signed by")?.value).toMatch(/^nobody: /);
  });

  it("do not fail at a time that no calendar has", () => {
    const lines = receiptLines(shownOf({ time: "18446744073709551615" }), english);
    expect(lines.map(({ value }) => value)).toContain("18446744073709551615, as its miner told it");
  });
});

describe.each(PAGE_LOCALES)("in %s", (locale) => {
  const texts = checkTexts(locale);

  it("each way to be refused has its own sentence, with the code", () => {
    const codes = [
      "evidence/other-network",
      "evidence/other-challenge",
      "keys/bad-signature",
      "airgap/frame-checksum",
      "codec/not-canonical",
      "evidence/not-in-tree",
    ] as const;
    const sentences = codes.map((code) => refusalText({ code }, texts));
    expect(new Set(sentences).size).toBe(codes.length);
    for (const [index, code] of codes.entries()) expect(sentences[index]).toContain(code);
  });

  it("each way to have no chain has its own, and none calls the receipt false", () => {
    const codes = ["chain/unknown-block", "evidence/not-shown", "wallet/node-unreachable"] as const;
    const sentences = codes.map((code) => anchorText({ code }, texts));
    expect(new Set(sentences).size).toBe(codes.length);
    expect(sentences).not.toContain(refusalText({ code: "evidence/not-in-tree" }, texts));
  });
});
