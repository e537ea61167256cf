import { afterEach, describe, expect, test } from "vitest";
import { german } from "./de/german.ts";
import { en } from "./en/en.ts";
import { spanish } from "./es/spanish.ts";
import { amountText, dateText, durationText, permilleText, workTimeText } from "./format.ts";
import { ENGLISH, setLanguage } from "./language.ts";
import { loadLanguage } from "./loadLanguage.ts";
import type { Message } from "./message.ts";
import { t } from "./translate.ts";

const FOREIGN = [german, spanish];

/** The forms of a message, each with its slots in the order of their names. */
function slotsOf(message: Message): Readonly<Record<string, readonly string[]>> {
  const forms = typeof message === "string" ? { text: message } : message;
  const entries = Object.entries(forms).map(
    ([form, text]) => [form, [...new Set(text.match(/\{\w+\}/g))].toSorted()] as const,
  );
  return Object.fromEntries(entries);
}

afterEach(() => setLanguage(ENGLISH));

describe.each(FOREIGN)("the catalogue of $locale", ({ locale, texts }) => {
  const messages = Object.entries<Message>(texts);

  test("has the keys of English, and no others", () => {
    expect(messages.map(([key]) => key).toSorted()).toEqual(Object.keys(en).toSorted());
  });

  test("has the plurals and the slots of English in each message", () => {
    const own: Readonly<Record<string, Message>> = texts;
    for (const [key, message] of Object.entries<Message>(en)) {
      const [expected, found] = [slotsOf(message), slotsOf(own[key] ?? "")];
      expect(Object.keys(found), key).toEqual(Object.keys(expected));
      expect(found["other"] ?? found["text"], key).toEqual(expected["other"] ?? expected["text"]);
      // Of one thing some languages need no number, so the slot may be missing there.
      for (const slot of found["one"] ?? []) expect(expected["other"], key).toContain(slot);
    }
  });

  test("says no sentence in English by oversight, and none with its marks", () => {
    const own: Readonly<Record<string, Message>> = texts;
    for (const [key, message] of Object.entries<Message>(en)) {
      const words = typeof message === "string" ? message.match(/(?<!\{)\b[a-z]{2,}/gi) : null;
      if ((words?.length ?? 0) > 3) expect(own[key], key).not.toBe(message);
      expect(JSON.stringify(own[key]), key).not.toMatch(locale === "de" ? /[”’]/ : /[“”„’]/);
    }
  });

  test("is loaded by its name", async () => {
    expect((await loadLanguage(locale)).texts).toBe(texts);
  });
});

describe("a page in another language", () => {
  test("says its texts, plurals, numbers and dates in it, and in English again afterwards", () => {
    setLanguage(german);
    expect(t("status.behind", { count: 12_345n })).toBe("noch 12.345 Blöcke");
    expect(amountText(2_694_765_500_000n)).toBe("26.947,655 Münzen");
    expect(permilleText(453)).toBe("45,3\u00A0%");
    expect(durationText(200_000)).toBe("2 Tage");
    expect(workTimeText(1_049_000n)).toBe("etwa 17 Minuten");
    expect(dateText(new Date(2026, 4, 3, 12).getTime())).toBe("03.05.2026, 12:00");
    setLanguage(spanish);
    expect(t("status.behind", { count: 1 })).toBe("queda 1 bloque");
    expect(amountText(100_000_000n)).toBe("1 moneda");
    expect(amountText(50_000_000n)).toBe("0,5 monedas");
    setLanguage(ENGLISH);
    expect(t("status.behind", { count: 1 })).toBe("1 block to go");
  });
});
