/** Receiving: payment requests as code and link, own addresses with names and sums, links from outside, and the camera. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { axeFaults } from "../testkit/axeFaults.ts";
import { launchBrowser } from "../testkit/browser.ts";
import { keepPictures } from "../testkit/keepPictures.ts";
import { openWallet } from "../testkit/openWallet.ts";
import { searchOrigin } from "../testkit/originData.ts";
import { filmOf, picturesOf, textOfDrawn } from "../signer/qrPictures.ts";
import { setScene } from "../testkit/scene.ts";
import type { WalletPage } from "../testkit/walletPage.ts";

const scene = setScene();
let wallet: WalletPage;
let own: string;
let folder: TemporaryFolder;

beforeAll(async () => {
  folder = temporaryFolder();
  wallet = await openWallet(scene, "a passphrase of the payee");
  await wallet.create();
  await wallet.earn();
  own = await wallet.address();
}, 300_000);

afterAll(() => folder?.remove());

const field = (name: string, page: Page = wallet.page) => page.getByLabel(name, { exact: true });

async function emptyForm(): Promise<void> {
  await wallet.goTo("Send");
  for (const name of ["To", "Amount", "Memo"]) await field(name).fill("");
}

/** Opens a link as another program does: it changes the address of the page. */
async function openLink(link: string): Promise<void> {
  await wallet.page.evaluate((text) => {
    location.hash = `#/send?payment=${encodeURIComponent(text)}`;
  }, link);
}

async function expectFormIs(to: string, amount: string, memo: string): Promise<void> {
  await expect.poll(() => field("To").inputValue()).toBe(to);
  expect(await field("Amount").inputValue()).toBe(amount);
  expect(await field("Memo").inputValue()).toBe(memo);
}

describe("a payment request", () => {
  test("is a code and a link with amount, memo and name, and the payer's form reads it", async () => {
    await wallet.goTo("Receive");
    await wallet.button("Ask for an amount").click();
    await field("Amount").fill("1,250.5");
    await field("Memo for the payment").fill("Order 17");
    await field("Your name").fill("Bakery & Co");
    const link = await wallet.page.getByTestId("payment-link").innerText();
    expect(link).toBe(`${own}?amount=1250.5&memo=Order%2017&label=Bakery%20%26%20Co`);
    expect(await textOfDrawn(wallet.page, "The payment request as a QR code")).toBe(link);
    await wallet.page.getByText("Asks for 1,250.5 coins").waitFor();
    expect(await axeFaults(wallet.page)).toEqual([]);
    await keepPictures(wallet.page, "request");

    await emptyForm();
    await field("To").fill(link);
    await expectFormIs(own, "1250.5", "Order 17");
    await wallet.page.getByText("It calls the payee “\u2068Bakery & Co\u2069”.").waitFor();
  });

  test("with an amount that is none is told at its field, and is no link", async () => {
    await wallet.goTo("Receive");
    await wallet.button("Ask for an amount").click();
    await field("Amount").fill("much");
    await wallet.page.getByText(/is not an amount/).waitFor();
    expect(await wallet.page.getByTestId("payment-link").count()).toBe(0);
    expect(await textOfDrawn(wallet.page, "The address as a QR code")).toBe(own);
    await wallet.button("Without a request").click();
  });
});

describe("own addresses", () => {
  const entries = () => wallet.page.getByTestId("own-address");

  test("are listed with what each received, and each can be shown again", async () => {
    await wallet.goTo("Receive");
    await wallet.button("New address").click();
    await entries().nth(1).waitFor();
    expect(await entries().first().innerText()).toContain("Nothing received yet");
    expect(await entries().nth(1).innerText()).toMatch(/[\d,.]+ coins in \d+ payments?/);
    expect(await wallet.page.getByTestId("address").innerText()).not.toBe(own);
    await wallet.button("Show address 1").click();
    expect(await wallet.page.getByTestId("address").innerText()).toBe(own);
  });

  test("keep their names over a reload and a new scan, and nobody reads them in the store", async () => {
    await wallet.goTo("Receive");
    await wallet.button("Name of address 1").click();
    await wallet.page.getByRole("textbox", { name: "Name of address 1" }).fill("  The shop ");
    await wallet.button("Save").click();
    const shop = entries().filter({ hasText: "The shop" });
    await shop.waitFor();
    expect(await axeFaults(wallet.page)).toEqual([]);
    await keepPictures(wallet.page, "addresses");

    await wallet.reload();
    await wallet.goTo("Receive");
    await shop.waitFor();
    await wallet.goTo("Settings");
    await wallet.button("From the beginning").click();
    await wallet.page.getByText("The scan has begun anew.").waitFor();
    await wallet.ready();
    await wallet.goTo("Receive");
    expect(await shop.innerText()).toContain("Address 1");
    const name = { name: "label", bytes: new TextEncoder().encode("The shop") };
    expect((await searchOrigin(wallet.page, [name])).findings).toEqual([]);
  });
});

describe("a link from outside", () => {
  const link = () => `${own}?amount=2.5&memo=Two%20loaves&label=Bakery`;

  test("fills in an empty form, says where it came from, and pays nothing", async () => {
    await emptyForm();
    await wallet.goTo("Home");
    await openLink(`web+${link()}`);
    await wallet.page.getByText("A payment link filled in this form").waitFor();
    await wallet.page.getByText(/It came from outside of this wallet/).waitFor();
    await expectFormIs(own, "2.5", "Two loaves");
    expect(new URL(wallet.page.url()).hash).toBe("#/send");
    expect(await axeFaults(wallet.page)).toEqual([]);
    await keepPictures(wallet.page, "link-filled");
    await wallet.goTo("History");
    await wallet.page.getByRole("radio", { name: "Sent" }).check();
    await wallet.page.getByText("No entry matches.").waitFor();
  });

  test("asks before it replaces what was typed", async () => {
    await emptyForm();
    await field("Memo").fill("typed by hand");
    await openLink(link());
    await wallet.page.getByText("A payment link wants to fill in this form").waitFor();
    await expectFormIs("", "", "typed by hand");
    expect(await axeFaults(wallet.page)).toEqual([]);
    await keepPictures(wallet.page, "link-asks");
    await wallet.button("Keep what I typed").click();
    await expectFormIs("", "", "typed by hand");
    await openLink(link());
    await wallet.button("Fill in the form").click();
    await expectFormIs(own, "2.5", "Two loaves");
  });

  test.each([
    ["with an amount twice", "?amount=1&amount=2", /twice/],
    ["with more than eight decimals", "?amount=0.000000001", /at most 8 decimals/],
    ["with a demand that nobody knows", "?req-escrow=1", /req-escrow/],
    ["that is a flood", `?memo=${"x".repeat(5_000)}`, /characters; at most/],
  ])("%s changes nothing and is told of", async (_, query, sentence) => {
    await emptyForm();
    await openLink(own + query);
    await wallet.page.getByText("A payment link could not be read").waitFor();
    await wallet.page.getByText(sentence).first().waitFor();
    await expectFormIs("", "", "");
  });

  test("waits for the unlock, says which page it came from, and is used once", async () => {
    const { page } = wallet;
    const { origin } = new URL(scene.node.url);
    await emptyForm();
    const target = `${scene.node.url}/wallet/?fresh#/send?payment=${encodeURIComponent(link())}`;
    await page.goto(target, { referer: `${origin}/explorer/` });
    await wallet.unlock();
    await page.getByText("A payment link filled in this form").waitFor();
    await page.getByText(`It came from ${origin}.`).waitFor();
    await expectFormIs(own, "2.5", "Two loaves");
    await wallet.reload();
    await wallet.goTo("Send");
    await expectFormIs("", "", "");
  });

  test("can be opened with this wallet where the browser allows it", async () => {
    await wallet.page.evaluate(() => {
      const asked: string[][] = [];
      Object.assign(globalThis, { asked });
      navigator.registerProtocolHandler = (...all) => void asked.push(all.map(String));
    });
    await wallet.goTo("Settings");
    await wallet.button("Open payment links here").click();
    await wallet.page.getByText(/The browser asks you/).waitFor();
    const prefix = own.slice(0, own.indexOf(":"));
    expect(await wallet.page.evaluate(() => Reflect.get(globalThis, "asked"))).toEqual([
      [`web+${prefix}`, `${scene.node.url}/wallet/#/send?payment=%s`],
    ]);
  });
});

describe("a code", () => {
  test("is read out of an image", async () => {
    await emptyForm();
    const [buffer] = await picturesOf(scene.browser, [own]);
    await wallet.button("Scan").click();
    const image = wallet.page.getByLabel("Image of the code");
    await image.setInputFiles({
      name: "code.png",
      mimeType: "image/png",
      buffer: buffer ?? Buffer.of(),
    });
    await expect.poll(() => field("To").inputValue()).toBe(own);
    expect(await wallet.page.getByRole("dialog").count()).toBe(0);
  });

  test("is read by the camera, which is off again afterwards; without a camera that is told", async () => {
    await wallet.goTo("Send");
    await wallet.button("Scan").click();
    await wallet.page.getByText(/The camera cannot be used/).waitFor();
    expect(await axeFaults(wallet.page)).toEqual([]);
    await keepPictures(wallet.page, "scan");
    await wallet.page.keyboard.press("Escape");

    const film = join(folder.path, "code.y4m");
    writeFileSync(film, filmOf([own], 30));
    const browser = await launchBrowser([
      "--use-fake-ui-for-media-stream",
      "--use-fake-device-for-media-stream",
      `--use-file-for-fake-video-capture=${film}`,
    ]);
    try {
      const payer = await openWallet({ browser, node: scene.node }, "a passphrase of the payer");
      await payer.create();
      await payer.goTo("Send");
      await payer.button("Scan").click();
      await expect.poll(() => field("To", payer.page).inputValue()).toBe(own);
      expect(await payer.page.locator("video").count()).toBe(0);
      expect(payer.watch.faults).toEqual([]);
      expect(payer.watch.strangers).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
