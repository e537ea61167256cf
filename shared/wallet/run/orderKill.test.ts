/**
 * A payment of 200 notes over several transactions, in a tab that is killed at any step: it was confirmed once, nothing of it is paid
 * twice, and what was confirmed is never exceeded.
 */
import { describe, expect, it } from "vitest";
import { drawnKills } from "../../../tests/testkit/drawnCases.ts";
import { seededRandom } from "../../../tests/testkit/seededRandom.ts";
import { asNullifier, asSompi, asTxId } from "../../base/brand.ts";
import { decodeHex, encodeHex } from "../../base/hex.ts";
import { SvcError } from "../../base/svcError.ts";
import { repeatedPayments } from "../plan/retry.ts";
import { planTransfer } from "../plan/planTransfer.ts";
import { orderRest } from "../reduce/orderRest.ts";
import { findOrder, isResumable, orderProgress } from "../reduce/orders.ts";
import { broadcastDue } from "../send/broadcast.ts";
import { historyRows } from "../view/history.ts";
import { checkPart } from "../send/checkPart.ts";
import {
  CANCELLED_BY_OWNER,
  resumePayment,
  sendPayment,
  stopPayment,
  type SendParts,
  type SendRequest,
} from "../send/sendPayment.ts";
import { paymentAmount } from "../state/payment.ts";
import type { NodePort, ProvedPayment } from "../state/ports.ts";
import type { ProvePlan, SignIntent } from "../state/provePlan.ts";
import type { WalletState } from "../state/walletState.ts";
import { ChainModel, freshWallet, OWN_ADDRESS, TEST_POLICY } from "../testkit/chainModel.ts";
import { MortalTab, MortalTabStore } from "../testkit/mortalTab.ts";
import { disclosedTo, payeeOf } from "../testkit/payments.ts";
import { FoldTree, ManualClock, ModelNode, ModelScan } from "../testkit/ports.ts";
import { openWallet } from "./openWallet.ts";

const COIN = 100_000_000n;
const NOTES = 200;
const PART_NOTES = 38;
/** The step at which the whole is written down: from there on it is paid, whatever kills the tab. */
const WRITTEN = 7;
const never = new AbortController().signal;
const quiet = (): void => undefined;
const policy = { ...TEST_POLICY, maxSpends: PART_NOTES };
/** 200 notes of a coin less a tenth for fees: all of them are needed, in six transactions. */
const merchant = payeeOf(198n * COIN + COIN / 2n, { memo: "6869" });
const payees = [merchant];

/** The identity of a transaction is made of the positions of the notes that it spends. */
function rawOf({ spends }: ProvePlan): string {
  const first = BigInt(spends[0]?.position ?? "0");
  const count = BigInt(spends.length);
  return first.toString(16).padStart(60, "0") + count.toString(16).padStart(4, "0");
}

/** A wallet with 200 mature notes; every tab of it is opened on the same store. */
function scene() {
  const model = new ChainModel();
  for (let block = 0; block < 10; block += 1) {
    model.add({ mined: Array.from({ length: NOTES / 10 }, () => COIN) });
  }
  model.addEmpty(14);
  const node = new ModelNode(model);
  const store = new MortalTabStore();
  const clock = new ManualClock();
  const intents: SignIntent[] = [];
  const makeTree = (bytes: Uint8Array) => new FoldTree(bytes);
  const parts = { policy, node, scan: new ModelScan(model), store, clock, makeTree };
  const open = async (tab: MortalTab = new MortalTab()) => {
    store.tab = new MortalTab();
    const sync = await openWallet(parts, freshWallet().account, "genesis", never);
    await sync.catchUp(never);
    store.tab = tab;
    const ported: NodePort = {
      tip: () => node.tip(),
      blocks: (after, limit) => node.blocks(after, limit),
      start: (index) => node.start(index),
      submit: (raw) => tab.step(() => node.submit(raw)),
    };
    const prove = async (plan: ProvePlan): Promise<ProvedPayment> => {
      const finalize = () => tab.step(async () => decodeHex(rawOf(plan)));
      const outputs = sync.state.outbox.find(({ status }) => status.state === "proving")?.payees;
      return { ...disclosedTo(outputs ?? []), alphas: "[]", finalize };
    };
    const sign = async (intent: SignIntent): Promise<string> => {
      if (intent.whole !== undefined) checkPart(intent.whole, intent);
      intents.push(intent);
      return "aa";
    };
    const send: SendParts = {
      sync,
      policy,
      node: ported,
      clock,
      prover: { prove: (plan) => tab.step(() => prove(plan)) },
      signer: { sign: (intent) => tab.step(() => sign(intent)) },
      transactionId: (raw) => encodeHex(raw),
      profile: {},
      fvk: "fe".repeat(96),
    };
    return { sync, send };
  };
  return { model, node, store, clock, intents, open };
}

function requestOf(state: WalletState): SendRequest {
  const planned = planTransfer(state, policy, { payees, feeFloor: asSompi(0n), mode: "many" });
  const maxFee = asSompi(planned.reduce((sum, { fee }) => sum + fee, 0n));
  return { id: "whole", payees, maxFee, recoverable: false };
}

/** Runs the work until it is done, or the tab is dead and nothing moves any more. */
async function untilStill(work: Promise<unknown>): Promise<boolean> {
  const end = { done: false };
  work.then(
    () => (end.done = true),
    (error: unknown) => {
      throw SvcError.from(error);
    },
  );
  for (let turn = 0; turn < 400 && !end.done; turn += 1) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
  return end.done;
}

/** What the chain would make of the transactions that left: each note is spent once. */
function expectNothingTwice(state: WalletState): void {
  const { outbox } = state;
  const held = outbox.flatMap(({ reserved }) => reserved.map(({ nullifier }) => nullifier));
  expect(new Set(held).size).toBe(held.length);
  const paid = outbox.reduce((sum, payment) => sum + paymentAmount(payment), 0n);
  expect(paid).toBeLessThanOrEqual(merchant.value);
}

describe("a payment of 200 notes", () => {
  it("is confirmed once, made in six transactions, and the signer sees the whole each time", async () => {
    const { open, node, intents } = scene();
    const { sync, send } = await open();
    const request = requestOf(sync.state);
    await sendPayment(send, request, quiet, never);
    expect(node.submitted).toHaveLength(6);
    expect(new Set(node.submitted).size).toBe(6);
    const order = findOrder(sync.state, "whole");
    expect(order).toMatchObject({ version: 1, payees, maxFee: request.maxFee, stopped: null });
    const paid = sync.state.outbox.map((payment) => paymentAmount(payment));
    expect(paid.reduce((sum, amount) => sum + amount, 0n)).toBe(merchant.value);
    expect(intents.map(({ whole }) => whole?.signed.length)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(intents.map(({ payments }) => payments[0]?.memo)).toEqual(["6869", "", "", "", "", ""]);
    const fees = sync.state.outbox.reduce((sum, { fee }) => sum + fee, 0n);
    expect(fees).toBe(request.maxFee);
    expectNothingTwice(sync.state);
    const [row, ...rest] = historyRows(sync.state, policy, []).filter(
      ({ kind }) => kind === "sent",
    );
    expect(rest).toEqual([]);
    expect(row).toMatchObject({ id: "whole", state: "waiting", amount: merchant.value, fee: fees });
    expect(row?.order).toMatchObject({ out: 6, stopped: null });
    expect(row?.order?.parts.map(({ paymentId }) => paymentId)).toEqual(
      [0, 1, 2, 3, 4, 5].map((number) => `whole:${number}`),
    );
  });

  it("survives a kill at any step, and goes on where it was", async () => {
    const outcomes = new Set<string>();
    const random = seededRandom("kills of an order");
    const alive = new MortalTab();
    const whole = await scene().open(alive);
    const request = requestOf(whole.sync.state);
    await sendPayment(whole.send, request, quiet, never);
    for (const deadly of drawnKills(random, { steps: alive.steps, out: WRITTEN, late: 3 })) {
      const { open, node, store, clock } = scene();
      const first = await open(new MortalTab(deadly));
      expect(await untilStill(sendPayment(first.send, request, quiet, never))).toBe(false);
      const before = [...node.submitted];
      store.tab = new MortalTab();
      const { sync, send } = await open();
      const order = findOrder(sync.state, "whole");
      // Nothing leaves before the whole is written down.
      if (before.length > 0) expect(order).toBeDefined();
      clock.now += 600_000n;
      await broadcastDue(send, never);
      if (order !== undefined && isResumable(sync.state, order)) {
        expect(sync.state.outbox.every(({ txid }) => txid !== null)).toBe(true);
        expect(repeatedPayments(sync.state, payees).length).toBeGreaterThan(0);
        await resumePayment(send, "whole", quiet, never);
      }
      const { outbox } = sync.state;
      const isPaid = order !== undefined;
      outcomes.add(isPaid ? "paid" : (outbox[0]?.status.state ?? "none"));
      const amount = outbox.reduce((sum, payment) => sum + paymentAmount(payment), 0n);
      if (isPaid) expect(amount).toBe(merchant.value);
      expect(new Set(node.submitted).size).toBe(isPaid ? 6 : 0);
      expectNothingTwice(sync.state);
      const fees = outbox.reduce((sum, { fee }) => sum + fee, 0n);
      expect(fees).toBeLessThanOrEqual(request.maxFee ?? 0n);
    }
    expect([...outcomes]).toEqual(["none", "draft", "paid"]);
  });

  it("stops where its owner stops it, and keeps what is out", async () => {
    const { open, node } = scene();
    const { sync, send } = await open();
    const stop = new AbortController();
    sync.subscribe(() => {
      if (node.submitted.length === 2) stop.abort(CANCELLED_BY_OWNER);
    });
    await expect(
      sendPayment(send, requestOf(sync.state), quiet, stop.signal),
    ).rejects.toMatchObject({ code: "wallet/cancelled" });
    const order = findOrder(sync.state, "whole");
    expect(order?.stopped?.code).toBe("wallet/cancelled");
    expect(order !== undefined && isResumable(sync.state, order)).toBe(false);
    expect(sync.state.outbox).toHaveLength(2);
    const [row] = historyRows(sync.state, policy, []);
    const paid = sync.state.outbox.reduce((sum, payment) => sum + paymentAmount(payment), 0n);
    expect(row).toMatchObject({ id: "whole", state: "waiting", amount: paid });
    expect(row?.order).toMatchObject({ out: 2, confirmed: merchant.value });
    // The rest is what is missing to the last sompi, and its memo has gone with the first part.
    const missing = merchant.value - paid;
    expect(row?.order?.rest).toMatchObject([{ value: missing, memo: { kind: "empty" } }]);
    const left = order === undefined ? [] : orderRest(sync.state, order);
    const request = { id: "rest", payees: left, maxFee: null, recoverable: false };
    await sendPayment(send, request, quiet, never);
    const all = sync.state.outbox.reduce((sum, payment) => sum + paymentAmount(payment), 0n);
    expect(all).toBe(merchant.value);
    const [later, before] = historyRows(sync.state, policy, []);
    expect([later?.id, before?.id]).toEqual(["rest", "whole"]);
    expect(before?.order?.rest).toEqual([]);
    await expect(resumePayment(send, "whole", quiet, never)).rejects.toThrow("internal/unexpected");
    expect(node.submitted).toHaveLength(6);
  });

  it("is to be gone on with after a lock, and can be stopped then", async () => {
    const { open, node } = scene();
    const { sync, send } = await open();
    const lock = new AbortController();
    sync.subscribe(() => {
      if (node.submitted.length === 2) lock.abort();
    });
    const paying = sendPayment(send, requestOf(sync.state), quiet, lock.signal);
    await expect(paying).rejects.toMatchObject({ code: "wallet/cancelled" });
    const again = await open();
    const order = findOrder(again.sync.state, "whole");
    expect(order !== undefined && isResumable(again.sync.state, order)).toBe(true);
    const [row] = historyRows(again.sync.state, policy, []);
    expect(row).toMatchObject({ id: "whole", state: "working", amount: merchant.value });
    await stopPayment(again.send, "whole");
    expect(findOrder(again.sync.state, "whole")?.stopped?.code).toBe("wallet/cancelled");
  });

  it("of which nothing is out when it is cancelled is a cancelled payment", async () => {
    const { open } = scene();
    const { sync, send } = await open();
    const stop = new AbortController();
    sync.subscribe(() => stop.abort(CANCELLED_BY_OWNER));
    await expect(
      sendPayment(send, requestOf(sync.state), quiet, stop.signal),
    ).rejects.toMatchObject({ code: "wallet/cancelled" });
    expect(sync.state.orders).toEqual([]);
    expect(sync.state.outbox).toMatchObject([{ id: "whole", status: { state: "cancelled" } }]);
  });

  it("ends where another wallet has spent a note of it, and pays nobody twice", async () => {
    const { model, open, node } = scene();
    const { sync, send } = await open();
    const lock = new AbortController();
    sync.subscribe(() => {
      if (node.submitted.length === 3) lock.abort();
    });
    await sendPayment(send, requestOf(sync.state), quiet, lock.signal).catch(quiet);
    const stolen =
      sync.state.outbox[1]?.reserved.map(({ nullifier }) => asNullifier(nullifier)) ?? [];
    model.add({ txs: [{ txid: asTxId("99".repeat(32)), spends: stolen }] });
    const again = await open();
    const order = findOrder(again.sync.state, "whole");
    if (order === undefined) throw new TypeError("the order is stored");
    expect(orderProgress(again.sync.state, order).lost?.id).toBe("whole:1");
    expect(isResumable(again.sync.state, order)).toBe(false);
    const { out } = orderProgress(again.sync.state, order);
    const paid = out.reduce((sum, payment) => sum + paymentAmount(payment), 0n);
    expect(out).toHaveLength(2);
    expect(orderRest(again.sync.state, order)).toMatchObject([{ value: merchant.value - paid }]);
    expectNothingTwice(again.sync.state);
  });

  it("refuses fees above what was confirmed when it is gone on with", async () => {
    const { open, node } = scene();
    const { sync, send } = await open();
    const lock = new AbortController();
    sync.subscribe(() => {
      if (node.submitted.length === 2) lock.abort();
    });
    await sendPayment(send, requestOf(sync.state), quiet, lock.signal).catch(quiet);
    const narrow = { ...policy, maxSpends: 20 };
    await expect(resumePayment({ ...send, policy: narrow }, "whole", quiet, never)).rejects.toThrow(
      "wallet/fee-too-high",
    );
    expect(findOrder(sync.state, "whole")?.stopped?.code).toBe("wallet/fee-too-high");
    expect(node.submitted).toHaveLength(2);
  });

  it("to oneself is one, too", async () => {
    const { open, node } = scene();
    const { sync, send } = await open();
    const own = payeeOf(merchant.value, { recipient: OWN_ADDRESS });
    const request = { ...requestOf(sync.state), payees: [own] };
    await sendPayment(send, request, quiet, never);
    expect(node.submitted).toHaveLength(6);
  });
});
