/**
 * A single worker of the page that ends while it proves: the prove worker, or a shard worker that helps it. Nothing of the
 * page is replaced: the running worker is told over the browser's own debugging line to throw, or to end.
 */
import type { Page, Worker } from "playwright-core";
import { describe, expect, test } from "vitest";
import { expectOneSum } from "../wallet/expectOneSum.ts";
import { openWallet } from "../testkit/openWallet.ts";
import { setScene } from "../testkit/scene.ts";
import { shareAmongTests } from "../testkit/shareAmongTests.ts";
import type { PaymentText, WalletPage } from "../testkit/walletPage.ts";

const CRASH = "fell over on purpose";
/** Part of the bar from which on a worker ends: most of the work is still before it. */
const PROVED_PART = 0.1;

const scene = setScene();

describe("a worker that ends while it proves", () => {
  test.each(["prove", "shard"])(
    "the %s worker crashes: the person is told, nothing is sent, the next try pays",
    async (name) => {
      const trial = await begun(`the ${name} worker`);
      const { page } = trial.wallet;
      await crash(await proving(page, name));
      const end = page.getByRole("heading", { name: /was not sent|Payment sent/ });
      await end.waitFor();
      expect(await end.innerText()).toBe("The payment was not sent");
      expect(await page.getByRole("main").innerText()).toContain(
        `A background worker of the wallet stopped: Uncaught Error: ${CRASH}.`,
      );
      await expectPaidByNextTry(trial);
    },
  );

  test("a shard worker ends and says nothing: the payment can be cancelled, the next try pays", async () => {
    const trial = await begun("silence");
    const { page } = trial.wallet;
    const worker = await proving(page, "shard");
    const gone = worker.waitForEvent("close");
    await worker.evaluate(() => close()).catch(ignore);
    await gone;
    await page.getByText("Nothing has been sent yet.").waitFor();
    await trial.wallet.button("Cancel payment").click();
    await page.getByText("Cancelled. Nothing was sent.").waitFor();
    await expectPaidByNextTry(trial);
  });
});

type Trial = {
  readonly wallet: WalletPage;
  readonly payment: PaymentText;
  /** Of the wallet, before the payment began. */
  readonly before: readonly string[];
  /** Payments that left the page, each once: the outbox repeats one whose answer is late. */
  readonly left: ReadonlySet<string>;
};

/** A wallet that pays in all tests: nothing is mined to it any more, and its prover has one shard worker. */
const payer = shareAmongTests(
  async () => {
    const passphrase = "a passphrase that outlives workers";
    const wallet = await openWallet(scene, passphrase, "?proof-threads=2");
    await wallet.create();
    const own = await wallet.address();
    await wallet.earn();
    await wallet.stopMining();
    return { wallet, own };
  },
  ({ wallet }) => wallet.close(),
);

/** A payment that has begun, of a wallet that waits for nothing. */
async function begun(memo: string): Promise<Trial> {
  const { wallet, own } = await payer.get();
  const { page } = wallet;
  const left = new Set<string>();
  await page.context().route("**/v1/tx", async (route) => {
    left.add(route.request().postDataBuffer()?.toString("hex") ?? "");
    await route.continue();
  });
  const before = await expectRested(wallet);
  const payment = { to: own, amount: "1", memo };
  await wallet.beginPayment(payment);
  return { wallet, payment, before, left };
}

/** The payment came to nothing: no worker goes on with it, every coin can be spent, and it is paid once when it is tried again. */
async function expectPaidByNextTry({ wallet, payment, before, left }: Trial): Promise<void> {
  const { page, watch } = wallet;
  // All workers of a group live, or none: what is left of one would compute for nobody.
  const remain = () => [...workers(page, "prove"), ...workers(page, "shard")].length;
  await expect.poll(remain).toBe(0);
  expect(await sums(wallet)).toEqual(before);
  expect(left.size).toBe(0);
  await wallet.beginPayment(payment);
  await wallet.sent();
  expect(left.size).toBe(1);
  expect(watch.faults).toEqual([]);
  expect(watch.strangers).toEqual([]);
  await page.context().unrouteAll({ behavior: "wait" });
}

/** Waits until every coin can be spent; gives the sums. */
async function expectRested(wallet: WalletPage): Promise<readonly string[]> {
  await expectOneSum(() => sums(wallet));
  return sums(wallet);
}

/** What the wallet has, and what of it can be spent now. */
async function sums(wallet: WalletPage): Promise<readonly string[]> {
  return [await wallet.sum("total"), await wallet.sum("spendable")];
}

function workers(page: Page, name: string): readonly Worker[] {
  return page.workers().filter((worker) => worker.url().includes(`/workers/${name}.worker`));
}

/** The one worker of this name, once a proof is under way. */
async function proving(page: Page, name: string): Promise<Worker> {
  await page.waitForFunction((from) => {
    const stage = document.querySelector("[data-testid=stage]")?.getAttribute("data-stage");
    const bar = Number(document.querySelector("progress")?.getAttribute("value") ?? 0);
    return stage === "proving" && bar >= from;
  }, PROVED_PART);
  const [worker, ...others] = workers(page, name);
  if (worker === undefined || others.length > 0) throw new Error(`not one ${name} worker`);
  return worker;
}

/** Has the worker throw an error that nothing catches, and end with it. */
async function crash(worker: Worker): Promise<void> {
  const fall = (message: string): void => {
    setTimeout(() => {
      close();
      throw new Error(message);
    });
  };
  await worker.evaluate(fall, CRASH).catch(ignore);
}

function ignore(): void {
  // A worker may be gone before it has answered.
}
