import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { en } from "./en/en.ts";
import { fillMessage } from "./message.ts";
import { t } from "./translate.ts";

const WEB = join(import.meta.dirname, "..");

/** The text of every source file of the pages but the catalogues themselves. */
function sources(): string {
  return readdirSync(WEB, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path) && !/(^|\/)(dist|node_modules)\//.test(path))
    .filter((path) => !/i18n\/(en[A-Z]?\w*|\w+\/\w+)\.ts$/.test(path) && !path.includes(".test."))
    .map((path) => readFileSync(join(WEB, path), "utf8"))
    .join("\n");
}

describe("messages", () => {
  test("fills slots and groups numbers", () => {
    expect(t("amount.withUnit", { amount: "1.5", unit: "coins" })).toBe("1.5 coins");
    expect(t("status.behind", { count: 12_345n })).toBe("12,345 blocks to go");
  });

  test("chooses the plural form", () => {
    expect(t("time.seconds", { count: 1 })).toBe("1 second");
    expect(t("time.seconds", { count: 0 })).toBe("0 seconds");
    expect(fillMessage({ one: "{count} a", other: "{count} b" }, { count: 2 }, "en")).toBe("2 b");
  });

  test("a slot without a value is visible", () => {
    expect(fillMessage("to {name}", {}, "en")).toBe("to ?");
  });

  test("missing keys, missing slots and extra slots do not compile", () => {
    // @ts-expect-error there is no such key
    expect(() => t("no.such.key")).toThrow(TypeError);
    // @ts-expect-error the slot is missing
    expect(t("amount.withUnit")).toContain("?");
    // @ts-expect-error the message has no slots
    expect(t("app.title", { x: 1 })).toBe("Wallet");
  });

  test("every text is used", () => {
    const text = sources();
    const unused = Object.keys(en).filter((key) => !text.includes(`"${key}"`));
    expect(unused).toEqual([]);
  });
});
