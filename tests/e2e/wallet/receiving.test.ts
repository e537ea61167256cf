/** Receiving: own addresses with names and sums, a link that waits for the unlock, and the camera. */
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
import { filmOf, picturesOf } from "../signer/qrPictures.ts";
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
});

afterAll(() => folder?.remove());

const field = (name: string, page: Page = wallet.page) => page.getByLabel(name, { exact: true });

async function emptyForm(): Promise<void> {
  await wallet.goTo("Send");
  for (const name of ["To", "Amount", "Memo"]) await field(name).fill("");
}

async function expectFormIs(to: string, amount: string, memo: string): Promise<void> {
  await expect.poll(() => field("To").inputValue()).toBe(to);
  expect(await field("Amount").inputValue()).toBe(amount);
  expect(await field("Memo").inputValue()).toBe(memo);
}

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
