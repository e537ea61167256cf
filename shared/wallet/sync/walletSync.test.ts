import { describe, expect, it } from "vitest";
import { WALLET_LIMITS } from "../walletLimits.ts";
import { SvcError } from "../../base/svcError.ts";
import { openWallet } from "../run/openWallet.ts";
import { ChainModel, EPOCH_POLICY, freshWallet, TEST_POLICY } from "../testkit/chainModel.ts";
import { FoldTree, ManualClock, MemoryStore, ModelNode, ModelScan } from "../testkit/ports.ts";
import type { NodePort } from "../state/ports.ts";
import type { SyncParts } from "./walletSync.ts";
import { cursorOf } from "../state/walletState.ts";
import { decodeWalletState, encodeWalletState } from "../state/walletStateCodec.ts";

const { signal } = new AbortController();
const identity = freshWallet().account;
/** The day of the tests' clock. */
const TODAY = { day: 0, fresh: true };

function setUp(blocks: number, pageBlocks = 7) {
  const model = new ChainModel();
  for (let i = 0; i < blocks; i += 1) model.add(i % 3 === 0 ? { mined: [BigInt(i + 1)] } : {});
  const node = new ModelNode(model);
  const store = new MemoryStore();
  const parts: SyncParts = {
    policy: TEST_POLICY,
    node,
    scan: new ModelScan(model),
    store,
    clock: new ManualClock(),
    makeTree: (bytes) => new FoldTree(bytes),
    pageBlocks,
  };
  return { model, node, store, parts, open: () => openWallet(parts, identity, "genesis", signal) };
}

/** The state that a wallet reaches which scans the model's chain in one go. */
async function scannedAtOnce(model: ChainModel): Promise<string> {
  const parts = { ...setUp(0).parts, node: new ModelNode(model), scan: new ModelScan(model) };
  const sync = await openWallet({ ...parts, pageBlocks: 10_000 }, identity, "genesis", signal);
  await sync.catchUp(signal);
  return encodeWalletState(sync.state);
}

describe("catchUp", () => {
  it("scans to the tip page by page, with one commit a page", async () => {
    const { model, store, open } = setUp(23);
    const sync = await open();
    await sync.catchUp(signal);
    expect(cursorOf(sync.state).hash).toBe(model.tip);
    expect(sync.tree.size()).toBe(cursorOf(sync.state).leafEnd);
    expect(store.commits).toBe(1 + 4);
    expect(encodeWalletState(sync.state)).toBe(await scannedAtOnce(model));
  });

  it("goes on where the last run was cut off, wherever that was", async () => {
    for (let cut = 0; cut <= 3; cut += 1) {
      const { model, node, open } = setUp(23);
      const first = await open();
      const fault = new SvcError("wallet/node-unreachable", { url: "test" });
      const { blocks } = node;
      let left = cut;
      node.blocks = (after, limit) => {
        if (left === 0) throw fault;
        left -= 1;
        return blocks.call(node, after, limit);
      };
      await expect(first.catchUp(signal)).rejects.toBe(fault);
      await first.close();
      node.blocks = blocks;
      const second = await open();
      expect(cursorOf(second.state).chainIndex).toBe(BigInt(7 * cut));
      await second.catchUp(signal);
      expect(encodeWalletState(second.state)).toBe(await scannedAtOnce(model));
    }
  });

  it("keeps that a memo is unknown where the node serves none, in every part of a page", async () => {
    const { model, node, open } = setUp(5);
    const memo = "6869";
    model.add({ txs: [{ txid: model.txid(), outputs: [{ value: 5n, memo }] }] });
    const sync = await open();
    await sync.catchUp(signal);
    expect(sync.state.history.at(-1)).toMatchObject({ kind: "received", memo });
    const before = sync.state.blocks;
    model.cut(4);
    model.add({ mined: [7n] });
    model.add({ txs: [{ txid: model.txid(), outputs: [{ value: 5n, memo }] }] });
    const { blocks } = node;
    const places: unknown[] = [];
    const serve: NodePort["blocks"] = async (after, limit, _, place) => {
      places.push(place);
      return { ...(await blocks.call(node, after, limit)), memosUnknown: true };
    };
    Object.assign(node, { blocks: serve });
    await sync.catchUp(signal);
    const [mined, received] = sync.state.history.slice(-2);
    expect(mined).toMatchObject({ kind: "mined" });
    expect(mined).not.toHaveProperty("memoKnown");
    expect(received).toMatchObject({ kind: "received", memo: "", memoKnown: false });
    expect(sync.state.notes.at(-1)).toMatchObject({ memo: "", memoKnown: false });
    const text = encodeWalletState(sync.state);
    expect(encodeWalletState(decodeWalletState(text))).toBe(text);
    // The node is told where the wallet has the block after which it asks.
    expect(places).not.toHaveLength(0);
    const had = [...before, ...sync.state.blocks];
    for (const place of places) expect(had).toContainEqual(place);
  });

  it.each([1, 5, 22])("follows a reorganisation of %i blocks", async (depth) => {
    const { model, open } = setUp(23);
    const sync = await open();
    await sync.catchUp(signal);
    model.cut(23 - depth);
    model.add({ mined: [1_000n] });
    model.addEmpty(depth + 2);
    await sync.catchUp(signal);
    expect(encodeWalletState(sync.state)).toBe(await scannedAtOnce(model));
    const reopened = await open();
    expect(encodeWalletState(reopened.state)).toBe(encodeWalletState(sync.state));
  });

  it("takes the common block from the node's own answer when it remembers it", async () => {
    const { model, node, open } = setUp(9);
    const sync = await open();
    await sync.catchUp(signal);
    const common = model.at(6)?.hash ?? "";
    model.cut(6);
    model.addEmpty(6);
    const { blocks } = node;
    node.blocks = async (after, limit) => {
      if (model.indexOf(after) !== undefined) return blocks.call(node, after, limit);
      throw new SvcError("chain/not-on-chain", { commonHash: common, chainIndex: 6 });
    };
    const opened = node.calls.indexOf("start");
    await sync.catchUp(signal);
    expect(node.calls.lastIndexOf("start")).toBe(opened);
    expect(encodeWalletState(sync.state)).toBe(await scannedAtOnce(model));
  });

  it("scans again from the birthday when everything it remembers is gone", async () => {
    const shallow = { ...TEST_POLICY, recentBlocks: 8 };
    const { model, parts } = setUp(30);
    const sync = await openWallet({ ...parts, policy: shallow }, identity, "genesis", signal);
    await sync.catchUp(signal);
    model.cut(10);
    model.addEmpty(25);
    await sync.catchUp(signal);
    expect(cursorOf(sync.state).hash).toBe(model.tip);
    expect(sync.tree.size()).toBe(cursorOf(sync.state).leafEnd);
  });

  it("finds the birthday again by its place, whatever block was there before", async () => {
    const { model, parts } = setUp(30);
    const sync = await openWallet({ ...parts, policy: EPOCH_POLICY }, identity, TODAY, signal);
    const born = sync.state.account.birthday;
    model.cut(2);
    model.addEmpty(40);
    await sync.rescan(signal);
    expect(sync.state.account.birthday).toMatchObject({ chainIndex: born.chainIndex });
    expect(sync.state.account.birthday.hash).not.toBe(born.hash);
    await sync.catchUp(signal);
    expect(cursorOf(sync.state).hash).toBe(model.tip);
  });

  it("begins at genesis where the chain is another one", async () => {
    const { model, parts } = setUp(30);
    const sync = await openWallet({ ...parts, policy: EPOCH_POLICY }, identity, TODAY, signal);
    await sync.catchUp(signal);
    expect(sync.state.account.birthday.chainIndex).toBe(24n);
    model.cut(2);
    model.addEmpty(10);
    await sync.catchUp(signal);
    expect(sync.state.account.birthday.chainIndex).toBe(0n);
    expect(cursorOf(sync.state).hash).toBe(model.tip);
    expect(sync.tree.size()).toBe(cursorOf(sync.state).leafEnd);
  });

  it("B1: begins at genesis when the node has another chain and the birthday is long forgotten", async () => {
    const shallow = { ...EPOCH_POLICY, recentBlocks: 8 };
    const { model, parts } = setUp(30);
    const sync = await openWallet({ ...parts, policy: shallow }, identity, TODAY, signal);
    model.addEmpty(40);
    await sync.catchUp(signal);
    expect(sync.state.blocks[0]?.hash).not.toBe(sync.state.account.birthday.hash);
    // The node's data were removed: its chain begins anew, with another first block.
    model.cut(0);
    model.add({ mined: [5n] });
    model.addEmpty(60);
    await sync.catchUp(signal);
    expect(sync.state.account.birthday.chainIndex).toBe(0n);
    expect(cursorOf(sync.state).hash).toBe(model.tip);
    expect(sync.tree.size()).toBe(cursorOf(sync.state).leafEnd);
  });

  it("B2: finds what is older than the birthday when it is told to scan from the beginning", async () => {
    const { model, parts } = setUp(23);
    const sync = await openWallet({ ...parts, policy: EPOCH_POLICY }, identity, TODAY, signal);
    await sync.catchUp(signal);
    const late = sync.state.notes.length;
    await sync.rescan(signal);
    await sync.catchUp(signal);
    expect(sync.state.notes).toHaveLength(late);
    await sync.rescan(signal, "genesis");
    await sync.catchUp(signal);
    expect(sync.state.account.birthday.chainIndex).toBe(0n);
    const whole = decodeWalletState(await scannedAtOnce(model));
    expect(sync.state.notes).toEqual(whole.notes);
    expect(sync.state.history).toEqual(whole.history);
    expect(sync.state.notes.length).toBeGreaterThan(late);
  });

  it("says so when this node has no history back to the birthday, and keeps what it has", async () => {
    const { model, node, open } = setUp(5);
    const sync = await open();
    await sync.catchUp(signal);
    model.addEmpty(1);
    const before = encodeWalletState(sync.state);
    node.blocks = async (after) => {
      throw new SvcError("chain/unknown-block", { hash: after });
    };
    const { start } = node;
    node.start = async () => start.call(node, 4n);
    const late = "wallet/node-history-incomplete (from=4, birthday=0)";
    await expect(sync.catchUp(signal)).rejects.toThrow(late);
    await expect(sync.rescan(signal)).rejects.toThrow(late);
    expect(encodeWalletState(sync.state)).toBe(before);
  });

  it("keeps what it has when it began late and this node's history begins later still", async () => {
    const { node, open } = setUp(23);
    const { start } = node;
    node.start = async () => start.call(node, 9n);
    const sync = await open();
    await sync.catchUp(signal);
    const before = encodeWalletState(sync.state);
    node.start = async () => start.call(node, 15n);
    const later = "wallet/node-history-incomplete (from=15, birthday=9)";
    await expect(sync.rescan(signal)).rejects.toThrow(later);
    await expect(sync.rescan(signal, "genesis")).rejects.toThrow(later);
    expect(encodeWalletState(sync.state)).toBe(before);
    node.start = async () => start.call(node, 5n);
    await sync.rescan(signal);
    expect(sync.state.account).toMatchObject({ historyMissing: true });
    expect(sync.state.account.birthday.chainIndex).toBe(5n);
  });

  it("does not follow a node that keeps changing its mind", async () => {
    const { model, node, open } = setUp(20);
    const sync = await open();
    await sync.catchUp(signal);
    model.addEmpty(1);
    let step = 20;
    node.blocks = async () => {
      step -= 1;
      throw new SvcError("chain/not-on-chain", {
        commonHash: model.at(step)?.hash ?? "",
        chainIndex: step,
      });
    };
    await expect(sync.catchUp(signal)).rejects.toThrow("wallet/bad-page");
  });

  it("does not let a scan from the beginning wait for a walk that does not end", async () => {
    const { model, node, open } = setUp(23);
    const sync = await open();
    await sync.catchUp(signal);
    model.addEmpty(1);
    let began: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      began = resolve;
    });
    const { blocks } = node;
    const never: NodePort["blocks"] = (_, __, stop) => {
      began();
      return new Promise((_resolve, reject) => {
        stop.addEventListener("abort", () => reject(new SvcError("run/aborted", {})));
      });
    };
    Object.assign(node, { blocks: never });
    const [walking, queued] = [sync.follow(signal), sync.follow(signal)];
    await asked;
    await sync.rescan(signal);
    await Promise.all([walking, queued]);
    expect(cursorOf(sync.state).chainIndex).toBe(0n);
    node.blocks = blocks;
    await sync.catchUp(signal);
    expect(encodeWalletState(sync.state)).toBe(await scannedAtOnce(model));
  });

  it("refuses another network before it scans", async () => {
    const { node, open } = setUp(5);
    const sync = await open();
    node.profileDigest = "d2".repeat(32);
    await expect(sync.catchUp(signal)).rejects.toThrow("wallet/node-wrong-network");
    expect(node.calls).not.toContain("blocks");
  });

  it("notices a tree that is not the node's", async () => {
    const { node, open } = setUp(5);
    const sync = await open();
    node.lie = "ab".repeat(32);
    await expect(sync.catchUp(signal)).rejects.toThrow("wallet/tree-mismatch");
  });

  it("does not get in its own way when it is asked twice at once", async () => {
    const { model, open } = setUp(23);
    const sync = await open();
    await Promise.all([sync.catchUp(signal), sync.catchUp(signal), sync.rescan(signal)]);
    await sync.catchUp(signal);
    expect(encodeWalletState(sync.state)).toBe(await scannedAtOnce(model));
    expect(sync.tree.size()).toBe(cursorOf(sync.state).leafEnd);
  });

  it("stops when it is told to", async () => {
    const { open } = setUp(5);
    const sync = await open();
    const stop = new AbortController();
    stop.abort();
    await expect(sync.catchUp(stop.signal)).rejects.toThrow("run/aborted");
  });

  it("says that the store fails while many pages wait, and goes on when it works again", async () => {
    const { store, node, open, model, parts } = setUp(WALLET_LIMITS.walletPagesAhead + 20, 1);
    const sync = await open();
    const { commit } = store;
    store.commit = () => Promise.reject(new Error("disk full"));
    const { clock } = parts;
    let pauses = 0;
    clock.sleep = async () => {
      pauses += 1;
      if (pauses > 1_000) throw new TypeError("the wallet waits for ever");
    };
    const waiting = "wallet/storage (reason=disk full)";
    await expect(sync.follow(signal)).rejects.toThrow(waiting);
    const asked = node.calls.filter((call) => call === "blocks").length;
    await expect(sync.follow(signal)).rejects.toThrow(waiting);
    // Nothing more is asked for that would have to wait too.
    expect(node.calls.filter((call) => call === "blocks")).toHaveLength(asked);
    store.commit = commit;
    await sync.catchUp(signal);
    expect(encodeWalletState(sync.state)).toBe(await scannedAtOnce(model));
  });

  it("keeps state and tree together when the store fails", async () => {
    const { store, open, model } = setUp(23);
    const sync = await open();
    const { commit } = store;
    store.commit = () => Promise.reject(new Error("disk full"));
    await expect(sync.catchUp(signal)).rejects.toThrow("wallet/storage (reason=disk full)");
    expect(cursorOf(sync.state).chainIndex).toBe(0n);
    expect(sync.tree.size()).toBe(0n);
    store.commit = commit;
    await sync.catchUp(signal);
    expect(encodeWalletState(sync.state)).toBe(await scannedAtOnce(model));
  });
});

describe("openWallet", () => {
  it("begins at the start of an epoch just below the tip when it is born now", async () => {
    const { model, node, parts } = setUp(23);
    const sync = await openWallet({ ...parts, policy: EPOCH_POLICY }, identity, TODAY, signal);
    expect(cursorOf(sync.state)).toMatchObject({ chainIndex: 16n, blueScore: 16n });
    expect(sync.tree.size()).toBe(BigInt(model.leavesUpTo(16).length / 64));
    expect(sync.state.account).toMatchObject({ bornOn: 0, historyMissing: false });
    expect(node.calls).toEqual(["tip", "start"]);
    await sync.catchUp(signal);
    expect(cursorOf(sync.state).hash).toBe(model.tip);
  });

  it("says that history is missing where the node's begins late", async () => {
    const { node, open } = setUp(23);
    const { start } = node;
    node.start = async () => start.call(node, 9n);
    const sync = await open();
    expect(sync.state.account).toMatchObject({ historyMissing: true });
    expect(cursorOf(sync.state).chainIndex).toBe(9n);
    await sync.catchUp(signal);
    node.start = start;
    await sync.rescan(signal);
    expect(sync.state.account).toMatchObject({ historyMissing: false });
    expect(cursorOf(sync.state).chainIndex).toBe(0n);
  });

  it("does not open somebody else's wallet", async () => {
    const { parts, open } = setUp(3);
    await open();
    const other = { ...identity, genesis: new ChainModel().add().hash };
    await expect(openWallet(parts, other, "genesis", signal)).rejects.toThrow("wallet/exists");
  });
});
