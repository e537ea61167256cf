/** Payment requests: as code and link of the payee, and what links from outside do to the payer's form. */
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { page } from "vitest/browser";
import { drawnText } from "../testkit/drawnText.ts";
import type { FakeWorkers } from "../testkit/fakeWorkers.ts";
import { ModelWallet } from "../testkit/modelWallet.ts";
import { screenFaults } from "../testkit/screenFaults.ts";
import { showWallet } from "../testkit/showWallet.ts";
import { button, field, goTo, textOf } from "../testkit/walletScreen.ts";

/** 14 November 2023, 22:13:20 UTC, and an hour before it. */
const END_MS = 1_700_000_000_000;
const NOW_MS = END_MS - 3_600_000;

async function open(hash: string): Promise<{ own: string; workers: FakeWorkers }> {
  vi.setSystemTime(NOW_MS);
  const model = await ModelWallet.open();
  const workers = await showWallet(model.snapshot(), { hash, wallet: model.answers() });
  return { own: model.own, workers };
}

/** Opens a link as another program does: it changes the address of the page. */
function openLink(link: string): void {
  location.hash = `#/send?payment=${encodeURIComponent(link)}`;
}

/** The text of the code with this name. */
function drawn(label: string): string {
  const svg = page.getByRole("img", { name: label }).element();
  const size = Number(svg.getAttribute("viewBox")?.split(" ")[3]);
  return drawnText(size, svg.querySelector("path")?.getAttribute("d") ?? "");
}

async function expectFormIs(to: string, amount: string, memo: string): Promise<void> {
  await expect.element(field("To")).toHaveValue(to);
  await expect.element(field("Amount")).toHaveValue(amount);
  await expect.element(field("Memo")).toHaveValue(memo);
}

describe("a payment request", () => {
  test("is a code and a link with amount, memo and name, and the payer's form reads it", async () => {
    const { own } = await open("#/receive");
    await button("Ask for an amount").click();
    await field("Amount").fill("1,250.5");
    await field("Memo for the payment").fill("Order 17");
    await field("Your name").fill("Bakery & Co");
    const link = `${own}?amount=1250.5&memo=Order%2017&label=Bakery%20%26%20Co`;
    await expect.poll(() => textOf(page.getByTestId("payment-link"))).toBe(link);
    expect(drawn("The payment request as a QR code")).toBe(link);
    await expect.element(page.getByText("Asks for 1,250.5 coins")).toBeVisible();
    expect(await screenFaults("request")).toEqual([]);

    await goTo("Send");
    await field("To").fill(link);
    await expectFormIs(own, "1250.5", "Order 17");
    const calls = "It calls the payee “\u2068Bakery & Co\u2069”.";
    await expect.element(page.getByText(calls)).toBeVisible();
  });

  test("with an amount that is none is told at its field, and is no link", async () => {
    const { own } = await open("#/receive");
    await button("Ask for an amount").click();
    await field("Amount").fill("much");
    await expect.element(page.getByText(/is not an amount/)).toBeVisible();
    expect(page.getByTestId("payment-link").query()).toBeNull();
    expect(drawn("The address as a QR code")).toBe(own);
  });

  test("with an end says until when, and the payer is warned once that has passed", async () => {
    const { own } = await open("#/receive");
    await button("Ask for an amount").click();
    await field("Amount").fill("2");
    await field("Valid for").selectOptions("1 hour");
    await expect.element(page.getByText(/^Until /)).toBeVisible();
    const link = `${own}?amount=2&expires=${END_MS / 1_000}`;
    await expect.poll(() => textOf(page.getByTestId("payment-link"))).toBe(link);
    expect(await screenFaults("request-validity")).toEqual([]);

    const warning = page.getByText("This request has ended");
    await goTo("Send");
    await field("To").fill(link);
    await expect.element(field("Amount")).toHaveValue("2");
    expect(warning.query()).toBeNull();
    await field("To").fill(link.replace(/expires=\d+/, "expires=1600000000"));
    await expect.element(warning).toBeVisible();
    await expect.element(page.getByText(/wanted to be paid until Sep 13, 2020/)).toBeVisible();
    await expect.element(field("To")).toHaveValue(own);
    expect(await screenFaults("request-ended")).toEqual([]);
    await field("To").fill(own);
    await expect.element(warning).not.toBeInTheDocument();
  });
});

describe("a link from outside", () => {
  const linkTo = (own: string) => `${own}?amount=2.5&memo=Two%20loaves&label=Bakery`;

  test("fills in an empty form, says where it came from, and pays nothing", async () => {
    const { own, workers } = await open("#/");
    openLink(`web+${linkTo(own)}`);
    await expect.element(page.getByText("A payment link filled in this form")).toBeVisible();
    await expect.element(page.getByText(/It came from outside of this wallet/)).toBeVisible();
    await expectFormIs(own, "2.5", "Two loaves");
    expect(location.hash).toBe("#/send");
    expect(workers.callsOf("send")).toEqual([]);
    expect(await screenFaults("link-filled")).toEqual([]);
  });

  test("asks before it replaces what was typed", async () => {
    const { own } = await open("#/send");
    await field("Memo").fill("typed by hand");
    openLink(linkTo(own));
    const asks = page.getByText("A payment link wants to fill in this form");
    await expect.element(asks).toBeVisible();
    await expectFormIs("", "", "typed by hand");
    expect(await screenFaults("link-asks")).toEqual([]);
    await button("Keep what I typed").click();
    await expect.element(asks).not.toBeInTheDocument();
    await expectFormIs("", "", "typed by hand");
    openLink(linkTo(own));
    await button("Fill in the form").click();
    await expectFormIs(own, "2.5", "Two loaves");
  });

  test.each([
    ["with an amount twice", "?amount=1&amount=2", /twice/],
    ["with more than eight decimals", "?amount=0.000000001", /at most 8 decimals/],
    ["with a demand that nobody knows", "?req-escrow=1", /req-escrow/],
    ["that is a flood", `?memo=${"x".repeat(5_000)}`, /characters; at most/],
  ])("%s changes nothing and is told of", async (_, query, sentence) => {
    const { own } = await open("#/send");
    openLink(own + query);
    await expect.element(page.getByText("A payment link could not be read")).toBeVisible();
    await expect.element(page.getByText(sentence).first()).toBeVisible();
    await expectFormIs("", "", "");
  });

  test("can be opened with this wallet where the browser allows it", async () => {
    const asked: string[][] = [];
    Object.defineProperty(navigator, "registerProtocolHandler", {
      value: (...all: readonly string[]) => asked.push([...all]),
      configurable: true,
    });
    onTestFinished(() => void Reflect.deleteProperty(navigator, "registerProtocolHandler"));
    const { own } = await open("#/settings");
    await button("Open payment links here").click();
    await expect.element(page.getByText(/The browser asks you/)).toBeVisible();
    const prefix = own.slice(0, own.indexOf(":"));
    const target = `${location.origin}${location.pathname}#/send?payment=%s`;
    expect(asked).toEqual([[`web+${prefix}`, target]]);
  });
});
