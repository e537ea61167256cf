/** Two wallets of one seed pay from the same note: one payment is paid, the other wallet says why its own is not. */
import { describe, expect, it } from "vitest";
import { untilAborted } from "../../base/abort.ts";
import { applyFacts } from "../reduce/applyFacts.ts";
import { balances } from "../plan/balances.ts";
import { broadcastDue } from "../send/broadcast.ts";
import { historyRows } from "../view/history.ts";
import { duePayments, paymentOf, resumeOutbox } from "../reduce/outbox.ts";
import { holdsNotes } from "../state/payment.ts";
import { rivalOf } from "../reduce/rival.ts";
import { rollback } from "../reduce/rollback.ts";
import { sendPayment, type SendRequest } from "../send/sendPayment.ts";
import { spendability } from "../plan/spendability.ts";
import { ChainModel, freshWallet, OWN_SECOND, TEST_POLICY } from "../testkit/chainModel.ts";
import { advance, eventsToMempool, payeeOf, withPlanned } from "../testkit/payments.ts";
import { SharedSeed, type SeedWallet } from "../testkit/sharedSeed.ts";
import type { WalletState } from "../state/walletState.ts";

const COIN = 100_000_000n;
const never = new AbortController().signal;
const quiet = (): void => undefined;

/** Coins that the first wallet's payment leaves of the note. */
const CHANGE = 2n * COIN;

function request(id: string, value: bigint): SendRequest {
  return { id, payees: [payeeOf(value)], maxFee: null, recoverable: false };
}

/** Two wallets with the same five notes, each at its node; both nodes are one unless a test wants two. */
async function twoWallets(apart = false) {
  const model = new ChainModel();
  model.add({ mined: [5n * COIN, 5n * COIN, 5n * COIN, 5n * COIN, 5n * COIN] });
  model.addEmpty(14);
  const seed = new SharedSeed(model);
  const node = seed.node();
  const first = await seed.open(node);
  const second = await seed.open(apart ? seed.node() : node);
  return { model, seed, first, second };
}

function sumsOf({ sync }: SeedWallet) {
  return balances(sync.state, spendability(sync.state, TEST_POLICY), []);
}

function rowOf(state: WalletState, id: string) {
  return historyRows(state, TEST_POLICY, []).find(({ paymentId }) => paymentId === id);
}

function rival({ sync }: SeedWallet, id: string) {
  return rivalOf(sync.state.outbox, paymentOf(sync.state, id));
}

/** What must be so when the first one's payment is in a block: same sums, its line in both histories, and money to pay with. */
async function expectBothRight(first: SeedWallet, second: SeedWallet): Promise<void> {
  for (const { sync } of [first, second]) await sync.catchUp(never);
  expect(paymentOf(first.sync.state, "p").status.state).toBe("accepted");
  const lost = paymentOf(second.sync.state, "q");
  expect(lost.status).toMatchObject({
    state: "conflicted",
    txid: paymentOf(first.sync.state, "p").txid,
  });
  expect(holdsNotes(lost)).toBe(false);
  expect(rival(second, "q")).toBe("elsewhere");
  expect(sumsOf(second)).toEqual(sumsOf(first));
  expect(sumsOf(second)).toMatchObject({ spendable: 20n * COIN, pendingOut: 0n, returning: 0n });
  const there = second.sync.state.history.filter(({ kind }) => kind === "sent");
  expect(there.map(({ txid, amount }) => [txid, amount])).toEqual([
    [paymentOf(first.sync.state, "p").txid, 3n * COIN],
  ]);
  expect(rowOf(second.sync.state, "q")).toMatchObject({ state: "failed", rival: "elsewhere" });
  const again = { ...request("r", 3n * COIN), separate: true };
  const paid = await sendPayment(second.send, again, quiet, never);
  expect(paid.status.state).toBe("mempool");
}

describe("the second of two wallets with one seed", () => {
  it("is told that its node holds the other payment, and comes right with the block", async () => {
    const { seed, first, second } = await twoWallets();
    await sendPayment(first.send, request("p", COIN), quiet, never);
    const queued = await sendPayment(second.send, request("q", 2n * COIN), quiet, never);
    expect(second.prover.plans[0]?.spends).toEqual(first.prover.plans[0]?.spends);
    expect(queued.status).toMatchObject({
      state: "broadcasting",
      lastError: { code: "mempool/nullifier-conflict" },
    });
    expect(rival(second, "q")).toBe("elsewhere");
    expect(rowOf(second.sync.state, "q")).toMatchObject({ state: "waiting", rival: "elsewhere" });
    // Its bytes are out: until a block decides the note stays set aside.
    expect(holdsNotes(queued)).toBe(true);
    seed.mine(first.node, CHANGE);
    await expectBothRight(first, second);
    expect(duePayments(second.sync.state, second.clock.nowMs())).toEqual([]);
  });

  it("is paid after all when the other payment leaves the pool", async () => {
    const { first, second } = await twoWallets();
    await sendPayment(first.send, request("p", COIN), quiet, never);
    await sendPayment(second.send, request("q", 2n * COIN), quiet, never);
    first.node.pool.clear();
    second.clock.now += 60_000n;
    await broadcastDue(second.send, never);
    expect(paymentOf(second.sync.state, "q").status.state).toBe("mempool");
    expect(rival(second, "q")).toBeNull();
  });

  it("is told that a block has spent its note before it has scanned that block", async () => {
    const { seed, first, second } = await twoWallets();
    await sendPayment(first.send, request("p", COIN), quiet, never);
    seed.mine(first.node, CHANGE);
    const queued = await sendPayment(second.send, request("q", 2n * COIN), quiet, never);
    expect(queued.status).toMatchObject({ lastError: { code: "tx/nullifier-spent" } });
    expect(rival(second, "q")).toBe("elsewhere");
    await expectBothRight(first, second);
  });

  it("stops its proof when a block has spent its note, and sends nothing", async () => {
    const { seed, first, second } = await twoWallets();
    const proving = Promise.withResolvers<void>();
    second.prover.pause = (signal) => {
      proving.resolve();
      return untilAborted(signal);
    };
    const payment = sendPayment(second.send, request("q", 2n * COIN), quiet, never);
    const ended = payment.catch((error: unknown) => error);
    await proving.promise;
    await sendPayment(first.send, request("p", COIN), quiet, never);
    seed.mine(first.node, CHANGE);
    await second.sync.catchUp(never);
    expect(await ended).toMatchObject({ code: "tx/nullifier-spent" });
    second.prover.pause = async () => undefined;
    expect(second.node.calls.filter((call) => call === "submit")).toHaveLength(1);
    expect(rowOf(second.sync.state, "q")?.removable).toBe(true);
    await expectBothRight(first, second);
  });

  it("does not call a payment sent whose note a block spends while it is handed over", async () => {
    const { seed, first, second } = await twoWallets(true);
    await sendPayment(first.send, request("p", COIN), quiet, never);
    const submit = second.node.submit.bind(second.node);
    second.node.submit = async (raw) => {
      seed.mine(first.node, CHANGE);
      await second.sync.catchUp(never);
      return submit(raw);
    };
    const ended = sendPayment(second.send, request("q", 2n * COIN), quiet, never);
    await expect(ended).rejects.toThrow("tx/nullifier-spent");
    second.node.submit = submit;
    await expectBothRight(first, second);
  });

  it("loses its payment in another node's pool to the one that a block has", async () => {
    const { seed, first, second } = await twoWallets(true);
    await sendPayment(first.send, request("p", COIN), quiet, never);
    const taken = await sendPayment(second.send, request("q", 2n * COIN), quiet, never);
    expect(taken.status.state).toBe("mempool");
    expect(rival(second, "q")).toBeNull();
    seed.mine(first.node, CHANGE);
    second.node.pool.clear();
    await expectBothRight(first, second);
  });

  it("has the notes back that it does not share with the other payment", async () => {
    const { seed, first, second } = await twoWallets();
    await sendPayment(first.send, request("p", COIN), quiet, never);
    await sendPayment(second.send, request("q", 12n * COIN), quiet, never);
    expect(paymentOf(second.sync.state, "q").reserved).toHaveLength(3);
    expect(sumsOf(second).spendable).toBe(10n * COIN);
    seed.mine(first.node, CHANGE);
    await expectBothRight(first, second);
  });
});

describe("who spends the same note", () => {
  it("is an earlier try of this wallet where there is one", async () => {
    const { seed, second } = await twoWallets();
    await sendPayment(second.send, request("q", 2n * COIN), quiet, never);
    const again = await sendPayment(second.send, request("r", 2n * COIN), quiet, never);
    expect(again.status).toMatchObject({ lastError: { code: "mempool/nullifier-conflict" } });
    expect(rival(second, "r")).toBe("own");
    seed.mine(second.node, CHANGE);
    await second.sync.catchUp(never);
    expect(paymentOf(second.sync.state, "r").status.state).toBe("conflicted");
    expect(rival(second, "r")).toBe("own");
  });

  it("is nobody for a payment that the node refuses for another reason", async () => {
    const { second } = await twoWallets();
    const error = { code: "mempool/full", data: {} } as const;
    await sendPayment(second.send, request("q", 2n * COIN), quiet, never);
    const state = advance(second.sync.state, "q", [{ type: "refused", error }]);
    expect(rivalOf(state.outbox, paymentOf(state, "q"))).toBeNull();
  });
});

describe("a payment that a block contradicted before it was signed", () => {
  /** The state before and after that block. */
  function contradicted(steps: number) {
    const model = new ChainModel();
    model.add({ mined: [5n * COIN] });
    model.addEmpty(14);
    let state = applyFacts(freshWallet(), model.page(1), TEST_POLICY);
    const payees = [payeeOf(COIN, { recipient: OWN_SECOND })];
    state = withPlanned(state, TEST_POLICY, { id: "q", payees });
    state = advance(state, "q", eventsToMempool(model.txid()).slice(0, steps));
    const before = model.tip;
    const spends = paymentOf(state, "q").reserved.map(({ nullifier }) => nullifier);
    model.add({ txs: [{ txid: model.txid(), spends }] });
    return { before, state: applyFacts(state, model.page(16), TEST_POLICY) };
  }

  const spent = { code: "tx/nullifier-spent", data: {} } as const;

  it.each([
    ["fails", { type: "fail", error: spent }, "failed"],
    ["is cancelled", { type: "cancel" }, "cancelled"],
  ] as const)("holds nothing when it %s and the block is undone", (_, event, state) => {
    for (const steps of [0, 1, 2]) {
      const { before, state: after } = contradicted(steps);
      expect(paymentOf(after, "q").status.state).toBe("conflicted");
      const ended = advance(after, "q", [event]);
      expect(paymentOf(ended, "q").status.state).toBe("conflicted");
      const undone = paymentOf(rollback(ended, before), "q");
      expect(undone.status.state).toBe(state);
      expect(holdsNotes(undone)).toBe(false);
    }
  });

  it("holds nothing when the program stopped and the block is undone", () => {
    for (const steps of [0, 1, 2]) {
      const { before, state: after } = contradicted(steps);
      const undone = paymentOf(rollback(resumeOutbox(after), before), "q");
      expect(undone.status.state).toBe("draft");
      expect(holdsNotes(undone)).toBe(false);
    }
  });

  it("is still on its way when it was signed and the block is undone", () => {
    const { before, state } = contradicted(3);
    const ended = advance(state, "q", [{ type: "fail", error: spent }]);
    expect(paymentOf(rollback(ended, before), "q").status.state).toBe("signed");
  });
});
