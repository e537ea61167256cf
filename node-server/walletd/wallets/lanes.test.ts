import { describe, expect, it } from "vitest";
import { asChainIndex, asRawAddress, type RawAddress } from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { applyFacts } from "@svc/shared/wallet/reduce/applyFacts.ts";
import { restart } from "@svc/shared/wallet/reduce/rollback.ts";
import { cursorOf, newWallet, type WalletState } from "@svc/shared/wallet/state/walletState.ts";
import { encodeWalletState } from "@svc/shared/wallet/state/walletStateCodec.ts";
import { startElsewhere, type FoundStart } from "@svc/shared/wallet/sync/birthday.ts";
import { askTip } from "@svc/shared/wallet/sync/walletSync.ts";
import { ChainModel, EPOCH_POLICY, freshWallet } from "@svc/shared/wallet/testkit/chainModel.ts";
import { FoldTree, ModelNode } from "@svc/shared/wallet/testkit/ports.ts";
import { SimClock } from "@svc/shared/wallet/testkit/simClock.ts";
import { asWalletToken } from "../keys/walletToken.ts";
import { keyOfAddress, ModelKeyScan } from "../testkit/modelKeyScan.ts";
import { Lanes, type LanesParts } from "./lanes.ts";
import { LaneTree } from "./laneTree.ts";
import { LoadedWallet } from "./loadedWallet.ts";
import type { LaneTreeChange } from "./scanLane.ts";

const policy = { ...EPOCH_POLICY, recentBlocks: 40 };
const { signal } = new AbortController();

function addressOf(wallet: number): RawAddress {
  return asRawAddress((wallet + 1).toString(16).padStart(2, "0").repeat(43));
}

/** A daemon's lanes over a model of a chain, with a clock that the test runs. */
async function setUp(
  model: ChainModel,
  options: { mainFrom?: number; most?: number; isFresh?: boolean; failingStarts?: number } = {},
) {
  const node = new ModelNode(model);
  const scan = new ModelKeyScan(model);
  const clock = new SimClock();
  const { genesis, profileDigest } = freshWallet().account;
  const lost: LoadedWallet[] = [];
  const makeTree = (bytes: Uint8Array) => new FoldTree(bytes);
  const startParts = { node, policy, makeTree, nowMs: clock.nowMs() };
  let failing = false;
  let failingStarts = options.failingStarts ?? 0;
  let stored = { base: new Uint8Array(), leaves: new Uint8Array() };
  const startAt = async (index: number): Promise<FoundStart> => {
    const { tree, ...place } = await node.start(BigInt(index));
    const leafEnd = place.chainIndex === 0n ? 0n : BigInt(tree.length / 32);
    const block = { ...freshWallet().account.birthday, ...place, leafEnd } as FoundStart["block"];
    return { block, tree, historyMissing: false };
  };
  const parts: LanesParts = {
    policy,
    node,
    clock,
    scan,
    makeTree,
    pageBlocks: 7,
    most: options.most ?? 2,
    askTip: (either) => askTip(node, { genesis, profileDigest }, either),
    startAtTip: (tip) => startAt(Math.max(0, Number(tip.chainIndex) - 8)),
    commit: (change, isMain) => {
      const isStart = (change.tree?.start ?? null) !== null && failingStarts > 0;
      if (isStart) failingStarts -= 1;
      if (failing || isStart) throw new SvcError("store/commit-failed", { reason: "a test" });
      if (isMain && change.tree !== null) stored = storedAfter(stored, change.tree);
    },
    onLost: (wallets) => lost.push(...wallets),
    onTip: () => undefined,
  };
  const from = await startAt(options.mainFrom ?? 0);
  const start = { bytes: from.tree, base: from.block.leafEnd };
  const tree = options.isFresh === true ? null : new LaneTree(makeTree(from.tree), start, false);
  const lanes = new Lanes(parts, { view: [from.block], tree });
  const wallet = async (number: number, birthday = 0): Promise<LoadedWallet> => {
    const { block } = await startAt(birthday);
    return walletOf(number, block);
  };
  const fail = (now: boolean): void => void (failing = now);
  const storedTree = (): string => encodeHex(concatBytes(stored.base, stored.leaves));
  stored = { base: from.tree.slice(), leaves: new Uint8Array() };
  return { node, scan, clock, lanes, wallet, lost, startParts, fail, storedTree };
}

/** A new wallet whose history begins after a block. */
function walletOf(number: number, birthday: FoundStart["block"]): LoadedWallet {
  const account = { ...freshWallet().account, defaultAddress: addressOf(number), birthday };
  const keys = {
    token: asWalletToken(`wallet-${number}`),
    fvk: keyOfAddress(addressOf(number)),
    identity: account,
  };
  return new LoadedWallet(keys, newWallet(account));
}

/** The tree as a store keeps it: what it begins with, and the leaves since then. */
function storedAfter(
  { base, leaves }: { base: Uint8Array<ArrayBuffer>; leaves: Uint8Array<ArrayBuffer> },
  { start, truncatedTo, appended }: LaneTreeChange,
) {
  if (start !== null) return { base: start.bytes.slice(), leaves: appended.slice() };
  const kept = truncatedTo === null ? undefined : Number(truncatedTo) * 32 - base.length;
  return { base, leaves: concatBytes(leaves.subarray(0, kept), appended) };
}

/** The state that the wallet reaches which is scanned for alone, from its birthday on. */
function alone(model: ChainModel, wallet: LoadedWallet): string {
  const { account } = wallet.state;
  const from = Number(account.birthday.chainIndex) + 1;
  let state: WalletState = newWallet({ ...account, nextAddressIndex: 1 });
  for (let index = from; index <= model.length; index += 1) {
    const { firstIndex, facts } = model.page(index, index);
    const blocks = facts.blocks.map((block) => ({
      ...block,
      notes: block.notes.filter(({ recipient }) => recipient === account.defaultAddress),
    }));
    state = applyFacts(state, { firstIndex, facts: { ...facts, blocks } }, policy);
  }
  return comparable(state);
}

/** What does not depend on how many blocks are remembered. */
function comparable(state: WalletState): string {
  return encodeWalletState({ ...state, blocks: [cursorOf(state)] });
}

/** A chain in which each of some wallets is paid now and then. */
function paidChain(blocks: number, wallets: number): ChainModel {
  const model = new ChainModel();
  extend(model, blocks, wallets);
  return model;
}

function extend(model: ChainModel, blocks: number, wallets: number): void {
  for (let added = 0; added < blocks; added += 1) {
    const recipient = addressOf(model.length % wallets);
    model.add({ txs: [{ txid: model.txid(), outputs: [{ value: 5n, recipient }] }] });
  }
}

/** Holds back the pages of a node from now on, until it is opened; `held` is how many are asked for at once. */
function holdPages(node: ModelNode) {
  const { blocks } = node;
  const opened = Promise.withResolvers<void>();
  const gate = { held: 0, open: () => opened.resolve() };
  Object.assign(node, {
    blocks: async (...args: Parameters<typeof blocks>) => {
      gate.held += 1;
      await opened.promise;
      gate.held -= 1;
      return blocks.apply(node, args);
    },
  });
  return gate;
}

describe("the lanes of a daemon", () => {
  it("keeps that a memo is unknown where the node serves none", async () => {
    const model = paidChain(9, 2);
    const { node, lanes, wallet, clock } = await setUp(model);
    const { blocks } = node;
    Object.assign(node, {
      blocks: async (...args: Parameters<typeof blocks>) => ({
        ...(await blocks.apply(node, args)),
        memosUnknown: true,
      }),
    });
    const [first, second] = [await wallet(0), await wallet(1)];
    lanes.add([first, second]);
    lanes.start();
    await clock.run(60_000);
    for (const { state } of [first, second]) {
      expect(state.notes).not.toHaveLength(0);
      for (const found of [...state.notes, ...state.history]) {
        expect(found).toMatchObject({ memoKnown: false });
      }
    }
    await lanes.stop();
  });

  it("bring wallets of different birthdays to the tip, each to the state that it has alone", async () => {
    const model = paidChain(60, 5);
    const { lanes, clock, wallet } = await setUp(model);
    const births = [0, 4, 8, 8, 40];
    const wallets = await Promise.all(births.map((birth, number) => wallet(number, birth)));
    lanes.add(wallets);
    lanes.start();
    await clock.run(60_000);
    for (const one of wallets) {
      expect(lanes.isAtTip(one)).toBe(true);
      expect(comparable(one.state)).toBe(alone(model, one));
      expect(one.state.blocks).toBe(lanes.main.view);
    }
    extend(model, 5, 5);
    lanes.wake();
    await clock.run(5_000);
    for (const one of wallets) expect(comparable(one.state)).toBe(alone(model, one));
    await lanes.stop();
  });

  it("bring two wallets of one key to the state that each has alone", async () => {
    const model = paidChain(30, 2);
    const { lanes, clock, wallet } = await setUp(model);
    const wallets = [await wallet(0), await wallet(0, 8), await wallet(1)];
    lanes.add(wallets);
    lanes.start();
    await clock.run(60_000);
    extend(model, 5, 2);
    lanes.wake();
    await clock.run(5_000);
    for (const one of wallets) {
      expect(one.state.notes).not.toHaveLength(0);
      expect(comparable(one.state)).toBe(alone(model, one));
    }
    await lanes.stop();
  });

  it("scan a stretch that several wallets need once", async () => {
    const model = paidChain(60, 3);
    const { lanes, clock, wallet, scan } = await setUp(model, { mainFrom: 56 });
    lanes.start();
    await clock.run(2_000);
    scan.scanned.length = 0;
    // One behind the other, in the middle of pages.
    lanes.add(await Promise.all([wallet(0, 8), wallet(1, 10), wallet(2, 31)]));
    await clock.run(60_000);
    expect(lanes.main.wallets.size).toBe(3);
    const counts = new Map<bigint, number>();
    for (const index of scan.scanned) counts.set(index, (counts.get(index) ?? 0) + 1);
    expect([...counts.values()].every((times) => times === 1)).toBe(true);
    expect(counts.size).toBe(60 - 8);
    await lanes.stop();
  });

  it.each([1, 2, 8])("scan at most %i stretches at once beside the tip", async (most) => {
    const model = paidChain(60, 10);
    const { node, lanes, clock, wallet } = await setUp(model, { most });
    lanes.start();
    await clock.run(60_000);
    const gate = holdPages(node);
    // Each stands below all lanes that there are, so it needs one of its own.
    const births = Array.from({ length: 10 }, (_, number) => 50 - 5 * number);
    const wallets = await Promise.all(births.map((birth, number) => wallet(number, birth)));
    for (const one of wallets) {
      lanes.add([one]);
      await clock.run(1_000);
    }
    expect(gate.held).toBe(most);
    gate.open();
    await clock.run(120_000);
    for (const one of wallets) expect(comparable(one.state)).toBe(alone(model, one));
    await lanes.stop();
  });

  it("make the shared tree begin where the earliest wallet does", async () => {
    const model = paidChain(60, 2);
    const { lanes, clock, wallet, storedTree } = await setUp(model, { mainFrom: 40 });
    lanes.start();
    await clock.run(2_000);
    expect(lanes.main.tree?.base).toBe(BigInt(model.leavesUpTo(40).length / 64));
    const early = await wallet(0, 12);
    lanes.add([early]);
    await clock.run(60_000);
    expect(lanes.isAtTip(early)).toBe(true);
    expect(lanes.main.tree?.base).toBe(early.state.account.birthday.leafEnd);
    const { tree } = lanes.main.tree ?? expect.unreachable();
    const { leafEnd } = lanes.main.tip;
    expect(encodeHex(tree.toBytes())).toBe(model.leavesUpTo(60));
    expect(tree.size()).toBe(leafEnd);
    expect(storedTree()).toBe(model.leavesUpTo(60));
    extend(model, 3, 2);
    lanes.wake();
    await clock.run(5_000);
    expect(storedTree()).toBe(model.leavesUpTo(63));
    await lanes.stop();
  });

  it("begin at the tip where nothing is stored, as soon as the node answers", async () => {
    const model = paidChain(60, 2);
    const { lanes, clock, wallet, node, storedTree } = await setUp(model, { isFresh: true });
    const one = await wallet(0, 12);
    const away = new SvcError("wallet/node-unreachable", { url: "a test" });
    node.faults.push(away, away);
    lanes.add([one]);
    lanes.start();
    await clock.run(400);
    expect(lanes.main.wallets.size).toBe(0);
    await clock.run(60_000);
    expect(comparable(one.state)).toBe(alone(model, one));
    // The wallet's birthday is earlier than where the lane at the tip began.
    expect(lanes.main.tree?.base).toBe(one.state.account.birthday.leafEnd);
    expect(storedTree()).toBe(model.leavesUpTo(60));
    await lanes.stop();
  });

  it("follow a reorganisation with every wallet", async () => {
    const model = paidChain(60, 3);
    const { lanes, clock, wallet, storedTree } = await setUp(model);
    const wallets = await Promise.all([wallet(0), wallet(1), wallet(2)]);
    lanes.add(wallets);
    lanes.start();
    await clock.run(60_000);
    model.cut(45);
    extend(model, 20, 2);
    lanes.wake();
    await clock.run(60_000);
    for (const one of wallets) {
      expect(cursorOf(one.state).hash).toBe(model.tip);
      expect(comparable(one.state)).toBe(alone(model, one));
    }
    expect(storedTree()).toBe(model.leavesUpTo(65));
    await lanes.stop();
  });

  it("store all leaves of an earlier tree, also when that worked only the second time", async () => {
    const model = paidChain(60, 2);
    const { lanes, clock, wallet, storedTree } = await setUp(model, {
      mainFrom: 40,
      failingStarts: 1,
    });
    lanes.start();
    await clock.run(2_000);
    const one = await wallet(0, 4);
    lanes.add([one]);
    await clock.run(120_000);
    expect(lanes.isAtTip(one)).toBe(true);
    expect(lanes.main.tree?.base).toBe(one.state.account.birthday.leafEnd);
    expect(storedTree()).toBe(model.leavesUpTo(60));
    await lanes.stop();
  });

  it("give back wallets whose blocks the node does not know, and go on without them", async () => {
    const model = paidChain(60, 2);
    const { lanes, clock, wallet, lost, startParts, node } = await setUp(model);
    const one = await wallet(0);
    lanes.add([one]);
    lanes.start();
    await clock.run(60_000);
    model.cut(3);
    extend(model, 70, 2);
    lanes.wake();
    await clock.run(60_000);
    expect(lost).toEqual([one]);
    expect(lanes.main.tip.hash).toBe(model.tip);
    const found = await startElsewhere(startParts, one.state.account, await node.tip(), signal);
    one.put(restart(one.state, found.block, false));
    lanes.add([one]);
    await clock.run(60_000);
    expect(comparable(one.state)).toBe(alone(model, one));
    await lanes.stop();
  });

  it("show nothing of what could not be stored, and store it once it can be", async () => {
    const model = paidChain(30, 1);
    const { lanes, clock, wallet, fail } = await setUp(model);
    const one = await wallet(0);
    lanes.add([one]);
    fail(true);
    lanes.start();
    await clock.run(10_000);
    expect(cursorOf(one.state).chainIndex).toBe(0n);
    expect(lanes.main.tree?.tree.size()).toBe(0n);
    expect(lanes.problem?.code).toBe("store/commit-failed");
    fail(false);
    await clock.run(60_000);
    expect(comparable(one.state)).toBe(alone(model, one));
    expect(lanes.problem).toBe(null);
    await lanes.stop();
  });

  it("let a wallet go in the middle of its way, for good", async () => {
    const model = paidChain(60, 2);
    const { lanes, clock, wallet } = await setUp(model, { mainFrom: 48 });
    const [one, other] = [await wallet(0, 4), await wallet(1, 4)];
    lanes.add([one, other]);
    lanes.start();
    await clock.run(150);
    await lanes.remove(one);
    const stood = cursorOf(one.state).chainIndex;
    expect(stood).toBeLessThan(60n);
    await clock.run(60_000);
    expect(cursorOf(one.state).chainIndex).toBe(asChainIndex(stood));
    expect(comparable(other.state)).toBe(alone(model, other));
    await lanes.stop();
  });

  it("wait for a node that is away, and say so", async () => {
    const model = paidChain(20, 1);
    const { lanes, clock, wallet, node } = await setUp(model);
    const away = new SvcError("wallet/node-unreachable", { url: "a test" });
    const one = await wallet(0);
    node.faults.push(away, away, away);
    lanes.add([one]);
    lanes.start();
    await clock.run(600);
    expect(lanes.problem?.code).toBe("wallet/node-unreachable");
    await clock.run(60_000);
    expect(lanes.problem).toBe(null);
    expect(lanes.main.wallets.size).toBe(1);
    await lanes.stop();
  });
});
