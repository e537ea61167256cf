/** What the page is told of a payment over several transactions: which one is at hand, how it ends, and that it is gone on with. */
import { describe, expect, it } from "vitest";
import { asSompi } from "@svc/shared/base/brand.ts";
import { isResumable } from "@svc/shared/wallet/reduce/orders.ts";
import { resumePayment, sendPayment } from "@svc/shared/wallet/send/sendPayment.ts";
import { ChainModel } from "@svc/shared/wallet/testkit/chainModel.ts";
import { payeeOf } from "@svc/shared/wallet/testkit/payments.ts";
import { SharedSeed } from "@svc/shared/wallet/testkit/sharedSeed.ts";
import type { SendView } from "../wallet-api/walletApi.ts";
import { SendTask } from "./sendTask.ts";
import type { WalletSession } from "./walletSession.ts";

const COIN = 100_000_000n;
const fees = asSompi(COIN);
const payees = [payeeOf(24n * COIN + COIN / 2n)];

/** A payment screen over a wallet of 25 notes, of which a transaction takes ten. */
async function screen() {
  const model = new ChainModel();
  model.add({ mined: Array.from({ length: 25 }, () => COIN) });
  model.addEmpty(14);
  const seed = new SharedSeed(model);
  const wallet = await seed.open(seed.node());
  const session = {
    sync: wallet.sync,
    send: (
      to: typeof payees,
      wish: Parameters<WalletSession["send"]>[1],
      { id, progress, signal }: Parameters<WalletSession["send"]>[2],
    ) =>
      sendPayment(wallet.send, { id, payees: to, ...wish, recoverable: false }, progress, signal),
    resumePayment: ({ id, progress, signal }: Parameters<WalletSession["resumePayment"]>[0]) =>
      resumePayment(wallet.send, id, progress, signal),
  } as unknown as WalletSession;
  const seen: SendView[] = [];
  const task = new SendTask(() => {
    if (task.view !== null) seen.push(task.view);
  });
  const pay = (): Promise<void> => task.run(session, payees, { maxFee: fees, separate: false });
  const resume = (id: string): Promise<void> => task.resume(session, id);
  return { wallet, task, seen, pay, resume };
}

describe("a payment over three transactions", () => {
  it("names the transaction at hand, and ends once", async () => {
    const { wallet, task, seen, pay } = await screen();
    await pay();
    expect(wallet.node.submitted).toHaveLength(3);
    expect([...new Set(seen.map(({ part, parts }) => `${part}/${parts}`))]).toEqual([
      "1/1",
      "1/3",
      "2/3",
      "3/3",
    ]);
    expect(task.view).toMatchObject({ stage: "sent", out: 3, parts: 3, txid: null, queued: false });
    const outs = seen.map(({ out }) => out);
    expect(outs).toEqual(outs.toSorted((a, b) => a - b));
  });

  it("can be stopped between two of them, and says that it was paid in part", async () => {
    const { wallet, task, pay } = await screen();
    wallet.prover.pause = async () => {
      if (wallet.prover.plans.length === 2) task.cancel();
    };
    await pay();
    expect(task.view).toMatchObject({
      stage: "failed",
      out: 1,
      error: { code: "wallet/cancelled" },
    });
    expect(wallet.node.submitted).toHaveLength(1);
    const [order] = wallet.sync.state.orders;
    expect(order !== undefined && isResumable(wallet.sync.state, order)).toBe(false);
  });

  it("that a lock interrupts is gone on with under the same confirmation", async () => {
    const { wallet, task, pay, resume } = await screen();
    wallet.prover.pause = async () => {
      if (wallet.prover.plans.length === 2) task.clear();
    };
    await pay();
    expect(task.view).toBeNull();
    const [order] = wallet.sync.state.orders;
    expect(order !== undefined && isResumable(wallet.sync.state, order)).toBe(true);
    wallet.prover.pause = async () => undefined;
    await resume(order?.id ?? "");
    expect(task.view).toMatchObject({ stage: "sent", out: 3, parts: 3 });
    expect(new Set(wallet.node.submitted).size).toBe(3);
  });

  it("of which nothing is out may be cancelled by a lock, which asks before", async () => {
    const { wallet, task, pay } = await screen();
    const asked: boolean[] = [];
    wallet.prover.pause = async () => {
      asked.push(task.isCancellable);
      if (wallet.prover.plans.length === 2) task.cancel();
    };
    await pay();
    expect(asked).toEqual([true, false]);
  });

  it("that is cancelled before the first is a cancelled payment", async () => {
    const { wallet, task, pay } = await screen();
    wallet.prover.pause = async () => task.cancel();
    await expect(pay()).rejects.toThrow("wallet/cancelled");
    expect(task.view).toMatchObject({ stage: "failed", out: 0 });
    expect(wallet.sync.state.outbox.map(({ status }) => status.state)).toEqual(["cancelled"]);
  });
});
