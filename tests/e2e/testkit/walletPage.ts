/** Page object of the wallet page: finds buttons and fields by their names, as a person does. */
import type { BrowserContext, Locator, Page } from "playwright-core";
import { SEED_DIGITS } from "@svc/shared/wallet/state/seedText.ts";
import { openPage, type PageWatch } from "./browser.ts";
import { STEP_HANG_MS } from "../../testkit/hangMs.ts";

/** A payment as it is typed. */
export type PaymentText = {
  readonly to: string;
  readonly amount: string;
  readonly memo: string;
};

/** One wallet in one browser context. */
export class WalletPage {
  readonly page: Page;
  readonly watch: PageWatch;
  readonly #passphrase: string;

  private constructor(page: Page, watch: PageWatch, passphrase: string) {
    this.page = page;
    this.watch = watch;
    this.#passphrase = passphrase;
    page.setDefaultTimeout(STEP_HANG_MS);
  }

  /** Opens the page of a browser that has no wallet yet. `query` may choose how it proves. */
  static async open(
    context: BrowserContext,
    url: string,
    passphrase: string,
    query = "",
  ): Promise<WalletPage> {
    const { page, watch } = await openPage(context, `${url}/wallet/${query}`);
    return new WalletPage(page, watch, passphrase);
  }

  /** Makes a wallet, writes the seed down and confirms it. Gives the 64 digits of the seed. */
  async create(passphrase = this.#passphrase): Promise<string> {
    await this.button("Create a wallet").click();
    await this.#choosePassphrase(passphrase);
    await this.button("Create wallet").click();
    await this.button("Show the seed").click();
    const groups = await this.page.getByTestId("seed").getByRole("listitem").allInnerTexts();
    const seed = groups.map((text) => text.split("\n").at(-1) ?? "");
    await this.button("I have written it down").click();
    const labels = await this.page.locator("label").allInnerTexts();
    for (const label of labels) {
      const group = seed[Number(/\d+/.exec(label)?.[0]) - 1] ?? "";
      await this.page.getByLabel(label, { exact: true }).fill(group);
    }
    await this.button("Confirm backup").click();
    await this.ready();
    return seed.join("").slice(0, SEED_DIGITS);
  }

  /** Restores a wallet from its seed, scanning everything. */
  async restore(seed: string): Promise<void> {
    await this.button("Restore a wallet").click();
    await this.page.getByLabel("Seed").fill(seed);
    await this.#choosePassphrase(this.#passphrase);
    await this.button("Restore wallet").click();
    await this.ready();
  }

  async unlock(passphrase = this.#passphrase): Promise<void> {
    await this.#told(this.page.getByLabel("Passphrase", { exact: true }).fill(passphrase));
    await this.page.getByRole("button", { name: "Unlock", exact: true }).click();
  }

  /** Loads the page anew and opens the wallet again. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.unlock();
    await this.ready();
  }

  /** Waits until the wallet is up to date. */
  async ready(): Promise<void> {
    await this.#told(this.page.getByText("Up to date").first().waitFor({ state: "attached" }));
  }

  /** Waits until the page says this. */
  async says(text: RegExp): Promise<void> {
    await this.#told(this.page.getByText(text).first().waitFor());
  }

  /** Adds the page's text to the error of a wait that failed. */
  async #told(waiting: Promise<void>): Promise<void> {
    try {
      await waiting;
    } catch (error) {
      const text = await this.page.locator("body").innerText();
      throw new Error(`the page says: ${text}`, { cause: error });
    }
  }

  async goTo(screen: "Home" | "Receive" | "Send" | "History" | "Settings"): Promise<void> {
    await this.page
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: screen, exact: true })
      .click();
  }

  async address(): Promise<string> {
    await this.goTo("Receive");
    return this.page.getByTestId("address").innerText();
  }

  /** Lets the local node mine to this wallet. */
  async mine(): Promise<void> {
    await this.goTo("Receive");
    await this.button("Mine to this wallet").click();
  }

  /** Lets the local node mine to this wallet until some of that can be spent; gives how much. */
  async earn(): Promise<string> {
    await this.mine();
    return this.sum("spendable");
  }

  /** Has the local miner stop paying the wallet, and waits until all that it paid has matured. */
  async stopMining(): Promise<void> {
    await this.goTo("Receive");
    await this.button("Stop mining to it").click();
    await this.button("Mine to this wallet").waitFor();
    await this.goTo("Home");
    await this.page.getByText("Nothing waits").waitFor();
  }

  /** Waits until a sum on the first screen is not zero, and reads it. */
  async sum(name: "total" | "spendable"): Promise<string> {
    await this.goTo("Home");
    const place = this.page.getByTestId(name).filter({ hasText: /[1-9]/ });
    return (await place.innerText()).replace(/\s*coins$/, "").replaceAll(",", "");
  }

  /** The total that the first screen shows now, whatever it is. */
  async shownTotal(): Promise<string> {
    const text = await this.page.getByTestId("total").innerText();
    return text.replace(/\s*coins$/, "").replaceAll(",", "");
  }

  /** The visible text that a notice has as its title. */
  notice(title: RegExp): Locator {
    return this.page.getByText(title).filter({ visible: true }).first();
  }

  /** Fills in a payment and goes through review up to the moment where proving begins. */
  async beginPayment(payment: PaymentText): Promise<void> {
    await this.reviewPayment(payment);
    await this.page.getByRole("button", { name: /^Send / }).click();
  }

  /** Fills in a payment and goes on to its review. */
  async reviewPayment(payment: PaymentText): Promise<void> {
    await this.goTo("Send");
    await this.page.getByLabel("To", { exact: true }).fill(payment.to);
    await this.page.getByLabel("Amount", { exact: true }).fill(payment.amount);
    await this.page.getByLabel("Memo", { exact: true }).fill(payment.memo);
    await this.button("Review").click();
    await this.page.getByRole("button", { name: /^Send / }).waitFor();
  }

  /** Waits for the proof of the payment under way; gives the milliseconds from its first step to its end. */
  async provingTime(): Promise<number> {
    return this.page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let start = 0;
          const look = (): boolean => {
            const stage = document.querySelector("[data-testid=stage]")?.getAttribute("data-stage");
            const proving = stage === "proving" || stage === "building";
            if (start === 0 && stage === "proving") start = performance.now();
            if (start === 0 || proving) return false;
            resolve(performance.now() - start);
            return true;
          };
          const observer = new MutationObserver(() => look() && observer.disconnect());
          observer.observe(document, { subtree: true, childList: true, attributes: true });
          look();
        }),
    );
  }

  /**
   * Cancels the next payment from inside the page as soon as its proof is under way: a click from outside may come
   * after a fast proof has ended. Resolves when the button was pressed.
   */
  async cancelWhileProving(): Promise<void> {
    await this.pressWhileProving("Cancel payment");
  }

  /** Presses the button with this text from inside the page as soon as a proof is under way. */
  async pressWhileProving(text: string): Promise<void> {
    await this.page.evaluate(
      (wanted) =>
        new Promise<void>((resolve) => {
          const press = (): boolean => {
            const stage = document.querySelector("[data-testid=stage]")?.getAttribute("data-stage");
            const buttons = [...document.querySelectorAll("button")];
            const button = buttons.find(({ textContent }) => textContent === wanted);
            if (stage !== "proving" || button === undefined) return false;
            button.click();
            resolve();
            return true;
          };
          const observer = new MutationObserver(() => press() && observer.disconnect());
          observer.observe(document, { subtree: true, childList: true, attributes: true });
        }),
      text,
    );
  }

  /** Waits until the node has the payment. */
  async sent(): Promise<void> {
    const end = this.page.getByRole("heading", {
      name: /Payment sent|Payment signed|was not sent|Refused by this node/,
    });
    await end.waitFor();
    const text = await end.innerText();
    if (text !== "Payment sent") {
      throw new Error(`${text}: ${await this.page.getByRole("main").innerText()}`);
    }
  }

  /** The line of the history with this amount and memo. */
  row(amount: string, memo: string): Locator {
    return this.page
      .getByTestId("history-row")
      .filter({ hasText: amount })
      .filter({ hasText: memo });
  }

  /** Closes its browser context. */
  close(): Promise<void> {
    return this.page.context().close();
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole("button", { name });
  }

  async #choosePassphrase(passphrase: string): Promise<void> {
    await this.page.getByLabel("Passphrase", { exact: true }).fill(passphrase);
    await this.page.getByLabel("Passphrase again").fill(passphrase);
  }
}
