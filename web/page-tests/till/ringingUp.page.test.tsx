/** A till that is signed in: its form, what it says of what is missing or refused, and the sale that it shows. */
import { tillPage } from "@svc/shared/gateway/pos/posPage.ts";
import { exampleCheckout, PAID_SUMS } from "@svc/shared/gateway/testkit/exampleCheckout.ts";
import type { TillRecord } from "@svc/shared/gateway/till/tillRecordOf.ts";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import { posPart } from "../../pos/posPart.ts";
import { startTill } from "../../pos/till.ts";
import { button } from "../testkit/walletScreen.ts";
import { gatewayFaults } from "../testkit/gatewayFaults.ts";
import { POLL_MS } from "../testkit/pollMs.ts";
import {
  showGatewayPage,
  type GatewayAnswer,
  type ShownGatewayPage,
} from "../testkit/showGatewayPage.ts";
import { posFrame, pricedTill, saleAnswer } from "./testkit/tillPages.ts";

const ID = exampleCheckout.id;
const NOW_MS = 1_785_056_760_000;
const RATE_TIMERS = ["setInterval", "clearInterval"] as const;
const OFFLINE = /No connection to the gateway/;

/** Answers as a gateway does that makes the sale and shows its checkout. */
const sells: GatewayAnswer = ({ method, path }) => {
  if (path === `/checkout/${ID}`) return saleAnswer();
  return method === "POST" && path === "/pos/v1/sales" ? Response.json({ id: ID }) : null;
};

function refuses(status: number, code: string): GatewayAnswer {
  return () => Response.json({ code }, { status });
}

function showTill(
  answer: GatewayAnswer = sells,
  tag = "en",
  till: TillRecord = pricedTill,
): ShownGatewayPage {
  const shown = showGatewayPage(tillPage(till, posFrame(tag)), answer);
  startTill(posPart());
  return shown;
}

/** Presses keys of the keypad. */
async function press(keys: string): Promise<void> {
  for (const key of keys) await page.getByRole("button", { name: key, exact: true }).click();
}

const idOfFocus = () => document.activeElement?.id;
const textOf = (id: string) => document.querySelector(`#${id}`)?.textContent;
const alert = (text: string | RegExp) => page.getByRole("alert").getByText(text);
const salesOf = ({ calls }: ShownGatewayPage) =>
  calls.filter(({ path }) => path === "/pos/v1/sales");

/** Does not open an event stream: the gateway tells nothing. */
class SilentSource extends EventTarget {
  close(): void {}
}

beforeEach(() => {
  // A till asks for its rate again and again, for as long as its page is there.
  vi.useFakeTimers({ toFake: [...RATE_TIMERS] });
  vi.stubGlobal("EventSource", SilentSource);
});

describe("the form", () => {
  test("adds a tip in percent, and says what that is about in coins and by which rate", async () => {
    const shown = showTill();
    await expect.element(page.getByText(/^1 coin = €8\.00 \(operator, 11:06/)).toBeVisible();
    await press("20");
    await page.getByRole("radio", { name: "10" }).click();
    expect(textOf("to-pay")).toBe("€22.00");
    expect(textOf("about")).toBe("about 2.75\u00a0coins");
    await button("Charge").click();
    await expect
      .poll(() => salesOf(shown).map(({ body }) => body))
      .toEqual([{ price: { currency: "EUR", value: "20.00", tip: "2.00" } }]);
  });

  test("takes coins and a tip of one's own, with a comma from the keyboard", async () => {
    const shown = showTill();
    await page.getByRole("radio", { name: "coins" }).click();
    await page.getByLabelText("Amount", { exact: true }).fill("1,5");
    await page.getByRole("radio", { name: "Other" }).click();
    await page.getByLabelText("Amount of the tip").fill("0.25");
    expect(textOf("to-pay")).toBe("1.75\u00a0coins");
    await userEvent.keyboard("{Enter}");
    await expect
      .poll(() => salesOf(shown).map(({ body }) => body))
      .toEqual([{ amountSompi: "150000000", tipSompi: "25000000" }]);
  });

  test("is worked by keyboard alone", async () => {
    const shown = showTill();
    expect(idOfFocus()).toBe("amount");
    await userEvent.keyboard("12.50");
    document.querySelector<HTMLElement>("[name=tip]")?.focus();
    await userEvent.keyboard("{ArrowRight}");
    expect(textOf("to-pay")).toBe("€13.13");
    document.querySelector<HTMLElement>("#charge")?.focus();
    await userEvent.keyboard("{Enter}");
    await expect.poll(idOfFocus).toBe("new-sale");
    expect(salesOf(shown)).toHaveLength(1);
    await userEvent.keyboard("{Enter}");
    await expect.poll(idOfFocus).toBe("amount");
    expect(page.getByLabelText("Amount", { exact: true }).element()).toHaveProperty("value", "");
  });

  test.each([
    ["en", "Charge", "Please enter an amount."],
    ["de", "Berechnen", "Bitte geben Sie einen Betrag ein."],
    ["es", "Cobrar", "Escriba un importe."],
  ])("says in %s that there is no amount", async (tag, charge, text) => {
    const shown = showTill(sells, tag);
    document.querySelector<HTMLElement>("#charge")?.focus();
    await button(charge).click();
    await expect.element(alert(text)).toBeVisible();
    expect(idOfFocus()).toBe("amount");
    expect(salesOf(shown)).toEqual([]);
  });

  test("says that a tip is missing, in a form that everybody can read and press", async () => {
    const shown = showTill();
    await press("20");
    await page.getByRole("radio", { name: "Other" }).click();
    await button("Charge").click();
    await expect.element(alert("Please enter the tip as an amount")).toBeVisible();
    expect(idOfFocus()).toBe("tip");
    expect(salesOf(shown)).toEqual([]);
    expect(await gatewayFaults("tip missing")).toEqual([]);
  });

  test.each<readonly [string, GatewayAnswer, string | RegExp]>([
    ["no connection", () => null, OFFLINE],
    ["no more addresses", refuses(409, "gateway/no-address"), /is not ready for a new sale/],
    [
      "an amount above the gateway's bound",
      refuses(400, "amount/too-large"),
      "This amount is too large.",
    ],
    ["an old rate", refuses(409, "gateway/price-stale"), "The price in EUR is too old."],
    ["too many tries", refuses(429, "http/too-many-requests"), "Too many tries at once."],
    ["a fault", refuses(500, "gateway/other"), "This does not work at the moment."],
    ["no JSON", () => new Response("<p>"), OFFLINE],
  ])("says what is wrong: %s", async (_, answer, text) => {
    showTill(answer);
    await press("8");
    await button("Charge").click();
    await expect.element(alert(text)).toBeVisible();
    await expect.element(button("Charge")).toBeEnabled();
    expect(textOf("to-pay")).toBe("€8.00");
  });
});

describe("a sale whose answer is lost", () => {
  test("is asked for again by the same key, within two minutes and with the same sum alone", async () => {
    vi.useFakeTimers({ toFake: ["Date", ...RATE_TIMERS], now: NOW_MS });
    const shown = showTill(() => null);
    await press("8");
    const lose = async () => {
      const before = salesOf(shown).length;
      await button("Charge").click();
      await expect.poll(() => salesOf(shown).length).toBe(before + 1);
      await expect.element(button("Charge")).toBeEnabled();
      await expect.element(alert(OFFLINE)).toBeVisible();
    };
    await lose();
    await lose();
    // Waits for the page move the clock a little.
    const now = vi.getMockedSystemTime() ?? new Date(NOW_MS);
    vi.setSystemTime(now.getTime() + PAGE_LIMITS.posSameSaleMs);
    await lose();
    await press("0");
    await lose();
    const keys = salesOf(shown).map(({ key }) => key);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(new Set(keys).size).toBe(3);
  });

  test("is another one once the form was cleared", async () => {
    const shown = showTill(() => null);
    await press("8");
    await button("Charge").click();
    await expect.element(alert(OFFLINE)).toBeVisible();
    shown.answer = sells;
    // The sale before is looked at once more, and left for a new one.
    location.hash = ID;
    await button("New sale").click();
    await press("8");
    await button("Charge").click();
    await expect.element(button("New sale")).toBeVisible();
    const [lost, made] = salesOf(shown).map(({ key }) => key);
    expect(made).not.toBe(lost);
  });
});

describe("the sale in sight", () => {
  test.each<readonly [string, GatewayAnswer]>([
    ["nothing comes back", () => null],
    ["status 429", () => new Response("", { status: 429 })],
    ["status 503", () => new Response("", { status: 503 })],
    ["a page without a checkout", () => new Response("<p>another page</p>")],
  ])("stays there while its checkout does not come: %s", async (_, answer) => {
    history.replaceState(null, "", `#${ID}`);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", ...RATE_TIMERS] });
    const shown = showTill(answer);
    await vi.waitFor(() => expect(textOf("sale-problem")).toContain("is tried again"), {
      timeout: POLL_MS,
    });
    expect(document.querySelector("#charge")?.checkVisibility()).toBe(false);
    expect(location.hash).toBe(`#${ID}`);
    shown.answer = sells;
    await vi.advanceTimersByTimeAsync(PAGE_LIMITS.checkoutPollFirstMs);
    await vi.waitFor(
      () => expect(document.querySelector("main#checkout")).toHaveProperty("dataset.id", ID),
      { timeout: POLL_MS },
    );
    expect(textOf("sale-problem")).toBe("");
    expect(salesOf(shown)).toEqual([]);
  });

  test("is left for the keypad where the gateway does not have it", async () => {
    history.replaceState(null, "", `#${ID}`);
    showTill(() => new Response("", { status: 404 }));
    await expect.element(alert("This sale cannot be shown now.")).toBeVisible();
    await expect.element(button("Charge")).toBeVisible();
    expect(location.hash).toBe("");
  });

  test.each([
    ["waits", {}],
    ["has a part", { status: "partial", ...PAID_SUMS.part }],
    ["is paid", { status: "paid", ...PAID_SUMS.all, confirmations: 3 }],
    ["is confirmed", { status: "confirmed", ...PAID_SUMS.all }],
  ] as const)("can be read and pressed by everybody while it %s", async (name, checkout) => {
    history.replaceState(null, "", `#${ID}`);
    showTill(() => saleAnswer(checkout));
    await expect.element(button("New sale")).toBeVisible();
    await expect.poll(idOfFocus).toBe("new-sale");
    expect(await gatewayFaults(name)).toEqual([]);
  });
});
