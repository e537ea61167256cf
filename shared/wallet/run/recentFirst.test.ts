/** A restored wallet that reads recent blocks first: what it shows and pays meanwhile, and what is there when the older ones are read. */
import { describe, expect, it } from "vitest";
import { asBlockHash, asNullifier } from "../../base/brand.ts";
import { decodeHex } from "../../base/hex.ts";
import { SvcError } from "../../base/svcError.ts";
import { OlderReader } from "./olderReader.ts";
import { startsLate } from "../sync/recentStart.ts";
import { balances } from "../plan/balances.ts";
import { spendability } from "../plan/spendability.ts";
import { sendPayment, type SendParts } from "../send/sendPayment.ts";
import type { ProvedPayment, ScanPort } from "../state/ports.ts";
import { sumOfNotes, unspentNotes, type WalletState } from "../state/walletState.ts";
import { encodeWalletState } from "../state/walletStateCodec.ts";
import { ChainModel, EPOCH_POLICY, freshWallet } from "../testkit/chainModel.ts";
import { ModelEvidence, modelEvidence } from "../testkit/modelEvidence.ts";
import { MortalTab, MortalTabStore } from "../testkit/mortalTab.ts";
import { disclosedTo, payeeOf } from "../testkit/payments.ts";
import { FoldTree, ManualClock, ModelNode, ModelScan } from "../testkit/ports.ts";
import type { WalletPolicy } from "../state/walletPolicy.ts";
import { historyRows } from "../view/history.ts";
import { openWallet } from "./openWallet.ts";

const COIN = 100_000_000n;
const never = new AbortController().signal;
const identity = freshWallet().account;
/** Recent blocks are the last 60; a wallet remembers 40. */
const policy = { ...EPOCH_POLICY, maxAnchorAge: 20n, recentBlocks: 40, maxSpends: 10 };
const TXID = "77".repeat(32);
const payees = [payeeOf(2n * COIN)];

/** Notes of 5 and 7 coins in old blocks; the first is spent there, the second in a recent one with 3 coins of change; 11 coins came lately. */
function chain() {
  const model = new ChainModel();
  model.addEmpty(49);
  const first = model.add({ mined: [5n * COIN, 7n * COIN, 13n * COIN] }).notes;
  model.addEmpty(49);
  const [five, seven] = first.map(({ nullifier }) => nullifier);
  if (five === undefined || seven === undefined) throw new Error("two notes");
  model.add({ txs: [{ txid: model.txid(), spends: [five] }] });
  model.addEmpty(149);
  model.add({ mined: [11n * COIN] });
  model.addEmpty(19);
  model.add({ txs: [{ txid: model.txid(), spends: [seven], outputs: [{ value: 3n * COIN }] }] });
  model.addEmpty(30);
  return model;
}

/** A clock whose pauses let others have their turn. */
class TurnClock extends ManualClock {
  override async sleep(ms: number): Promise<void> {
    await super.sleep(ms);
    await turns(1);
  }
}

/** A wallet of this chain, restored; its stores outlive its tabs. `hold` keeps the older blocks from it. */
function scene(change: Partial<WalletPolicy> = {}) {
  const model = chain();
  const node = new ModelNode(model);
  const stores = { main: new MortalTabStore(), older: new MortalTabStore() };
  const clock = new TurnClock();
  const ways = { hold: null as Promise<void> | null, told: model, dropped: 0 };
  const { blocks } = node;
  node.blocks = (after, limit) =>
    ways.told === model
      ? blocks.call(node, after, limit)
      : new ModelNode(ways.told).blocks(after, limit);
  const scan: ScanPort = { scan: (page) => new ModelScan(ways.told).scan(page) };
  const evidence = modelEvidence(new ModelEvidence(model), model);
  const makeTree = (bytes: Uint8Array) => new FoldTree(bytes);
  const rules = { ...policy, ...change };
  const shared = { policy: rules, node, scan, clock, makeTree, pageBlocks: 16, evidence };
  const open = async (tab = new MortalTab()) => {
    stores.main.tab = tab;
    stores.older.tab = tab;
    const parts = { ...shared, store: stores.main, recentFirst: true as const };
    const main = await openWallet(parts, identity, "genesis", never);
    const held: ScanPort = {
      scan: async (page, signal) => {
        if (page.firstIndex > 100n) await ways.hold;
        return scan.scan(page, signal);
      },
    };
    const store = {
      open: () =>
        openWallet({ ...shared, scan: held, store: stores.older }, identity, "genesis", never),
      close: () => undefined,
      drop: () =>
        tab.step(async () => {
          ways.dropped += 1;
          const { tab: same } = stores.older;
          stores.older = new MortalTabStore();
          stores.older.tab = same;
        }),
    };
    const stop = new AbortController();
    const onChange = () => undefined;
    const reader = new OlderReader({ main, store, node, clock, pollMs: 1, onChange });
    const running = reader.run(stop.signal);
    const close = async () => {
      stop.abort();
      await running;
      await main.close();
    };
    return { main, reader, running, close, send: sendParts(main, node, clock, tab) };
  };
  return { model, node, stores, clock, ways, open };
}

function sendParts(
  sync: SendParts["sync"],
  node: ModelNode,
  clock: ManualClock,
  tab: MortalTab,
): SendParts {
  const finalize = () => tab.step(async () => decodeHex(`${TXID}aa`));
  const proved: ProvedPayment = { ...disclosedTo(payees), alphas: "[]", finalize };
  return {
    ...{ sync, policy, node, clock },
    prover: { prove: () => tab.step(async () => proved) },
    signer: { sign: () => tab.step(async () => "aa") },
    transactionId: () => TXID,
    profile: {},
    fvk: "fe".repeat(96),
  };
}

const request = { id: "p", payees, maxFee: null, recoverable: false };

/** What a wallet that read everything at once has of this chain. */
async function readAtOnce(model: ChainModel): Promise<WalletState> {
  const parts = {
    ...{ policy, node: new ModelNode(model), scan: new ModelScan(model) },
    ...{ store: new MortalTabStore(), clock: new ManualClock() },
    evidence: modelEvidence(new ModelEvidence(model), model),
    makeTree: (bytes: Uint8Array) => new FoldTree(bytes),
  };
  const sync = await openWallet(parts, identity, "genesis", never);
  await sync.catchUp(never);
  return sync.state;
}

function total(state: WalletState) {
  return balances(state, spendability(state, policy), []);
}

/** The payment's transaction gets into a block, with its change. */
function mine(model: ChainModel, state: WalletState): void {
  const [payment] = state.outbox;
  if (payment === undefined || payment.txid === null) throw new Error("nothing to mine");
  const spends = payment.reserved.map(({ nullifier }) => nullifier);
  model.add({ txs: [{ txid: payment.txid, spends, outputs: [{ value: payment.change }] }] });
}

async function turns(count = 60): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}

describe("recent blocks first", () => {
  it("shows and spends what came lately before an older block was asked for", async () => {
    const { open, node } = scene();
    const { main, reader, send, close } = await open();
    await main.catchUp(never);
    expect(startsLate(main.state.account)).toBe(true);
    // 11 that came, 3 that came back: the 13 of an old block are not known yet, and nothing more is shown than there is.
    expect(sumOfNotes(unspentNotes(main.state))).toBe(14n * COIN);
    expect(total(main.state).spendable).toBe(14n * COIN);
    expect(reader.view).toMatchObject({ permille: 0, problem: null });
    expect(node.calls.filter((call) => call === "start")).toHaveLength(1);
    await sendPayment(send, request, () => undefined, never);
    expect(node.submitted).toHaveLength(1);
    await close();
  });

  it("has in the end what a wallet has that read everything at once, byte for byte", async () => {
    const { model, open, ways, stores } = scene();
    const { main, reader, running } = await open();
    await main.catchUp(never);
    reader.begin();
    await running;
    expect(encodeWalletState(main.state)).toBe(encodeWalletState(await readAtOnce(model)));
    expect(reader.view).toBeNull();
    expect(ways.dropped).toBe(1);
    expect(main.tree.size()).toBe(main.state.blocks.at(-1)?.leafEnd);
    expect(await stores.older.load()).toBeNull();
    model.add({ mined: [COIN] });
    await main.catchUp(never);
    const reopened = await open();
    expect(startsLate(reopened.main.state.account)).toBe(false);
    // What is proved by now depends on when it was asked for.
    const { proof } = main.state;
    const whole = { ...(await readAtOnce(model)), proof };
    expect(encodeWalletState(reopened.main.state)).toBe(encodeWalletState(whole));
  });

  it.each(["before a block has it", "when a block has it", "when it is settled"])(
    "keeps a payment that was made meanwhile, joined %s",
    async (when) => {
      const { model, open, ways, node } = scene();
      const { main, reader, running, send, close } = await open();
      await main.catchUp(never);
      const { promise, resolve } = Promise.withResolvers<void>();
      ways.hold = promise;
      reader.begin();
      await turns();
      await main.update((state) => {
        const { account } = state;
        return { ...state, account: { ...account, nextAddressIndex: 4 } };
      });
      const sent = await sendPayment(send, request, () => undefined, never);
      if (when !== "before a block has it") mine(model, main.state);
      if (when === "when it is settled") model.addEmpty(60);
      await main.catchUp(never);
      const before = total(main.state).total;
      expect(startsLate(main.state.account)).toBe(true);
      resolve();
      await running;
      await main.catchUp(never);
      const { account, outbox } = main.state;
      expect(account).toMatchObject({ nextAddressIndex: 4, historyMissing: false });
      expect(startsLate(account)).toBe(false);
      expect(outbox).toMatchObject([{ id: "p", txid: sent.txid, payees: [{ value: 2n * COIN }] }]);
      expect(total(main.state).total).toBe(before + 13n * COIN);
      const rows = historyRows(main.state, policy, []).filter(({ paymentId }) => paymentId === "p");
      expect(rows).toMatchObject([{ kind: "sent", amount: 2n * COIN, fee: sent.fee }]);
      // Its notes are its own: nothing else spends them.
      expect(new Set(node.submitted).size).toBe(1);
      const unspent = unspentNotes(main.state).map(({ nullifier }) => nullifier);
      const held = sent.reserved.map(({ nullifier }) => nullifier);
      const isHeld = held.every((one) => unspent.includes(one));
      expect(isHeld).toBe(when === "before a block has it");
      const spendable = spendability(main.state, policy).notes.filter(
        ({ standing, note }) => standing === "spendable" && held.includes(note.nullifier),
      );
      expect(spendable).toEqual([]);
      const whole = await readAtOnce(model);
      expect(main.state.notes.map(({ position, spentBy }) => [position, spentBy?.txid])).toEqual(
        whole.notes.map(({ position, spentBy }) => [position, spentBy?.txid]),
      );
      expect(main.state.history.map(({ id }) => id)).toEqual(whole.history.map(({ id }) => id));
      await close();
    },
  );

  it("waits with the older blocks while a payment is being made", async () => {
    const { open } = scene();
    const { main, reader, running, send } = await open();
    await main.catchUp(never);
    const proof = Promise.withResolvers<void>();
    const { prover } = send;
    const slow: SendParts["prover"] = {
      prove: async (plan, progress, signal) => {
        await proof.promise;
        return prover.prove(plan, progress, signal);
      },
    };
    const paying = sendPayment({ ...send, prover: slow }, request, () => undefined, never);
    reader.begin();
    await turns();
    expect(startsLate(main.state.account)).toBe(true);
    proof.resolve();
    const { txid } = await paying;
    await running;
    expect(startsLate(main.state.account)).toBe(false);
    expect(main.state.outbox).toMatchObject([{ txid, status: { state: "mempool" } }]);
  });

  it("refuses older blocks that tell other notes, and keeps what is known", async () => {
    const { model, open } = scene();
    const { main, close } = await open();
    await main.catchUp(never);
    const before = main.state;
    const other = new FoldTree(decodeHex(model.leavesUpTo(model.length)));
    other.truncate(10n);
    other.append(decodeHex("ab".repeat(32)));
    other.append(decodeHex(model.leavesUpTo(model.length)).subarray(11 * 32));
    const older = { state: await readAtOnce(model), tree: other };
    await expect(main.takeOlder(older)).rejects.toThrow("wallet/tree-mismatch");
    expect(main.state).toBe(before);
    // Nor does it take in a scan that met a liar, one that begins no earlier, or one of another chain.
    const tree = new FoldTree(decodeHex(model.leavesUpTo(model.length)));
    const { state } = older;
    const fault = new SvcError("evidence/other-notes", { block: "00", expected: "0", found: "1" });
    const lied = { ...state, proof: { ...state.proof, fault: fault.toJSON() } };
    const late = { ...state, account: before.account };
    const hash = asBlockHash(TXID);
    const elsewhere = { ...state, blocks: state.blocks.map((block) => ({ ...block, hash })) };
    for (const wrong of [lied, late, elsewhere]) {
      expect(await main.takeOlder({ state: wrong, tree })).toBe("apart");
    }
    expect(main.state).toBe(before);
    expect(await main.takeOlder({ state, tree })).toBe("taken");
    await close();
  });

  it("does not join what a node hides of old blocks, and does when it is told the truth", async () => {
    const { model, open, ways } = scene();
    const { main, reader, running } = await open();
    await main.catchUp(never);
    // An old note looks unspent: only the sums of the chain tell.
    ways.told = model.retold((block, index) => {
      if (index !== 100) return block;
      const nullifiers = [asNullifier("ee".repeat(32)), asNullifier("ef".repeat(32))];
      return { ...block, txs: block.txs.map((tx) => ({ ...tx, nullifiers })) };
    });
    reader.begin();
    await turns(400);
    expect(reader.view).toMatchObject({ problem: { code: "evidence/other-nullifiers" } });
    expect(startsLate(main.state.account)).toBe(true);
    expect(sumOfNotes(unspentNotes(main.state))).toBe(14n * COIN);
    ways.told = model;
    model.add();
    await running;
    expect(startsLate(main.state.account)).toBe(false);
    expect(sumOfNotes(unspentNotes(main.state))).toBe(27n * COIN);
    await main.catchUp(never);
    expect(main.state.proof).toMatchObject({ fault: null, near: { chainIndex: 286n } });
  });

  it("survives a kill at every step of reading, joining and clearing up, also with a payment between", async () => {
    const states = new Set<boolean>();
    for (let deadly = 0; ; deadly += 1) {
      const { model, open, node } = scene();
      const first = await open();
      await first.main.catchUp(never);
      await sendPayment(first.send, request, () => undefined, never);
      await first.close();
      const second = await open(new MortalTab(deadly));
      second.reader.begin();
      const end = { done: false };
      void second.running.then(() => (end.done = true));
      await turns();
      // The next program over the same stores.
      const third = await open();
      states.add(startsLate(third.main.state.account));
      expect(third.main.state.outbox).toMatchObject([{ id: "p", status: { state: "mempool" } }]);
      third.reader.begin();
      await third.running;
      await third.main.catchUp(never);
      mine(model, third.main.state);
      await third.main.catchUp(never);
      const whole = await readAtOnce(model);
      expect(third.main.state.notes.map(({ position }) => position)).toEqual(
        whole.notes.map(({ position }) => position),
      );
      expect(total(third.main.state).total).toBe(total(whole).total);
      expect(third.main.state.outbox).toMatchObject([{ status: { state: "accepted" } }]);
      expect(new Set(node.submitted).size).toBe(1);
      if (end.done) break;
    }
    expect(states).toEqual(new Set([true, false]));
  });

  it("goes on when a node was away, and tells of a store without room, which it gives back", async () => {
    const { open, node, stores, ways } = scene();
    const away = await open();
    await away.main.catchUp(never);
    node.faults.push(new SvcError("wallet/node-unreachable", { url: "test" }));
    stores.older.isFull = true;
    away.reader.begin();
    await away.running;
    expect(away.reader.view).toMatchObject({ problem: { code: "wallet/storage-full" } });
    expect(ways.dropped).toBe(1);
    expect(total(away.main.state).spendable).toBe(14n * COIN);
    await away.close();
    const again = await open();
    again.reader.begin();
    await again.running;
    expect(again.reader.view).toBeNull();
    expect(sumOfNotes(unspentNotes(again.main.state))).toBe(27n * COIN);
  });

  it("keeps what is known where the store has no room for what was joined", async () => {
    const { open, stores } = scene();
    const { main, reader, running, close } = await open();
    await main.catchUp(never);
    const before = encodeWalletState(main.state);
    stores.main.isFull = true;
    reader.begin();
    await running;
    expect(reader.view).toMatchObject({ problem: { code: "wallet/storage-full" } });
    expect(encodeWalletState(main.state)).toBe(before);
    expect(main.tree.size()).toBe(main.state.blocks.at(-1)?.leafEnd);
    stores.main.isFull = false;
    await main.catchUp(never);
    await close();
    const again = await open();
    expect(encodeWalletState(again.main.state)).toBe(before);
    again.reader.begin();
    await again.running;
    expect(sumOfNotes(unspentNotes(again.main.state))).toBe(27n * COIN);
  });

  // Birthdays are rounded to a step that the recent start is a multiple of, and to one that it is not.
  it.each([1n, 16n])(
    "stays late through a scan from where it began, and is whole after one from the beginning (%s)",
    async (birthdayEpochs) => {
      const { model, open } = scene({ birthdayEpochs });
      const { main, reader, running } = await open();
      await main.catchUp(never);
      await main.rescan(never);
      expect(startsLate(main.state.account)).toBe(true);
      await main.rescan(never, "genesis");
      await main.catchUp(never);
      expect(startsLate(main.state.account)).toBe(false);
      reader.begin();
      await running;
      expect(reader.view).toBeNull();
      expect(encodeWalletState(main.state)).toBe(encodeWalletState(await readAtOnce(model)));
    },
  );

  it("asks for the same, in the same order, whoever owns the notes", async () => {
    const asked: string[][] = [];
    for (const owns of [true, false]) {
      const { model, node, open } = scene();
      if (!owns) {
        const strip = model.retold((block) => ({ ...block, notes: [] }));
        Object.assign(model, { page: strip.page.bind(strip) });
      }
      const lines: string[] = [];
      const { tip, blocks, start } = node;
      node.tip = () => (lines.push("tip"), tip.call(node));
      node.start = (index) => (lines.push(`start ${index}`), start.call(node, index));
      node.blocks = (after, limit) => (
        lines.push(`blocks ${after}`),
        blocks.call(node, after, limit)
      );
      const { main, reader, running } = await open();
      await main.catchUp(never);
      reader.begin();
      await running;
      await main.catchUp(never);
      expect(unspentNotes(main.state).length > 0).toBe(owns);
      asked.push(lines);
    }
    expect(asked[0]).toEqual(asked[1]);
  });
});
