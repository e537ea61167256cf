import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { PAGE_LOCALES } from "@svc/shared/explorer/pageLocale.ts";
import { checkTexts } from "./checkTexts.ts";

/** Names of steps, reasons and subjects as the core writes them, by the calls that take them. */
function coreWords(call: RegExp): ReadonlySet<string> {
  const folder = new URL("../../../wasm-core/crates/consensus/src/checks/", import.meta.url);
  const found = new Set<string>();
  for (const file of ["block_check", "acceptance_check", "supply_check"]) {
    const text = readFileSync(new URL(`${file}.rs`, folder), "utf8");
    for (const [, word] of text.matchAll(call)) if (word !== undefined) found.add(word);
  }
  return found;
}

const outcome = "ok" as const;

describe.each(PAGE_LOCALES)("in %s", (locale) => {
  const texts = checkTexts(locale);

  it("every step of the core has a sentence", () => {
    const names = coreWords(/steps\s*\.(?:same|ok|ok_as|differs|not_provable)\(\s*"(\w+)"/g);
    expect(names.size).toBeGreaterThan(30);
    for (const step of names) {
      expect([step, texts.step({ subject: "block", step, outcome })]).not.toEqual([step, step]);
    }
  });

  it("every reason of the core has one", () => {
    const reasons = coreWords(/\.not_provable\(\s*"\w+",\s*"(\w+)"/g);
    expect(reasons.size).toBeGreaterThan(9);
    for (const reason of [...reasons, "native", "merged", "withinBounds"]) {
      const step = { subject: "block", step: "work", outcome, reason };
      expect([reason, texts.reason(step)]).not.toEqual([reason, reason]);
    }
  });

  it("every step about what a page shows has a sentence, and every reason there", () => {
    const found = new Map<string, string>();
    for (const file of ["auditSupply", "checkTransaction", "compareShown", "judgedSteps"]) {
      const text = readFileSync(new URL(`${file}.ts`, import.meta.url), "utf8");
      const calls = /(?:openStep\(\s*"shown",\s*|sameStep\(\s*)"(\w+)"(?:,\s*"(\w+)")?/g;
      for (const [, step = "", reason = ""] of text.matchAll(calls)) found.set(step, reason);
    }
    expect(found.size).toBeGreaterThan(8);
    for (const [step, reason] of found) {
      const told = { subject: "shown", step, outcome, reason };
      expect(texts.step(told)).not.toBe(texts.t("shown.field", { field: step }));
      if (/^[a-z]\w+$/.test(reason)) expect(texts.reason(told)).not.toBe(reason);
    }
  });

  it("every subject has a name", () => {
    const subjects = coreWords(/(?:about|turn_to|sound)\("(\w+)"/g);
    expect(subjects.size).toBeGreaterThan(5);
    for (const subject of subjects) {
      const step = { subject, step: "work", outcome };
      expect([subject, texts.subject(step)]).not.toEqual([subject, subject]);
    }
  });
});
