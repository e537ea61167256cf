/** Tests of the state of a payment when another wallet of the same seed spends the same note (double spend). */
import { describe, expect, it } from "vitest";
import { asSompi } from "@svc/shared/base/brand.ts";
import { broadcast, broadcastDue } from "@svc/shared/wallet/send/broadcast.ts";
import { sendPayment } from "@svc/shared/wallet/send/sendPayment.ts";
import { ChainModel } from "@svc/shared/wallet/testkit/chainModel.ts";
import { payeeOf } from "@svc/shared/wallet/testkit/payments.ts";
import { SharedSeed, type SeedWallet } from "@svc/shared/wallet/testkit/sharedSeed.ts";
import { SendTask } from "./sendTask.ts";
import type { WalletSession } from "./walletSession.ts";

const COIN = 100_000_000n;
const never = new AbortController().signal;
const quiet = (): void => undefined;

/** A payment screen over this wallet, which pays two coins. */
function screenOf(wallet: SeedWallet) {
  const send: WalletSession["send"] = (payees, wish, { id, progress, signal }) =>
    sendPayment(wallet.send, { id, payees, ...wish, recoverable: false }, progress, signal);
  const session = { send, sync: wallet.sync } as unknown as WalletSession;
  const task = new SendTask(quiet);
  const pay = (): Promise<void> =>
    task.run(session, [payeeOf(2n * COIN)], { maxFee: asSompi(COIN), separate: false });
  return { task, pay };
}

/** The first wallet's payment is in the pool of its node, which is the second one's, too, unless a test wants two. */
async function paidElsewhere(apart = false) {
  const model = new ChainModel();
  model.add({ mined: [5n * COIN, 5n * COIN] });
  model.addEmpty(14);
  const seed = new SharedSeed(model);
  const node = seed.node();
  const first = await seed.open(node);
  const second = await seed.open(apart ? seed.node() : node);
  const request = { id: "p", payees: [payeeOf(COIN)], maxFee: null, recoverable: false };
  await sendPayment(first.send, request, quiet, never);
  const mine = async (): Promise<void> => {
    seed.mine(first.node, 2n * COIN);
    await second.sync.catchUp(never);
  };
  return { model, first, second, mine, ...screenOf(second) };
}

describe("a payment whose note another wallet of the seed spends", () => {
  it("is shown as untaken with the reason, then as replaced when a block has the other one", async () => {
    const { task, pay, mine } = await paidElsewhere();
    await pay();
    expect(task.view).toMatchObject({ stage: "sent", queued: true, rival: "elsewhere" });
    await mine();
    expect(task.view).toMatchObject({
      stage: "failed",
      rival: "elsewhere",
      queued: false,
      error: { code: "tx/nullifier-spent" },
    });
  });

  it("is shown as sent once the node has taken it after all", async () => {
    const { first, second, task, pay } = await paidElsewhere();
    await pay();
    first.node.pool.clear();
    second.clock.now += 60_000n;
    await broadcastDue(second.send, never);
    expect(task.view).toMatchObject({ stage: "sent", queued: false, rival: null });
  });

  it("is not shown as sent any more when a block has the other one", async () => {
    const { task, pay, mine } = await paidElsewhere(true);
    await pay();
    expect(task.view).toMatchObject({ stage: "sent", queued: false, rival: null });
    await mine();
    expect(task.view).toMatchObject({ stage: "failed", rival: "elsewhere" });
  });

  it("is shown as sent again when that block is undone", async () => {
    const { model, second, task, pay, mine } = await paidElsewhere(true);
    await pay();
    await mine();
    model.cut(15);
    model.addEmpty(2);
    await second.sync.catchUp(never);
    expect(task.view).toMatchObject({ stage: "sent", rival: null, error: null });
  });

  it("ends as replaced, not as sent, when the block comes before its proof", async () => {
    const { second, task, pay, mine } = await paidElsewhere();
    second.prover.pause = () => mine();
    await expect(pay()).rejects.toThrow("tx/nullifier-spent");
    expect(task.view).toMatchObject({ stage: "failed", rival: "elsewhere", txid: null });
    expect(task.isCancellable).toBe(false);
  });
});

describe("the end of a payment", () => {
  it("stays as it was when a node that had it forgets it", async () => {
    const { second, task, pay } = await paidElsewhere(true);
    await pay();
    second.node.submit = () => Promise.reject(new TypeError("away"));
    const [payment] = second.sync.state.outbox;
    await broadcast(second.send, payment?.id ?? "", never);
    expect(task.view).toMatchObject({ stage: "sent", queued: false });
  });

  it("is not called unsent when it is signed and the store has no room for the attempt", async () => {
    const { second, task, pay } = await paidElsewhere(true);
    second.sync.subscribe(({ outbox }) => {
      if (outbox.some(({ status }) => status.state === "signed")) second.store.isFull = true;
    });
    await pay();
    expect(second.node.submitted).toEqual([]);
    expect(task.view).toMatchObject({ stage: "sent", queued: true, error: null });
  });

  it("is told no more once it was cleared", async () => {
    const { task, pay, mine } = await paidElsewhere();
    await pay();
    task.clear();
    await mine();
    expect(task.view).toBeNull();
  });

  it("of one payment does not change what is shown of the next", async () => {
    const { second, task, pay, mine } = await paidElsewhere();
    await pay();
    const proving = Promise.withResolvers<void>();
    const blocked = Promise.withResolvers<void>();
    second.prover.pause = () => {
      proving.resolve();
      return blocked.promise;
    };
    const next = pay();
    await proving.promise;
    second.clock.now += 60_000n;
    await broadcastDue(second.send, never);
    await mine();
    expect(task.view).toMatchObject({ stage: "building", rival: null });
    blocked.resolve();
    await expect(next).rejects.toThrow("tx/nullifier-spent");
  });
});
