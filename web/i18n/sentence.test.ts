import { afterEach, describe, expect, test } from "vitest";
import { ERRORS } from "@svc/shared/base/errors.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { german } from "./de/german.ts";
import { spanish } from "./es/spanish.ts";
import { ENGLISH, setLanguage } from "./language.ts";
import { sentenceOf, sentenceOrNull } from "./sentence.ts";

/** Areas all of whose sentences are in every language. */
const COMPLETE = [
  "address",
  "amount",
  "chain",
  "engine",
  "evidence",
  "http",
  "internal",
  "keys",
  "live",
  "mempool",
  "prove",
  "queue",
  "run",
  "uri",
];
/** Areas of which the page shows a part: the rest belongs to other programs, and would be said in English. */
const PARTLY = ["codec", "store", "tx", "wallet"];

/** Errors of area `wallet` that only the daemon makes, or that only its files are about. */
const OF_THE_DAEMON =
  /approval|idempotency|scoped|token|cursor|day-limit|file-|graft|key-reused|compact|no-job|disclosure|no-secret|no-session|awaiting|viewing-key|not-allowed|preparing|prove-queue|rows-|scope|secret|wrong-signatures/;

const REGISTRY: Readonly<Record<string, { readonly sentence: string }>> = ERRORS;
const CODES = Object.keys(REGISTRY);

const slotsOf = (text: string) => [...new Set(text.match(/\{\w+\}/g))].toSorted();
const areaOf = (code: string) => code.slice(0, code.indexOf("/"));

afterEach(() => setLanguage(ENGLISH));

describe.each([german, spanish])("the sentences of errors in $locale", ({ sentences }) => {
  const said = Object.entries(sentences);

  test("have the slots of the registry's", () => {
    for (const [code, text] of said) {
      const english = REGISTRY[code]?.sentence ?? "";
      expect(slotsOf(text), code).toEqual(slotsOf(english));
      expect(text, code).not.toBe(english);
      expect(text, code).toMatch(/[.}]$/);
    }
  });

  test("are complete in these areas, and in no others", () => {
    const areas = [...new Set(CODES.map(areaOf))];
    const isComplete = (area: string) =>
      CODES.filter((code) => areaOf(code) === area).every((code) => code in sentences);
    expect(areas.filter(isComplete).toSorted()).toEqual(COMPLETE);
    const begun = new Set(said.map(([code]) => areaOf(code)));
    expect([...begun].toSorted()).toEqual([...COMPLETE, ...PARTLY].toSorted());
  });

  test("have every error of the wallet but the daemon's own", () => {
    const missing = CODES.filter((code) => areaOf(code) === "wallet" && !(code in sentences));
    expect(missing.filter((code) => !OF_THE_DAEMON.test(code))).toEqual([]);
  });
});

describe("a sentence", () => {
  const lack = new SvcError("wallet/insufficient-funds", { needed: "26947.655", spendable: "0" });

  test("is said in the language of the page, with its amounts", () => {
    expect(sentenceOf(lack.toJSON())).toBe(
      "26,947.655 coins are needed, fee included; 0 coins can be spent.",
    );
    setLanguage(german);
    expect(sentenceOf(lack.toJSON())).toBe(
      "Nötig sind 26.947,655 Münzen mit Gebühr; verfügbar sind 0 Münzen.",
    );
    setLanguage(spanish);
    expect(sentenceOf(lack.toJSON())).toContain("26.947,655");
  });

  test("is said in English where the language has none, and a field that is no amount stays as it is", () => {
    setLanguage(german);
    expect(sentenceOf(new SvcError("webhook/not-set-up", {}).toJSON())).toContain("webhooks");
    const data = { needed: "much", spendable: "" };
    expect(sentenceOf({ code: "wallet/insufficient-funds", data })).toContain("Nötig sind much");
  });

  test("is none without an error", () => {
    expect(sentenceOrNull(null)).toBeNull();
  });
});
