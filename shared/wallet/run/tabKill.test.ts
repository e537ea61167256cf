/** A tab that is killed at any step between plan and broadcast: no signed payment is lost, no note is spent by two. */
import { describe, expect, it } from "vitest";
import { decodeHex } from "../../base/hex.ts";
import { SvcError } from "../../base/svcError.ts";
import { broadcastDue } from "../send/broadcast.ts";
import { openWallet } from "./openWallet.ts";
import type { NodePort, ProverPort, SignerPort } from "../state/ports.ts";
import { repeatedPayments } from "../plan/retry.ts";
import { sendPayment } from "../send/sendPayment.ts";
import { ChainModel, freshWallet, TEST_POLICY } from "../testkit/chainModel.ts";
import { disclosedTo, payeeOf } from "../testkit/payments.ts";
import { FoldTree, ManualClock, MemoryStore, ModelNode, ModelScan } from "../testkit/ports.ts";

const COIN = 100_000_000n;
const TXID = "77".repeat(32);
const RAW = `${TXID}aa`;
const never = new AbortController().signal;
const payees = [payeeOf(2n * COIN)];
const ZEROS = "00".repeat(32);
/** What the payment keeps of its only output. */
const KEPT = payees.map(({ recipient, value }) => ({
  ...{ index: 0, recipient, value, rseed: ZEROS, rho: ZEROS },
}));

/** Counts the steps that reach outside of the wallet; from the deadly one on nothing answers any more. */
class Tab {
  steps = 0;
  readonly #deadly: number;

  constructor(deadly: number) {
    this.#deadly = deadly;
  }

  get isDead(): boolean {
    return this.steps >= this.#deadly;
  }

  /** One step, done or never begun: a call into a dead tab waits for ever. */
  async step<T>(work: () => Promise<T>): Promise<T> {
    if (this.isDead) return new Promise<never>(() => undefined);
    this.steps += 1;
    return work();
  }

  /** The same with its answer lost: what happened outside has happened. */
  async lost<T>(work: () => Promise<T>): Promise<T> {
    const done = await this.step(work);
    return this.isDead ? new Promise<never>(() => undefined) : done;
  }
}

class TabStore extends MemoryStore {
  tab: Tab | null = null;

  override async commit(change: Parameters<MemoryStore["commit"]>[0]): Promise<void> {
    const { tab } = this;
    if (tab === null) return super.commit(change);
    return tab.lost(() => super.commit(change));
  }
}

async function world() {
  const model = new ChainModel();
  model.add({ mined: [5n * COIN, 5n * COIN] });
  model.addEmpty(14);
  const node = new ModelNode(model);
  const store = new TabStore();
  const clock = new ManualClock();
  const makeTree = (bytes: Uint8Array) => new FoldTree(bytes);
  const policy = TEST_POLICY;
  const parts = { policy, node, scan: new ModelScan(model), store, clock, makeTree };
  const open = () => openWallet(parts, freshWallet().account, "genesis", never);
  return { node, store, clock, policy, open };
}

/** Runs a payment in a tab that dies after so many steps; resolves when it is dead or done. */
async function payIn(tab: Tab, scene: Awaited<ReturnType<typeof world>>): Promise<boolean> {
  const { node, store, clock, policy, open } = scene;
  const sync = await open();
  await sync.catchUp(never);
  store.tab = tab;
  const ported: NodePort = {
    tip: () => node.tip(),
    blocks: (after, limit) => node.blocks(after, limit),
    start: (index) => node.start(index),
    submit: (raw) => tab.lost(() => node.submit(raw)),
  };
  const finalize = () => tab.step(async () => decodeHex(RAW));
  const proved = { ...disclosedTo(payees), alphas: "[]", finalize };
  const prover: ProverPort = { prove: () => tab.step(async () => proved) };
  const signer: SignerPort = { sign: () => tab.step(async () => "aa") };
  const send = { sync, policy, node: ported, clock, prover, signer };
  const request = { id: "p", payees, maxFee: null, recoverable: false };
  let done = false;
  const paying = sendPayment(
    { ...send, transactionId: () => TXID, profile: {}, fvk: "fe".repeat(96) },
    request,
    () => undefined,
    never,
  ).then(() => {
    done = true;
  });
  paying.catch((error: unknown) => {
    throw SvcError.from(error);
  });
  for (let turn = 0; turn < 50; turn += 1) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
  store.tab = null;
  return done;
}

describe("a tab that is killed while it pays", () => {
  it("loses nothing at any step", async () => {
    const outcomes: string[] = [];
    for (let deadly = 0; ; deadly += 1) {
      const scene = await world();
      const done = await payIn(new Tab(deadly), scene);
      const left = scene.node.submitted.length > 0;
      const again = await scene.open();
      const [payment] = again.state.outbox;
      if (left) expect(payment).toMatchObject({ txid: TXID, raw: RAW });
      // What a receipt of the payment needs is stored with the bytes, or never.
      expect(payment?.outputs).toEqual(payment?.raw === RAW ? KEPT : undefined);
      if (payment !== undefined && payment.status.state !== "draft") {
        expect(repeatedPayments(again.state, payees)).toEqual([payment]);
      }
      outcomes.push(`${payment?.status.state ?? "none"}${left ? ", bytes left" : ""}`);
      scene.clock.now += 600_000n;
      await broadcastDue({ sync: again, node: scene.node, clock: scene.clock }, never);
      expect(new Set(scene.node.submitted).size).toBe(payment?.raw === RAW ? 1 : 0);
      if (done) break;
    }
    expect([...new Set(outcomes)]).toEqual([
      "none",
      "draft",
      "signed",
      "broadcasting",
      "broadcasting, bytes left",
      "mempool, bytes left",
    ]);
    expect(outcomes.length).toBeGreaterThan(8);
  });
});
