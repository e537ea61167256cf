/**
 * Page object of the wallet page in Debian's own Firefox.
 *
 * Firefox is driven by WebDriver BiDi, which it speaks by itself, through puppeteer: playwright drives only builds of its
 * own.
 */
import puppeteer, {
  type Browser,
  type BrowserContext,
  type ElementHandle,
  type Page,
} from "puppeteer-core";
import { SEED_DIGITS } from "@svc/shared/wallet/state/seedText.ts";
import type { PaymentText } from "../testkit/walletPage.ts";
import { HANG_MS, STEP_HANG_MS } from "../../testkit/hangMs.ts";

/** Between two looks at a page. By the clock: a tab behind another one draws no frames. */
const LOOK_MS = 100;

/** `scripts/setup.sh` finds or installs one and leaves its path here. */
const EXECUTABLE = process.env["FIREFOX_PATH"] ?? "/usr/bin/firefox-esr";

/** Starts the browser. */
export function launchFirefox(): Promise<Browser> {
  return puppeteer.launch({
    browser: "firefox",
    executablePath: EXECUTABLE,
    headless: true,
    timeout: STEP_HANG_MS,
    protocolTimeout: HANG_MS,
  });
}

/** One wallet in one browser context. */
export class FirefoxWallet {
  readonly page: Page;
  /** Uncaught errors and errors in the console. */
  readonly faults: string[] = [];
  readonly #passphrase: string;

  private constructor(page: Page, passphrase: string) {
    this.page = page;
    this.#passphrase = passphrase;
    page.setDefaultTimeout(STEP_HANG_MS);
    page.on("pageerror", (error) => this.faults.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") this.faults.push(message.text());
    });
  }

  /** Opens the page in a context that has no wallet yet. */
  static async open(
    context: BrowserContext,
    url: string,
    passphrase: string,
  ): Promise<FirefoxWallet> {
    const wallet = new FirefoxWallet(await context.newPage(), passphrase);
    await wallet.page.goto(`${url}/wallet/`);
    return wallet;
  }

  /** Makes a wallet, writes the seed down and confirms it. Gives the 64 digits of the seed. */
  async create(): Promise<string> {
    await this.press("Create a wallet");
    await this.fill("Passphrase", this.#passphrase);
    await this.fill("Passphrase again", this.#passphrase);
    await this.press("Create wallet");
    await this.press("Show the seed");
    await this.page.waitForSelector("[data-testid=seed] li");
    const groups = await this.page.$$eval("[data-testid=seed] li", (items) =>
      items.map((item) => item.innerText.split("\n").at(-1) ?? ""),
    );
    await this.press("I have written it down");
    await this.see("Confirm backup");
    const labels = await this.page.$$eval("label", (all) => all.map((one) => one.innerText));
    for (const label of labels) {
      await this.fill(label, groups[Number(/\d+/.exec(label)?.[0]) - 1] ?? "");
    }
    await this.press("Confirm backup");
    await this.see("Up to date");
    return groups.join("").slice(0, SEED_DIGITS);
  }

  /** Loads the page anew and opens the wallet again. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.fill("Passphrase", this.#passphrase);
    await this.press("Unlock");
    await this.see("Up to date");
  }

  async goTo(screen: "Home" | "Receive" | "Send" | "History"): Promise<void> {
    await this.#click(`nav a`, screen);
  }

  async address(): Promise<string> {
    await this.goTo("Receive");
    return this.#text("address", /./);
  }

  /** Lets the local node mine to this wallet. */
  async mine(): Promise<void> {
    await this.goTo("Receive");
    await this.press("Mine to this wallet");
  }

  /** Waits until a sum on the first screen is not zero, and reads it. */
  async sum(name: "total" | "spendable"): Promise<string> {
    await this.goTo("Home");
    return (await this.#text(name, /[1-9]/)).replace(/\s*coins$/, "").replaceAll(",", "");
  }

  /** Pays, and waits until the node has the payment. */
  async pay({ to, amount, memo }: PaymentText): Promise<void> {
    await this.goTo("Send");
    await this.fill("To", to);
    await this.fill("Amount", amount);
    await this.fill("Memo", memo);
    await this.press("Review");
    await this.#click("button", /^Send /);
    await this.see("Payment sent");
  }

  /** Waits for a line of the history that holds all of these. */
  async row(...texts: readonly string[]): Promise<void> {
    await this.goTo("History");
    await this.page.waitForFunction(
      (wanted: readonly string[]) =>
        [...document.querySelectorAll<HTMLElement>("[data-testid=history-row]")].some((row) =>
          wanted.every((text) => row.innerText.includes(text)),
        ),
      { polling: LOOK_MS },
      texts,
    );
  }

  /** Waits for a text on the page. */
  async see(text: string, timeout = STEP_HANG_MS): Promise<void> {
    await this.page.waitForFunction(
      (wanted: string) => document.body.textContent.includes(wanted),
      { polling: LOOK_MS, timeout },
      text,
    );
  }

  /** Presses the button whose text begins so. */
  async press(text: string): Promise<void> {
    await this.#click("button", text);
  }

  /** Types into the field of a label. */
  async fill(label: string, text: string): Promise<void> {
    const found = await this.page.waitForFunction(
      (wanted: string) => {
        const labels = [...document.querySelectorAll("label")];
        return labels.find((one) => one.innerText.trim() === wanted)?.control ?? null;
      },
      { polling: LOOK_MS },
      label,
    );
    const field = elementOf(found);
    await this.page.bringToFront();
    await field.focus();
    await field.type(text);
  }

  async #click(selector: string, text: string | RegExp): Promise<void> {
    const pattern = typeof text === "string" ? `^${text}` : text.source;
    const found = await this.page.waitForFunction(
      (all: string, wanted: string) =>
        [...document.querySelectorAll<HTMLElement>(all)].find(
          (one) => new RegExp(wanted).test(one.innerText.trim()) && !one.hasAttribute("disabled"),
        ) ?? null,
      { polling: LOOK_MS },
      selector,
      pattern,
    );
    // What is pressed has to be drawn.
    await this.page.bringToFront();
    await elementOf(found).click();
  }

  async #text(testId: string, pattern: RegExp): Promise<string> {
    const found = await this.page.waitForFunction(
      (id: string, wanted: string) => {
        const place = document.querySelector<HTMLElement>(`[data-testid=${id}]`);
        return place !== null && new RegExp(wanted).test(place.innerText) ? place.innerText : null;
      },
      { polling: LOOK_MS },
      testId,
      pattern.source,
    );
    return String(await found.jsonValue());
  }
}

/** Whoever waited for an element got one. */
function elementOf(handle: { asElement(): unknown }): ElementHandle<HTMLElement> {
  const element = handle.asElement();
  if (element === null) throw new Error("the page gave no element");
  return element as ElementHandle<HTMLElement>;
}
