/** The wallet page in a browser: locking, wrong passphrases, a second tab, bad input, removal. */
import { afterEach, describe, expect, test } from "vitest";
import { searchOrigin } from "../testkit/originData.ts";
import { openWallet } from "../testkit/openWallet.ts";
import { setScene } from "../testkit/scene.ts";
import { shareAmongTests } from "../testkit/shareAmongTests.ts";
import type { WalletPage } from "../testkit/walletPage.ts";

/** No wallet of these tests has as much without the tables of the prover. */
const PROVER_TABLES_BYTES = 1_000_000;
const PASSPHRASE = "four unrelated words here";

const scene = setScene();

const opened: WalletPage[] = [];

/** A browser without a wallet, for one test. */
async function openOwn(): Promise<WalletPage> {
  const wallet = await openWallet(scene, PASSPHRASE);
  opened.push(wallet);
  return wallet;
}

afterEach(async () => {
  for (const wallet of opened.splice(0)) await wallet.close();
});

/** A wallet with coins, open and up to date, to which the node mines; each test leaves it so. */
const owner = shareAmongTests(
  async () => {
    const wallet = await openWallet(scene, PASSPHRASE);
    const seed = await wallet.create();
    const address = await wallet.address();
    await wallet.earn();
    return { wallet, seed, address };
  },
  ({ wallet }) => wallet.close(),
);

describe("a wallet in a browser", () => {
  test("a seed restores the same addresses, and money received before", async () => {
    const { wallet: first, seed, address } = await owner.get();
    const received = Number(await first.sum("total"));

    const second = await openOwn();
    await second.restore(seed);
    expect(await second.address()).toBe(address);
    expect(Number(await second.sum("total"))).toBeGreaterThanOrEqual(received);
    expect(second.watch.faults).toEqual([]);
  });

  test("locks, refuses a wrong passphrase and makes guessing slow", async () => {
    const { wallet } = await owner.get();
    await wallet.goTo("Settings");
    await wallet.button("Lock now").click();
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await wallet.unlock(`${PASSPHRASE}${attempt}`);
      await wallet.page.getByText("This passphrase does not open the wallet.").waitFor();
    }
    await wallet.button(/^Wait/).waitFor();
    await wallet.button("Unlock").waitFor();
    await wallet.unlock();
    await wallet.ready();
  });

  test("is open in one tab at a time and moves on request", async () => {
    const { wallet } = await owner.get();
    const page = await wallet.page.context().newPage();
    await page.goto(`${scene.node.url}/wallet/`);
    await page.getByRole("button", { name: "Use it here" }).click();
    await page.getByLabel("Passphrase", { exact: true }).fill(PASSPHRASE);
    await page.getByRole("button", { name: "Unlock" }).click();
    await page.getByTestId("total").waitFor();
    await wallet.page.getByText("The wallet moved to another tab").waitFor();
    // And back: its keys were forgotten here.
    await wallet.button("Use it here").click();
    await wallet.unlock();
    await wallet.ready();
    await page.close();
  });

  test("tells what is wrong with a payment, each in its own words", async () => {
    const { wallet, address: own } = await owner.get();
    await wallet.goTo("Send");
    const other = own.endsWith("q") ? "p" : "q";
    const prefix = own.slice(0, own.indexOf(":"));
    const cases = [
      [`${own.slice(0, -1)}${other}`, "1", "", /has a typing error/],
      [`${own.slice(0, -1)}b`, "1", "", /cannot occur in an address/],
      [own.slice(prefix.length + 1), "1", "", /lacks its network name/],
      [own.replace(`${prefix}:`, "svc:"), "1", "", /belongs to svc;/],
      [own, "0", "", /more than zero/],
      [own, "-1", "", /not be negative/],
      [own, "0.000000001", "", /at most 8 decimals/],
      [own, "much", "", /is not an amount/],
      [own, "90000000", "", /can be spent/],
      [own, "1", "x".repeat(513), /513 bytes/],
    ] as const;
    for (const [to, amount, memo, sentence] of cases) {
      await wallet.page.getByLabel("To", { exact: true }).fill(to);
      await wallet.page.getByLabel("Amount", { exact: true }).fill(amount);
      await wallet.page.getByLabel("Memo", { exact: true }).fill(memo);
      await wallet.page.getByRole("main").getByText(sentence).first().waitFor();
    }
    await wallet.goTo("History");
    const rows = wallet.page.getByTestId("history-row");
    await rows.first().waitFor();
    expect(await rows.filter({ hasText: "Sent" }).count()).toBe(0);
  });

  test("a payment link fills the form, and a doubtful one does not", async () => {
    const { wallet, address: own } = await owner.get();
    await wallet.goTo("Send");
    const field = (name: string) => wallet.page.getByLabel(name, { exact: true });
    for (const name of ["To", "Amount", "Memo"]) await field(name).fill("");
    await field("To").fill(`${own}?amount=1.5&amount=2`);
    await wallet.page
      .getByText(/names a field twice|twice/)
      .first()
      .waitFor();
    expect(await field("Amount").inputValue()).toBe("");
    await field("To").fill(`${own}?amount=1.5&memo=Two%20loaves&label=Bakery`);
    await wallet.page.getByText("It calls the payee “\u2068Bakery\u2069”.").waitFor();
    expect(await field("To").inputValue()).toBe(own);
    expect(await field("Amount").inputValue()).toBe("1.5");
    expect(await field("Memo").inputValue()).toBe("Two loaves");
  });

  test("a payment can be cancelled while it is proved; nothing is sent and the notes are free", async () => {
    const { wallet, address: to } = await owner.get();
    const cancelled = wallet.cancelWhileProving();
    await wallet.beginPayment({ to, amount: "1", memo: "" });
    await cancelled;
    await wallet.page.getByText("Cancelled. Nothing was sent.").waitFor();
    await wallet.button("Back to the payment").click();
    expect(await wallet.page.getByLabel("Amount", { exact: true }).inputValue()).toBe("1");
    await wallet.goTo("Home");
    await wallet.page.getByText("Nothing under way").waitFor();
  });

  test("is removed without a trace", async () => {
    const wallet = await openOwn();
    await wallet.create();
    // The prover keeps its tables for the next payment.
    await wallet.goTo("Send");
    const kept = async () => (await searchOrigin(wallet.page, [])).stored.indexedDB;
    await expect.poll(kept).toBeGreaterThan(PROVER_TABLES_BYTES);
    await wallet.goTo("Settings");
    await wallet.button("Remove wallet…").click();
    await wallet.page.getByRole("checkbox", { name: /^I have the seed/ }).check();
    await wallet.page.getByRole("button", { name: "Remove wallet", exact: true }).click();
    await wallet.button("Create a wallet").waitFor();
    const { stored } = await searchOrigin(wallet.page, []);
    expect(stored).toMatchObject({ indexedDB: 0, localStorage: 0, opfs: 0 });
    // The program stays, the same files for everybody, and which build it is.
    const programs = await wallet.page.evaluate(() => caches.keys());
    expect(programs.filter((name) => !/^svc-(?:pages|turn)-/.test(name))).toEqual([]);
    // The same page makes the next one.
    await wallet.create();
    await wallet.page.getByTestId("total").waitFor();
  });
});
