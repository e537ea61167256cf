/** The checkout in each state of its invoice, and the pages in its place: whole, readable in both themes, in all widths, in three languages. */
import { checkoutPage, problemPage } from "@svc/shared/gateway/page/checkoutPage.ts";
import type { Checkout } from "@svc/shared/gateway/page/checkoutState.ts";
import { pageLanguage } from "@svc/shared/gateway/page/pageLanguage.ts";
import { exampleCheckout, PAID_SUMS } from "@svc/shared/gateway/testkit/exampleCheckout.ts";
import { describe, expect, test } from "vitest";
import { page } from "vitest/browser";
import { gatewayFaults } from "../testkit/gatewayFaults.ts";
import { showGatewayPage } from "../testkit/showGatewayPage.ts";

const { part, all, over } = PAID_SUMS;

const STATES: readonly (readonly [name: string, has: Partial<Checkout>])[] = [
  ["new", {}],
  ["new on a test network, without a shop's name or price", testShop()],
  ["seen in a pool", { seenSompi: "250000000" }],
  ["a part", { status: "partial", ...part }],
  ["a part, and the time is over", { status: "partial", ...part, expired: true }],
  ["a part, with more time", { status: "partial", ...part, expired: true, canTopUp: true }],
  ["paid", { status: "paid", ...all, confirmations: 3 }],
  ["paid too much and late", { status: "paid", ...over, late: true }],
  ["confirmed", { status: "confirmed", ...all, redirectUrl: "https://shop.example/thanks" }],
  ["confirmed, with receipts", { status: "confirmed", ...all, receiptUrls: receipts() }],
  ["overpaid", { status: "overpaid", ...over }],
  ["expired", { status: "expired", expired: true }],
  ["paid too late", { status: "paidLate", ...all, expired: true, late: true }],
];

function testShop(): Partial<Checkout> {
  return { livemode: false, network: "simnet", storeName: "", price: null };
}

function receipts(): readonly string[] {
  return ["first", "second"].map((name) => `https://pay.example/receipts/${name}`);
}

const frameOf = (tag: string) => ({
  ...{ language: pageLanguage(tag, undefined), nonce: "00ff", script: null },
});

async function expectWhole(name: string, tag: string): Promise<void> {
  await expect.element(page.getByRole("heading", { level: 1 })).toBeVisible();
  expect(document.querySelectorAll("main")).toHaveLength(1);
  expect(document.documentElement.lang).toBe(tag);
  expect(document.body.innerText).not.toMatch(/NaN|undefined|\{\w+\}/);
  expect(await gatewayFaults(name)).toEqual([]);
}

describe.each(["en", "de", "es"])("in %s", (tag) => {
  test.each(STATES)("%s", async (name, has) => {
    const place = { frameOrigins: [], hasSocket: false };
    showGatewayPage(checkoutPage({ ...exampleCheckout, ...has }, frameOf(tag), place));
    await expectWhole(name, tag);
  });

  test.each(["missing", "busy", "fault"] as const)("no checkout: %s", async (problem) => {
    showGatewayPage(problemPage(problem, frameOf(tag)));
    await expectWhole(problem, tag);
  });
});

test.each(["light", "dark"] as const)("a shop's own colours, %s", async (scheme) => {
  const theme = { scheme, accent: "#7a1fa2" };
  const place = { frameOrigins: [], hasSocket: false };
  showGatewayPage(checkoutPage({ ...exampleCheckout, theme }, frameOf("en"), place));
  await expectWhole(scheme, "en");
});
