/** The wallet's screens as the browser review looked at them: "Ugly" 2 to 10 and 13, and what it says about accessibility. */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { axeFaults } from "../testkit/axeFaults.ts";
import { keepPictures } from "../testkit/keepPictures.ts";
import { openWallet } from "../testkit/openWallet.ts";
import { setScene } from "../testkit/scene.ts";
import type { WalletPage } from "../testkit/walletPage.ts";

/** Smallest side of a target (CSS pixels). */
const TARGET = 44;
const PHONE = { width: 390, height: 844 };
const DESK = { width: 1_280, height: 800 };
const SCREENS = ["Home", "Receive", "Send", "History", "Settings"] as const;
/** A memo that shows "abc" backwards where nobody takes care. */
const TURNED = "\u202ecba\u202c for bread";

const scene = setScene();
let wallet: WalletPage;
let own: string;

beforeAll(async () => {
  wallet = await openWallet(scene, "a passphrase of the owner");
  await wallet.create();
}, 300_000);

/** Whatever can be pressed and is smaller than a fingertip, as its text and size. Links in running text may be. */
function smallTargets(page: Page): Promise<readonly string[]> {
  return page.evaluate((least) => {
    const pressed = document.querySelectorAll("button, a[href], input, select, textarea, summary");
    return [...pressed].flatMap((element) => {
      const label = element.closest("label") ?? element;
      const { width, height } = label.getBoundingClientRect();
      const isShown = width > 1 && height > 1 && element.checkVisibility();
      const isInText = element.closest("p") !== null || element.classList.contains("skip-link");
      if (!isShown || isInText || (width >= least && height >= least)) return [];
      return [`${element.textContent || element.getAttribute("aria-label")}: ${width}×${height}`];
    });
  }, TARGET);
}

async function expectFaultless(name: string): Promise<void> {
  const { page } = wallet;
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeFaults(page), `${name}, ${colorScheme}`).toEqual([]);
  }
  for (const size of [PHONE, DESK]) {
    await page.setViewportSize(size);
    expect(await smallTargets(page), `${name}, ${size.width}`).toEqual([]);
    const overflow = () => document.documentElement.scrollWidth > innerWidth;
    expect(await page.evaluate(overflow), `${name}, ${size.width}`).toBe(false);
  }
  await keepPictures(page, name);
}

describe("a wallet that nobody has paid", () => {
  test("U4: shows no empty boxes, and the way to the first coins", async () => {
    await wallet.goTo("Home");
    await wallet.page.getByText("Nothing here yet").waitFor();
    await wallet.page.getByText(/Show your address to whoever pays you/).waitFor();
    await wallet.page.getByText(/you can have it mine to you/).waitFor();
    expect(await wallet.page.getByTestId("spendable").count()).toBe(0);
    expect(await wallet.page.getByText("Spendable soon").count()).toBe(0);
    await expectFaultless("home-empty");
  });

  test("U8: a phone has the lock and the explorer at hand, and asks nothing of its owner to reach them", async () => {
    await wallet.page.setViewportSize(PHONE);
    const top = wallet.page.getByRole("banner");
    expect(await top.getByRole("link", { name: "Explorer" }).getAttribute("href")).toBe(
      "/explorer/",
    );
    await top.getByRole("button", { name: "Lock" }).click();
    await wallet.unlock();
    await wallet.ready();
    await wallet.page.setViewportSize(DESK);
  });
});

describe("a wallet with coins", () => {
  beforeAll(async () => {
    own = await wallet.address();
    await wallet.earn();
  }, 120_000);

  test("an empty form is told what it lacks, a wrong address at once", async () => {
    await wallet.goTo("Send");
    await wallet.button("Review").click();
    await wallet.page.getByText("Whom to pay? Paste an address or a payment link.").waitFor();
    await wallet.page.getByLabel("To", { exact: true }).fill(`${own.slice(0, -1)}b`);
    await wallet.page.getByText(/cannot occur in an address/).waitFor();
    await wallet.page.getByLabel("To", { exact: true }).fill(own);
    await wallet.button("Review").click();
    await wallet.page.getByText("How much? Write it like 12.5.").waitFor();
  });

  test("a clipboard that the browser keeps to itself is told of", async () => {
    await wallet.goTo("Send");
    await wallet.page.evaluate(() => {
      const refuse = () => Promise.reject(new DOMException("no", "NotAllowedError"));
      Object.defineProperty(navigator.clipboard, "readText", { value: refuse, configurable: true });
    });
    await wallet.button("Paste").click();
    await wallet.page.getByText(/does not show the clipboard/).waitFor();
  });

  test("U10, U9: an amount may be typed as it is shown, and errors have such amounts", async () => {
    await wallet.goTo("Send");
    const amount = wallet.page.getByLabel("Amount", { exact: true });
    await wallet.page.getByLabel("To", { exact: true }).fill(own);
    await amount.fill("1,5");
    await wallet.page.getByText("Read as 1.5 coins").waitFor();
    await amount.fill("1,000,000,000");
    await wallet.page.getByText(/^1,000,000,000\.\d+ coins are needed, fee included/).waitFor();
  });

  test("U6, U7: review and end say what was paid to whom, the address in groups", async () => {
    await wallet.reviewPayment({ to: own, amount: "1.25", memo: TURNED });
    const main = wallet.page.getByRole("main");
    expect(await main.innerText()).toContain(own);
    expect(await main.innerText()).toContain("cba for bread");
    await expectFaultless("review");
    await wallet.page.getByRole("button", { name: /^Send / }).click();
    await wallet.sent();
    expect(await main.innerText()).toMatch(/1\.25\s*coins/);
    await main.getByText(/^To \w+:\w{8}…\w{8}$/).waitFor();
    await wallet.button("Copy the transaction id").waitFor();
    await expectFaultless("sent");
  });

  test("U2, U3, U13: rows stand under their day, mined ones of a day in one, and no memo turns them around", async () => {
    await wallet.goTo("History");
    const rows = wallet.page.getByTestId("history-row");
    await wallet.page.getByText("Today", { exact: true }).waitFor();
    const mined = rows.filter({ hasText: "Mined" });
    await mined.filter({ hasText: /\d+ blocks/ }).waitFor();
    expect(await mined.count()).toBe(1);
    const paid = rows.filter({ hasText: "cba for bread" });
    expect(await paid.innerText()).toMatch(/just now|minutes? ago/);
    expect(await paid.innerText()).not.toContain("\u202e");
    await expectFaultless("history");
    await mined.click();
    await expect.poll(() => mined.count()).toBeGreaterThan(1);
    expect(await wallet.page.getByRole("radio", { name: "Mined" }).isChecked()).toBe(true);
    await wallet.page.getByRole("radio", { name: "All" }).check();
    await paid.waitFor();
  });

  test("U6: a payment's details copy its name and lead to the explorer, which looks for it among others", async () => {
    await wallet.goTo("History");
    const paid = wallet.page.getByTestId("history-row").filter({ hasText: "cba for bread" });
    await paid.filter({ hasText: /Arriving|Confirmed/ }).click();
    await wallet.button("Copy the transaction id").waitFor();
    const link = wallet.page.getByRole("link", { name: "Look it up in the explorer" });
    expect(await link.getAttribute("href")).toMatch(/^\/explorer\/search#[0-9a-f]{64}$/);
    expect(await link.getAttribute("target")).toBe("_blank");
    await wallet.page.getByText(/its server does not learn which one/).waitFor();
    await expectFaultless("detail");
    await wallet.page.keyboard.press("Escape");
  });

  test("U13: where the system replaces colours a frame shows the current screen", async () => {
    await wallet.page.emulateMedia({ forcedColors: "active" });
    const current = wallet.page.getByRole("link", { name: "History", exact: true });
    const frame = await current.evaluate((link) => getComputedStyle(link).borderTopStyle);
    expect(frame).toBe("solid");
    await wallet.page.emulateMedia({ forcedColors: "none" });
  });

  test.each(SCREENS)(
    "%s has nothing that axe finds, and nothing too small to be pressed",
    async (screen) => {
      await wallet.goTo(screen);
      await wallet.ready();
      await expectFaultless(screen.toLowerCase());
    },
  );
});
