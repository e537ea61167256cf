/** The wallet page in three languages and all colours: found without fault by axe, on every width, and never half in English. */
import { german } from "@svc/web/i18n/de/german.ts";
import { en } from "@svc/web/i18n/en/en.ts";
import { spanish } from "@svc/web/i18n/es/spanish.ts";
import { ENGLISH, type Language } from "@svc/web/i18n/language.ts";
import { typedCoins } from "@svc/web/i18n/amounts/typedCoins.ts";
import type { Page, Route } from "playwright-core";
import { describe, expect, test } from "vitest";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { keepPictures } from "../testkit/keepPictures.ts";
import { MainThread } from "../testkit/mainThread.ts";
import { setScene } from "../testkit/scene.ts";
import { screenFaults } from "../testkit/screenFaults.ts";
import { WalletPage } from "../testkit/walletPage.ts";

const PASSPHRASE = "vier Wörter ohne Zusammenhang";
const AMOUNT = 150_000_000n;
/** Longest task that a person does not notice, in milliseconds of the processor. */
const LONG_TASK_MS = 50;

const scene = setScene();

/** A walk through the screens in one language, which collects their faults. */
class Walk {
  readonly faults: string[] = [];
  readonly #wallet: WalletPage;
  readonly #language: Language;

  private constructor(wallet: WalletPage, language: Language) {
    this.#wallet = wallet;
    this.#language = language;
  }

  /** Opens the page in a browser of this language, without a wallet. */
  static async begin(language: Language): Promise<Walk> {
    const context = await scene.browser.newContext({ locale: language.locale });
    return new Walk(await WalletPage.open(context, scene.node.url, PASSPHRASE), language);
  }

  get page(): Page {
    return this.#wallet.page;
  }

  /** A text of the language, without slots. */
  say(key: keyof typeof en): string {
    const message = this.#language.texts[key];
    return typeof message === "string" ? message : message.other;
  }

  async press(key: keyof typeof en): Promise<void> {
    await this.page.getByRole("button", { name: this.say(key), exact: true }).click();
  }

  /** Presses a button whose name begins with this text and goes on with its explanation. */
  async choose(key: keyof typeof en): Promise<void> {
    await this.page.getByRole("button", { name: this.say(key) }).click();
  }

  async fill(key: keyof typeof en, text: string): Promise<void> {
    await this.page.getByLabel(this.say(key), { exact: true }).fill(text);
  }

  async reads(key: keyof typeof en): Promise<void> {
    await this.page.getByText(this.say(key)).filter({ visible: true }).first().waitFor();
  }

  async goTo(key: "nav.home" | "nav.receive" | "nav.send" | "nav.history" | "nav.settings") {
    const menu = this.page.getByRole("navigation", { name: this.say("app.navigation") });
    await menu.getByRole("link", { name: this.say(key), exact: true }).click();
  }

  /** Looks at the screen that is shown. */
  async look(name: string): Promise<void> {
    const { locale } = this.#language;
    this.faults.push(...(await screenFaults(this.page, `${name} in ${locale}`)));
    const text = (await this.page.locator("body").innerText()).split("\n");
    const english = this.#englishOnly();
    for (const line of text) {
      if (english.has(line.trim())) this.faults.push(`${name} in ${locale} says: ${line}`);
    }
    await keepPictures(this.page, `${name}-${locale}`);
  }

  /** Ends the walk; gives all faults. */
  async end(): Promise<readonly string[]> {
    this.faults.push(...this.#wallet.watch.faults, ...this.#wallet.watch.strangers);
    await this.#wallet.close();
    return this.faults;
  }

  /** Texts of English that this language says otherwise. */
  #englishOnly(): ReadonlySet<string> {
    const { texts } = this.#language;
    const own = new Set<unknown>(Object.values(texts));
    const plain = Object.values<unknown>(en).filter((text) => typeof text === "string");
    return new Set(plain.filter((text) => !own.has(text)));
  }
}

/** From the first screen to the open wallet, whose seed is not written down yet. */
async function createWallet(walk: Walk): Promise<void> {
  await walk.reads("welcome.title");
  await walk.look("welcome");
  await walk.choose("welcome.restore");
  await walk.look("restore");
  await walk.press("form.back");
  await walk.choose("welcome.create");
  await walk.fill("passphrase.label", PASSPHRASE);
  await walk.fill("passphrase.again", PASSPHRASE);
  await walk.look("create");
  await walk.press("create.submit");
  await walk.press("backup.show");
  await walk.look("backup");
  await walk.press("backup.later");
  await walk.reads("status.ready");
}

/** Fills the form in and goes on to the review of the payment. */
async function reviewPayment(walk: Walk, address: string, locale: string): Promise<void> {
  await walk.goTo("nav.send");
  await walk.fill("send.to", address);
  await walk.fill("send.amount", typedCoins(AMOUNT, locale));
  await walk.fill("send.memo", "Zwei Brote");
  await walk.look("send");
  await walk.press("send.review");
  await walk.reads("send.reviewTitle");
  await walk.look("review");
}

/** Opens an entry of the history; what was mined on a day is shown one by one first. */
async function openEntry(page: Page): Promise<void> {
  const entry = page.locator("button[data-testid=history-row]").first();
  const mined = page.locator("a[data-testid=history-row]").first();
  await entry.or(mined).first().waitFor();
  if (!(await entry.isVisible())) await mined.click();
  await entry.click();
}

/** The screens of the open wallet, up to the one that asks for the passphrase again. */
async function walkThrough(walk: Walk, locale: string): Promise<void> {
  await walk.goTo("nav.receive");
  const address = await walk.page.getByTestId("address").innerText();
  await walk.look("receive");
  await walk.press("receive.mine");
  await walk.goTo("nav.home");
  await walk.page.getByTestId("spendable").filter({ hasText: /[1-9]/ }).waitFor();
  await walk.look("home");
  await walk.goTo("nav.history");
  await walk.page.getByTestId("history-row").first().waitFor();
  await walk.look("history");
  await openEntry(walk.page);
  await walk.page.getByRole("dialog").waitFor();
  await walk.look("detail");
  await walk.page.keyboard.press("Escape");
  await reviewPayment(walk, address, locale);
}

describe.each([ENGLISH, german, spanish])("in $locale", (language) => {
  test("every screen is whole, readable in all colours and fits all widths", async () => {
    const { locale } = language;
    const walk = await Walk.begin(language);
    await expect.poll(() => walk.page.locator("html").getAttribute("lang")).toBe(locale);
    await createWallet(walk);
    await walkThrough(walk, locale);
    await walk.goTo("nav.settings");
    await walk.look("settings");
    await walk.press("settings.lock");
    await walk.reads("unlock.title");
    await walk.look("unlock");
    expect(await walk.end()).toEqual([]);
  });
});

describe("the choice of a language", () => {
  test("changes all texts at once, is kept, and keeps what a typed amount is worth", async () => {
    const context = await scene.browser.newContext({ locale: "fr-FR" });
    const wallet = await WalletPage.open(context, scene.node.url, PASSPHRASE);
    const { page } = wallet;
    await wallet.create();
    const own = await wallet.address();
    await wallet.earn();
    await wallet.goTo("Send");
    await page.getByLabel("Amount", { exact: true }).fill("1,234.5");
    await wallet.goTo("Settings");
    const thread = IS_FULL ? await MainThread.watch(scene.browser, page) : null;
    await page.getByRole("radio", { name: "Deutsch" }).click();
    await page.getByRole("heading", { name: "Optionen" }).waitFor();
    if (IS_FULL) expect(await thread?.longestMs(LONG_TASK_MS)).toBeLessThanOrEqual(LONG_TASK_MS);
    expect(await page.locator("html").getAttribute("lang")).toBe("de");
    await page.getByRole("link", { name: "Senden", exact: true }).first().click();
    expect(await page.getByLabel("Betrag", { exact: true }).inputValue()).toBe("1234,5");

    await page.getByLabel("An", { exact: true }).fill(own);
    await page.getByLabel("Betrag", { exact: true }).fill("1234.567");
    await page.getByText("„1234.567“ ist kein Betrag").waitFor();
    await page.getByLabel("Betrag", { exact: true }).fill("1,5");
    await page.getByRole("button", { name: "Prüfen" }).click();
    await page.getByRole("button", { name: "1,5 Münzen senden" }).click();
    await page.getByRole("heading", { name: "Zahlung gesendet" }).waitFor();

    await page.reload();
    await page.getByRole("heading", { name: "Wallet entsperren" }).waitFor();
    await page.getByRole("radio", { name: "English" }).click();
    await wallet.unlock();
    await wallet.ready();
    await wallet.goTo("History");
    await wallet.row("1.5", "To yourself").first().waitFor();
    expect(wallet.watch.faults).toEqual([]);
    await context.close();
  });

  test("texts that come late or not at all leave the page in English, and that is said", async () => {
    const context = await scene.browser.newContext({ locale: "de-AT" });
    const held: Route[] = [];
    await context.route("**/german-*.js", (route) => void held.push(route));
    await context.route("**/spanish-*.js", (route) => route.abort());
    const { page } = await WalletPage.open(context, scene.node.url, PASSPHRASE);
    await page.getByRole("heading", { name: "Your own private wallet" }).waitFor();
    await page.getByRole("radio", { name: "Español" }).click();
    await page.getByRole("alert").getByText("cannot load the parts of its own").waitFor();
    expect(await page.getByRole("radio", { name: "English" }).isChecked()).toBe(true);
    expect(await page.locator("html").getAttribute("lang")).toBe("en");
    await context.unroute("**/german-*.js");
    await page.getByRole("radio", { name: "Deutsch" }).click();
    await Promise.all(held.map((route) => route.continue()));
    await page.getByRole("heading", { name: "Ihre eigene private Wallet" }).waitFor();
    expect(await page.getByRole("radio", { name: "Deutsch" }).isChecked()).toBe(true);
    await context.close();
  });

  test("colours of the system leave the marks on what is chosen", async () => {
    const context = await scene.browser.newContext({ forcedColors: "active" });
    const wallet = await WalletPage.open(context, scene.node.url, PASSPHRASE);
    const bordersOf = (shown: string) =>
      wallet.page
        .locator(shown)
        .evaluateAll((all) => all.map((each) => getComputedStyle(each).borderTopWidth));
    await wallet.page.getByRole("radio").first().waitFor();
    expect(await bordersOf("input:checked + span")).toEqual(["2px"]);
    expect(await bordersOf("input:not(:checked) + span")).toEqual(["0px", "0px"]);
    await wallet.create();
    expect(await bordersOf("nav a[aria-current=page]")).toEqual(["2px"]);
    await context.close();
  });
});
