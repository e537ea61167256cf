import {
  asAddressText,
  asChainIndex,
  asDaaScore,
  asSompi,
  asTimestampMs,
  type TimestampMs,
} from "@svc/shared/base/brand.ts";
import type { ChainProof } from "@svc/shared/wallet/proof/chainProof.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import { encodeMemo } from "@svc/shared/wallet/state/memo.ts";
import { cursorOf } from "@svc/shared/wallet/state/walletState.ts";
import { applyFacts } from "@svc/shared/wallet/reduce/applyFacts.ts";
import { reviewPayment } from "@svc/shared/wallet/plan/reviewPayment.ts";
import { payeeOf } from "@svc/shared/wallet/testkit/payments.ts";
import { historyRows } from "@svc/shared/wallet/view/history.ts";
import { labelledRows, NO_LABELS } from "@svc/shared/wallet/view/labelledRows.ts";
import { ChainModel, freshWallet, TEST_POLICY } from "@svc/shared/wallet/testkit/chainModel.ts";
import { describe, expect, test } from "vitest";
import {
  historyFound,
  historyPage,
  walletView,
  type WalletFacts,
  type WalletTip,
} from "./walletView.ts";

const COIN = 100_000_000n;

/** A chain that mined 57 coins early, 60 late, and received 5 with a memo. */
function facts(): WalletFacts {
  const chain = new ChainModel();
  chain.add({ mined: [57n * COIN] });
  chain.addEmpty(15);
  const outputs = [{ value: 5n * COIN, memo: encodeMemo("Rent for May") }];
  chain.add({ mined: [60n * COIN], txs: [{ txid: chain.txid(), outputs }] });
  chain.addEmpty(2);
  return {
    state: applyFacts(freshWallet(), chain.page(1), TEST_POLICY),
    policy: TEST_POLICY,
    incoming: [],
    labels: { ...NO_LABELS, version: 0 },
    loop: { failures: 0, problem: null, everSynced: true },
    nodeAway: false,
    everSynced: true,
    birthdayGuessed: false,
    older: null,
    tip: tipAt(BigInt(chain.length)),
    addressText: (index) => `address ${index}`,
    nowMs: asTimestampMs(0n),
  };
}

/** A tip of a node that has the whole history. */
function tipAt(index: bigint): WalletTip {
  return {
    chainIndex: asChainIndex(index),
    historyComplete: true,
    historyFromDaaScore: asDaaScore(0n),
  };
}

describe("the wallet as the page shows it", () => {
  test("adds up what is spendable and what matures, and says when", () => {
    const view = walletView(facts());
    expect(view.balances.total).toBe(122n * COIN);
    expect(view.balances.spendable).toBe(57n * COIN);
    expect(view.balances.maturing).toBe(65n * COIN);
    expect(view.maturing).toEqual([{ amount: 65n * COIN, blocksLeft: 8n, secondsLeft: 8n }]);
    expect(view.status.phase).toBe("ready");
    expect(view.address).toEqual({ text: "address 0", index: 0 });
    expect(view.noteCount).toBe(1);
  });

  test("never calls a number found half-way the balance", () => {
    const first = { ...facts(), everSynced: false, tip: tipAt(5_000n) };
    const view = walletView({ ...first, loop: { ...first.loop, everSynced: false } });
    expect(view.status).toMatchObject({ phase: "scanning", final: false, canSpend: false });
    expect(walletView({ ...first, everSynced: true }).status).toMatchObject({
      phase: "catching-up",
      final: true,
    });
  });

  test("keeps showing the balance when the node is away", () => {
    const loop = { failures: 9, problem: null, everSynced: false };
    const view = walletView({ ...facts(), loop, tip: null });
    expect(view.status).toMatchObject({ phase: "offline", final: true, canSpend: false });
    expect(view.balances.total).toBe(122n * COIN);
  });
});

describe("a node whose history begins late", () => {
  const late = { ...tipAt(19n), historyComplete: false, historyFromDaaScore: asDaaScore(7n) };
  const scanning = { failures: 0, problem: null, everSynced: false };

  test("makes every sum an at least, from before the first one is shown", () => {
    const half = { ...facts(), everSynced: false, loop: scanning, tip: late };
    expect(walletView(half).status.atLeast).toBe(true);
    expect(walletView({ ...half, tip: tipAt(19n) }).status.atLeast).toBe(false);
  });

  test("takes nothing from what was scanned with another one", () => {
    expect(walletView({ ...facts(), tip: late }).status.atLeast).toBe(false);
  });

  test("is remembered after the scan", () => {
    const { state } = facts();
    const account = { ...state.account, historyMissing: true };
    const view = walletView({ ...facts(), state: { ...state, account } });
    expect(view.status).toMatchObject({ phase: "ready", final: true, atLeast: true });
  });
});

test("a record that only its owner knows to be false is named, and nothing is paid on it", () => {
  const { state } = facts();
  const contradiction = { chainIndex: asChainIndex(4n), reason: "a note is there twice" };
  const view = walletView({ ...facts(), state: { ...state, contradiction } });
  expect(view.problem).toEqual({
    code: "wallet/false-record",
    data: { index: "4", reason: "a note is there twice" },
  });
  expect(view.status).toMatchObject({ phase: "degraded", canSpend: false });
});

describe("a node in doubt", () => {
  const { state } = facts();
  const block = state.blocks.at(-4);
  if (block === undefined) throw new Error("the chain is longer");
  const { hash, chainIndex, blueScore: tipBlueScore, timestamp: tipTimestamp } = block;
  const near = { hash, chainIndex, tip: hash, tipBlueScore, tipTimestamp, blocks: 2n };
  const viewWith = (change: Partial<ChainProof>, more: Partial<WalletFacts> = {}) => {
    const proof = { ...state.proof, near, ...change };
    return walletView({ ...facts(), ...more, state: { ...state, proof } });
  };

  test("is none that was found at nothing, and what was shown is told", () => {
    const { evidence, status } = viewWith({});
    const backing = { kind: "work", blocks: 2n, ms: 2n * TEST_POLICY.blockTimeMs };
    expect(evidence).toMatchObject({ doubt: null, far: null, near: { chainIndex, backing } });
    expect([evidence.last, status.phase]).toEqual([evidence.near, "ready"]);
  });

  test("is named once, and a lie of an earlier session still stands in the way", () => {
    const fault = { code: "evidence/other-notes", data: {} } as const;
    const honest = viewWith({});
    const loop = { failures: 1, problem: fault, everSynced: true };
    for (const more of [{}, { loop }]) {
      const { evidence, problem, status } = viewWith({ fault }, more);
      expect([evidence.doubt, problem]).toEqual([fault, null]);
      expect(status).toMatchObject({ phase: "degraded", canSpend: false });
    }
    // The block above the last proved one brought 65 coins, which do not count.
    const doubted = viewWith({ fault });
    expect([honest.balances.total, doubted.balances.total]).toEqual([122n * COIN, 57n * COIN]);
    expect(doubted.asOf.chainIndex).toBe(chainIndex);
    expect(doubted.historyLength).toBe(1);
  });

  test("that lies before anything was proved leaves no sum to show", () => {
    const fault = { code: "evidence/other-nullifiers", data: {} } as const;
    const view = viewWith({ fault, near: null });
    expect(view.status).toMatchObject({ phase: "degraded", final: false });
    expect(view.balances.total).toBe(0n);
  });

  test("that shows nothing stops nothing", () => {
    const fault = { code: "evidence/not-shown", data: { reason: "http/not-found" } } as const;
    const { evidence, problem, status } = viewWith({ fault });
    expect([evidence.doubt, problem, status.canSpend]).toEqual([fault, null, true]);
  });

  test("by another node's word alone is told, and stops nothing", () => {
    const page = { code: "evidence/other-page", data: {} } as const;
    const tip = { code: "evidence/behind-other", data: {} } as const;
    const fault = { code: "evidence/not-shown", data: {} } as const;
    const told = viewWith({ second: { page, tip: null, compared: null } });
    expect([told.evidence.doubt, told.problem, told.status.canSpend]).toEqual([page, null, true]);
    expect(told.balances.total).toBe(viewWith({}).balances.total);
    const both = { page, tip, compared: null };
    expect(viewWith({ second: both }).evidence.doubt).toEqual(tip);
    expect(viewWith({ second: both, fault }).evidence.doubt).toEqual(fault);
  });

  test("shows work that has no measure, or none: nothing is settled by depth", () => {
    const deep = { ...TEST_POLICY, settleDepth: 0n };
    const unknown = { ...deep, work: "unknown" } as const;
    const states = (view: ReturnType<typeof viewWith>) =>
      view.recent.flatMap((line) => ("state" in line ? [line.state] : []));
    /** It covers every block. */
    const over = { ...near, chainIndex: cursorOf(state).chainIndex };
    expect(states(viewWith({ near: over }, { policy: deep }))).toContain("settled");
    const unmeasured = viewWith({ near: over }, { policy: unknown });
    expect(unmeasured.evidence.doubt?.code).toBe("evidence/unknown-work");
    expect(unmeasured.evidence.last?.backing).toEqual({ kind: "unmeasured" });
    expect(states(unmeasured)).not.toContain("settled");
    // Neither does a node that shows nothing get it settled.
    expect(states(viewWith({ near: null }, { policy: unknown }))).not.toContain("settled");
    const worthless = viewWith({ near: { ...over, blocks: 0n } }, { policy: deep });
    expect(states(worthless)).not.toContain("settled");
    expect(worthless.evidence.doubt).toBeNull();
    // A network without work needs no measure.
    const free = viewWith({}, { policy: { ...deep, work: "none" } });
    expect(free.evidence.doubt).toBeNull();
    expect(states(free)).toContain("settled");
  });

  test("has a newest block that is too old by the wallet's clock", () => {
    const at = (ms: bigint) => ({ nowMs: (near.tipTimestamp + ms) as TimestampMs });
    const last = WALLET_LIMITS.evidenceStaleMs;
    expect(viewWith({}, at(last)).evidence.doubt).toBeNull();
    expect(viewWith({}, at(last + 1n)).evidence.doubt?.code).toBe("evidence/stale-tip");
    // Neither a run without work nor a page with a newer time hides it.
    const idle = { near: { ...near, blocks: 0n } };
    expect(viewWith(idle, at(last + 1n)).evidence.doubt?.code).toBe("evidence/stale-tip");
    const policy = { ...TEST_POLICY, work: "none" } as const;
    expect(viewWith({}, { ...at(last + 1n), policy }).evidence.doubt).toBeNull();
  });
});

describe("numbers that can be relied on", () => {
  test("B4: what is said to be sendable is, over as many transactions as it takes", () => {
    const chain = new ChainModel();
    for (let block = 0; block < 30; block += 1) chain.add({ mined: [COIN] });
    chain.addEmpty(20);
    const state = applyFacts(freshWallet(), chain.page(1), TEST_POLICY);
    const view = walletView({ ...facts(), state, tip: tipAt(BigInt(chain.length)) });
    expect(view.balances.spendable).toBe(30n * COIN);
    expect(view.sendable).toMatchObject({ notes: 30, transactions: 3 });
    expect(view.sendable.amount + view.sendable.fee).toBe(30n * COIN);
    const all = reviewPayment(state, TEST_POLICY, [payeeOf(view.sendable.amount)]);
    expect(all.planned.map(({ notes }) => notes.length)).toEqual([10, 10, 10]);
    const more = [payeeOf(view.sendable.amount + 1n)];
    expect(() => reviewPayment(state, TEST_POLICY, more)).toThrow("wallet/insufficient-funds");
  });

  test("B13: one failed look at the node is enough to say that it is away", () => {
    const view = walletView({ ...facts(), nodeAway: true });
    expect(view.status).toMatchObject({ phase: "offline", final: true, canSpend: false });
  });
});

describe("the history", () => {
  const { state, policy } = facts();
  const rows = historyRows(state, policy, []);
  const find = (text: string, kind: "all" | "received" | "mined" = "all") =>
    historyPage(rows, { kind, text, amount: text, limit: 50 }).rows.map(
      ({ amount }) => amount / COIN,
    );

  test("is newest first and can be cut short", () => {
    const page = historyPage(rows, { kind: "mined", text: "", amount: "", limit: 1 });
    expect(page.total).toBe(2);
    expect(page.rows).toHaveLength(1);
    expect(page.rows.every((row) => row.amount !== 57n * COIN)).toBe(true);
  });

  test("U3: folds what was mined on a day, unless it or a text is asked for", () => {
    const page = historyPage(rows, { kind: "all", text: "", amount: "", limit: 50 });
    expect(page.rows.filter(({ kind }) => kind === "mined-day")).toHaveLength(1);
    expect(page.total).toBe(2);
    expect(
      historyPage(rows, { kind: "all", text: "57", amount: "57", limit: 50 }).rows[0]?.kind,
    ).toBe("mined");
  });

  test("is searched by memo, amount and transaction", () => {
    expect(find(" rent FOR ")).toEqual([5n]);
    expect(find("57")).toEqual([57n]);
    expect(find(rows.at(-1)?.txid ?? "")).toEqual([57n]);
    expect(find("nothing like it")).toEqual([]);
  });

  test("is searched by an amount in plain decimal", () => {
    const found = (text: string, amount: string) =>
      historyFound(rows, { kind: "all", text, amount }).map(({ amount: sum }) => sum / COIN);
    expect(found("57,00", "57")).toEqual([57n]);
    expect(found("57,00", "57,00")).toEqual([]);
    expect(found("rent", "5")).toEqual([5n, 57n]);
    expect(found("rent", "")).toEqual([5n]);
  });

  test("is searched by what its owner wrote to payments and called addresses", () => {
    const [newest] = rows;
    const payments = new Map([[newest?.id ?? "", "Für die Miete"]]);
    const addresses = new Map([[newest?.addressIndex ?? 0, "Shop"]]);
    const found = (text: string, labels: Partial<typeof NO_LABELS>) =>
      historyFound(labelledRows(rows, { ...NO_LABELS, ...labels }), {
        kind: "all",
        text,
        amount: "",
      }).map(({ id }) => id);
    expect(found("miete", { payments })).toEqual([newest?.id]);
    expect(found("shop", { addresses })).toContain(newest?.id);
    expect(found("miete", {})).toEqual([]);
  });

  test("is searched by each of several payees and their memos", () => {
    const [first, ...others] = rows;
    if (first === undefined) throw new TypeError("the history has rows");
    const memo = { kind: "text", text: "two loaves" } as const;
    const baker = { address: asAddressText("test:baker"), value: asSompi(1n), memo };
    const searched = [{ ...first, payees: [baker] }, ...others];
    const found = (text: string) =>
      historyFound(searched, { kind: "all", text, amount: "" }).length;
    expect([found("test:baker"), found("Two Loaves"), found("test:butcher")]).toEqual([1, 1, 0]);
  });

  test("is whole where a file is made of it", () => {
    expect(historyFound(rows, { kind: "all", text: "", amount: "" })).toEqual(rows);
    expect(historyFound(rows, { kind: "received", text: "rent", amount: "" })).toHaveLength(1);
  });

  test("is filtered by kind", () => {
    expect(find("", "received")).toEqual([5n]);
    expect(find("", "mined")).toHaveLength(2);
  });
});
