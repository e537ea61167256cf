/** Step timings of the wallet page: wall-clock milliseconds of each step of its user, once. */
import { openWallet, type WalletPlace } from "../../e2e/testkit/openWallet.ts";
import type { PaymentText, WalletPage } from "../../e2e/testkit/walletPage.ts";

/** The steps and their milliseconds. */
export class PageSteps {
  /** Milliseconds by the name of the step. */
  readonly ms: Record<string, number> = {};

  /** Does a step and notes how long it took. */
  async timed<T>(name: string, step: () => Promise<T>): Promise<T> {
    const began = performance.now();
    const result = await step();
    this.ms[name] = Math.round(performance.now() - began);
    return result;
  }

  /** From the press of the button that mines to the first coin on the first screen, and until it can be spent. */
  async earn(wallet: WalletPage): Promise<void> {
    await this.timed("spendable", async () => {
      await wallet.mine();
      await this.timed("first_coin", () => wallet.sum("total"));
      await wallet.sum("spendable");
    });
  }

  /** A payment that is reviewed, confirmed, and cancelled while it is proved. */
  async cancel(wallet: WalletPage, payment: PaymentText): Promise<void> {
    await this.timed("review", () => wallet.reviewPayment(payment));
    const pressed = wallet.cancelWhileProving();
    await wallet.page.getByRole("button", { name: /^Send / }).click();
    await pressed;
    await this.timed("cancelled", () => wallet.says(/Payment cancelled/));
  }

  /** The page loaded anew: until it asks for the passphrase, and from there until it is up to date. */
  async reload(wallet: WalletPage): Promise<void> {
    await this.timed("locked_again", async () => {
      await wallet.page.reload({ waitUntil: "commit" });
      await wallet.page.getByLabel("Passphrase", { exact: true }).waitFor();
    });
    await this.timed("unlocked", async () => {
      await wallet.unlock();
      await wallet.ready();
    });
  }

  /** The same wallet in another browser, from its seed, with the whole chain to scan. */
  async restore(place: WalletPlace, passphrase: string, seed: string): Promise<void> {
    const other = await openWallet(place, passphrase);
    try {
      await this.timed("restored", () => other.restore(seed));
    } finally {
      await other.close();
    }
  }
}
