/** A payment while the store has no room: nothing of it is sent, its notes are free at once, and its owner is told. */
import { describe, expect, it } from "vitest";
import { untilAborted } from "../../base/abort.ts";
import { openWallet } from "./openWallet.ts";
import { paymentOf } from "../reduce/outbox.ts";
import { holdsNotes } from "../state/payment.ts";
import { sendPayment, type SendRequest } from "../send/sendPayment.ts";
import { spendability } from "../plan/spendability.ts";
import { ChainModel, freshWallet, TEST_POLICY } from "../testkit/chainModel.ts";
import { payeeOf } from "../testkit/payments.ts";
import { FoldTree, ModelScan } from "../testkit/ports.ts";
import { SharedSeed, type SeedWallet } from "../testkit/sharedSeed.ts";

const COIN = 100_000_000n;
const never = new AbortController().signal;
const quiet = (): void => undefined;
const request: SendRequest = {
  id: "p",
  payees: [payeeOf(2n * COIN)],
  maxFee: null,
  recoverable: false,
};

async function setUp() {
  const model = new ChainModel();
  model.add({ mined: [5n * COIN] });
  model.addEmpty(14);
  const wallet = await new SharedSeed(model).open(new SharedSeed(model).node());
  return { model, wallet };
}

function isFree({ sync }: SeedWallet): boolean {
  const { notes } = spendability(sync.state, TEST_POLICY);
  return notes.length === 1 && notes.every(({ standing }) => standing === "spendable");
}

/** The wallet as the next start finds it. */
async function reopened(model: ChainModel, { node, store, clock }: SeedWallet) {
  const makeTree = (bytes: Uint8Array) => new FoldTree(bytes);
  const parts = { policy: TEST_POLICY, node, store, clock, makeTree, scan: new ModelScan(model) };
  return openWallet(parts, freshWallet().account, "genesis", never);
}

/** Pays until the store is full from this state of the payment on; the error that its owner is told. */
async function payUntilFull({ sync, store, send }: SeedWallet, from: string) {
  const stop = sync.subscribe(({ outbox }) => {
    if (outbox.some(({ status }) => status.state === from)) store.isFull = true;
  });
  try {
    await sendPayment(send, request, quiet, never);
  } finally {
    stop();
  }
}

describe("a payment that cannot be stored", () => {
  it.each(["planned", "proving", "signing"])("frees its notes at once when %s", async (state) => {
    const { model, wallet } = await setUp();
    await expect(payUntilFull(wallet, state)).rejects.toThrow("wallet/storage-full");
    expect(wallet.node.submitted).toEqual([]);
    expect(paymentOf(wallet.sync.state, "p").status).toMatchObject({
      state: "failed",
      error: { code: "wallet/storage-full" },
    });
    expect(isFree(wallet)).toBe(true);
    wallet.store.isFull = false;
    const again = await sendPayment(wallet.send, { ...request, id: "q" }, quiet, never);
    expect(again.status.state).toBe("mempool");
    // What could not be stored then is stored with what came later.
    const later = await reopened(model, wallet);
    expect(paymentOf(later.state, "p").status.state).toBe("failed");
  });

  it("reserves nothing when not even its plan can be stored", async () => {
    const { wallet } = await setUp();
    wallet.store.isFull = true;
    await expect(sendPayment(wallet.send, request, quiet, never)).rejects.toThrow(
      "wallet/storage-full",
    );
    expect(wallet.sync.state.outbox).toEqual([]);
    expect(isFree(wallet)).toBe(true);
  });

  it("holds nothing either when blocks cannot be stored meanwhile and are read again later", async () => {
    const { model, wallet } = await setUp();
    await expect(payUntilFull(wallet, "proving")).rejects.toThrow("wallet/storage-full");
    model.addEmpty(1);
    await expect(wallet.sync.catchUp(never)).rejects.toThrow("wallet/storage-full");
    expect(isFree(wallet)).toBe(true);
    wallet.store.isFull = false;
    await wallet.sync.catchUp(never);
    expect(isFree(wallet)).toBe(true);
    const later = await reopened(model, wallet);
    expect(paymentOf(later.state, "p").status.state).toBe("failed");
  });

  it("is cancelled without room", async () => {
    const { wallet } = await setUp();
    const stop = new AbortController();
    wallet.prover.pause = (signal) => {
      wallet.store.isFull = true;
      stop.abort();
      return untilAborted(signal);
    };
    const ended = sendPayment(wallet.send, request, quiet, stop.signal);
    await expect(ended).rejects.toThrow("wallet/cancelled");
    expect(isFree(wallet)).toBe(true);
  });

  it("is free at the next start when nothing was stored any more", async () => {
    const { model, wallet } = await setUp();
    await expect(payUntilFull(wallet, "signing")).rejects.toThrow("wallet/storage-full");
    wallet.store.isFull = false;
    const later = await reopened(model, wallet);
    const payment = paymentOf(later.state, "p");
    expect(payment.status.state).toBe("draft");
    expect(holdsNotes(payment)).toBe(false);
  });
});

describe("a payment that is signed and stored", () => {
  it("stays set aside when its first attempt cannot be noted: it is sent when there is room", async () => {
    const { wallet } = await setUp();
    await expect(payUntilFull(wallet, "signed")).rejects.toThrow("wallet/storage-full");
    expect(wallet.node.submitted).toEqual([]);
    expect(paymentOf(wallet.sync.state, "p").status.state).toBe("signed");
    expect(isFree(wallet)).toBe(false);
  });
});
