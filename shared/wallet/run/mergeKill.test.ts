/** A merge in the background, in a tab that is killed at any step, and beside a payment: nothing is lost and nothing is spent twice. */
import { describe, expect, it } from "vitest";
import { drawnKills } from "../../../tests/testkit/drawnCases.ts";
import { seededRandom } from "../../../tests/testkit/seededRandom.ts";
import { asAddressText, asSompi } from "../../base/brand.ts";
import { decodeHex, encodeHex } from "../../base/hex.ts";
import { broadcastDue } from "../send/broadcast.ts";
import { mergeNotes } from "../send/mergeNotes.ts";
import { sendPayment, type SendParts } from "../send/sendPayment.ts";
import type { NodePort, ProvedPayment } from "../state/ports.ts";
import type { ProvePlan, SignIntent } from "../state/provePlan.ts";
import { sumOfNotes, unspentNotes } from "../state/walletState.ts";
import { ChainModel, freshWallet, OWN_ADDRESS, TEST_POLICY } from "../testkit/chainModel.ts";
import { MortalTab, MortalTabStore } from "../testkit/mortalTab.ts";
import { disclosedTo, payeeOf } from "../testkit/payments.ts";
import { FoldTree, ManualClock, ModelNode, ModelScan } from "../testkit/ports.ts";
import { historyRows } from "../view/history.ts";
import { openWallet } from "./openWallet.ts";

const COIN = 100_000_000n;
const NOTES = 60;
/** The step at which the node has the merge. */
const SENT = 7;
const never = new AbortController().signal;
const policy = { ...TEST_POLICY, maxSpends: 38 };
const request = { id: "merge", address: asAddressText("test:own") };

/** A wallet with many mature notes; every tab of it is opened on the same store. */
function scene() {
  const model = new ChainModel();
  model.add({ mined: Array.from({ length: NOTES }, () => COIN) });
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
    const prove = async ({ spends }: ProvePlan): Promise<ProvedPayment> => {
      const first = BigInt(spends[0]?.position ?? "0").toString(16);
      const finalize = () => tab.step(async () => decodeHex(first.padStart(64, "0")));
      return { ...disclosedTo([]), alphas: "[]", finalize };
    };
    const sign = async (intent: SignIntent): Promise<string> => {
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

/** Runs the work until it is done, or the tab is dead and nothing moves any more. */
async function untilStill(work: Promise<unknown>): Promise<boolean> {
  const end = { done: false };
  void work.then(() => (end.done = true));
  for (let turn = 0; turn < 200 && !end.done; turn += 1) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
  return end.done;
}

describe("a merge in the background", () => {
  it("is one payment to address 0, of which the signer hears that nobody confirmed it", async () => {
    const { open, node, intents } = scene();
    const { sync, send } = await open();
    const merged = await mergeNotes(send, request, never);
    expect(merged).toMatchObject({ status: { state: "mempool" }, change: 0n });
    expect(node.submitted).toHaveLength(1);
    expect(intents).toMatchObject([
      { background: true, payments: [{ address: OWN_ADDRESS, memo: "" }] },
    ]);
    const [row] = historyRows(sync.state, policy, []).filter(({ kind }) => kind === "self");
    expect(row).toMatchObject({ paymentId: "merge", merged: 38 });
    // One at a time: the next waits for this one's block.
    await expect(mergeNotes(send, { ...request, id: "second" }, never)).rejects.toThrow(
      "wallet/nothing-to-consolidate",
    );
    expect(sync.state.outbox).toHaveLength(1);
  });

  it("survives a kill at any step: either all of it goes, or its notes are free again", async () => {
    const outcomes = new Set<string>();
    const alive = new MortalTab();
    await mergeNotes((await scene().open(alive)).send, request, never);
    const random = seededRandom("kills of a merge");
    for (const deadly of drawnKills(random, { steps: alive.steps, out: SENT, late: 1 })) {
      const { open, node, store, clock } = scene();
      const first = await open(new MortalTab(deadly));
      expect(await untilStill(mergeNotes(first.send, request, never))).toBe(false);
      store.tab = new MortalTab();
      const { sync, send } = await open();
      clock.now += 600_000n;
      await broadcastDue(send, never);
      const { outbox } = sync.state;
      const isOut = new Set(node.submitted).size === 1;
      outcomes.add(`${outbox[0]?.status.state ?? "none"} ${isOut}`);
      expect(sumOfNotes(unspentNotes(sync.state))).toBe(BigInt(NOTES) * COIN);
      if (!isOut) {
        // Nothing of it holds a note: the next merge is of the same ones.
        const again = await mergeNotes(send, { ...request, id: "again" }, never);
        expect(again.reserved).toHaveLength(38);
      }
    }
    expect([...outcomes]).toEqual(["none false", "draft false", "mempool true"]);
  });

  it("that its owner's payment sends away frees its notes, and the payment may spend them", async () => {
    const { open, node } = scene();
    const { sync, send } = await open();
    const cancel = new AbortController();
    const held: SendParts = {
      ...send,
      prover: {
        prove: (_plan, _progress, signal) =>
          new Promise((_, reject) => {
            signal.addEventListener("abort", () => reject(new Error("ended")), { once: true });
            cancel.abort();
          }),
      },
    };
    await expect(mergeNotes(held, request, cancel.signal)).rejects.toMatchObject({
      code: "wallet/cancelled",
    });
    expect(node.submitted).toEqual([]);
    const payees = [payeeOf(37n * COIN)];
    const all = { id: "paid", payees, maxFee: asSompi(COIN), recoverable: false };
    await sendPayment(send, all, () => undefined, never);
    expect(node.submitted).toHaveLength(1);
    expect(sync.state.outbox.at(-1)?.reserved).toHaveLength(38);
  });
});
