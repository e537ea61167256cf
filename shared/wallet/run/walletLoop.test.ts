import { describe, expect, it } from "vitest";
import { asTimestampMs } from "../../base/brand.ts";
import { SvcError } from "../../base/svcError.ts";
import { advancePaymentIn } from "../send/broadcast.ts";
import { openWallet } from "./openWallet.ts";
import { paymentOf } from "../reduce/outbox.ts";
import { ChainModel, freshWallet, TEST_POLICY } from "../testkit/chainModel.ts";
import { advance, eventsToMempool, payeeOf, withPlanned } from "../testkit/payments.ts";
import { FoldTree, ManualClock, MemoryStore, ModelNode, ModelScan } from "../testkit/ports.ts";
import { WalletLoop, type LoopFacts } from "./walletLoop.ts";

const away = new SvcError("wallet/node-unreachable", { url: "test" });

async function setUp() {
  const model = new ChainModel();
  model.add({ mined: [500_000_000n] });
  model.addEmpty(14);
  const node = new ModelNode(model);
  const makeTree = (bytes: Uint8Array) => new FoldTree(bytes);
  const store = new MemoryStore();
  const clock = new ManualClock();
  const parts = { policy: TEST_POLICY, node, scan: new ModelScan(model), store, makeTree, clock };
  const { signal } = new AbortController();
  const sync = await openWallet(parts, freshWallet().account, "genesis", signal);
  return { model, node, sync, clock };
}

/** Runs a loop until it has reported so many turns. */
async function turns(
  parts: Awaited<ReturnType<typeof setUp>>,
  count: number,
): Promise<LoopFacts[]> {
  const seen: LoopFacts[] = [];
  const stop = new AbortController();
  const loop = new WalletLoop(parts, 2_000, (facts) => {
    seen.push(facts);
    if (seen.length === count) stop.abort();
  });
  await loop.run(stop.signal);
  return seen;
}

describe("WalletLoop", () => {
  it("waits longer and longer for a node that is away, and then goes on", async () => {
    const parts = await setUp();
    parts.node.faults.push(away, away, away);
    const seen = await turns(parts, 5);
    expect(seen.map(({ failures }) => failures)).toEqual([1, 2, 3, 0, 0]);
    expect(seen.map(({ problem }) => problem)).toEqual([null, null, null, null, null]);
    expect(seen.at(-1)?.everSynced).toBe(true);
    expect(parts.clock.sleeps).toEqual([500, 1_000, 2_000, 2_000]);
  });

  it("names a fault that waiting does not mend", async () => {
    const parts = await setUp();
    parts.node.profileDigest = "d2".repeat(32);
    const [facts] = await turns(parts, 1);
    expect(facts?.problem?.code).toBe("wallet/node-wrong-network");
  });

  it("hands stored payments to the node until it takes them", async () => {
    const parts = await setUp();
    const { sync, node, model } = parts;
    await sync.catchUp(new AbortController().signal);
    const txid = model.txid();
    await sync.update((state) => {
      const payment = { id: "p", payees: [payeeOf(1n)] };
      return advance(withPlanned(state, TEST_POLICY, payment), "p", [
        ...eventsToMempool(txid).slice(0, 2),
        { type: "signed", txid, raw: txid },
      ]);
    });
    node.refusal = new SvcError("mempool/full", { count: 1, max: 1 });
    // Each look but the last hands over.
    await turns(parts, 3);
    expect(paymentOf(sync.state, "p").status).toMatchObject({
      state: "broadcasting",
      attempts: 2,
      lastError: { code: "mempool/full" },
    });
    node.refusal = null;
    parts.clock.now += 60_000n;
    await turns(parts, 2);
    expect(node.submitted).toEqual([txid]);
    expect(paymentOf(sync.state, "p").status.state).toBe("mempool");
    const later = asTimestampMs(parts.clock.now);
    await advancePaymentIn(sync, "p", { type: "attempt", nowMs: later });
    expect(paymentOf(sync.state, "p").status).toMatchObject({ state: "mempool", attempts: 4 });
  });

  it("scans again, once, when its tree is not the node's", async () => {
    const parts = await setUp();
    const { sync, node } = parts;
    await sync.catchUp(new AbortController().signal);
    sync.tree.append(new Uint8Array(32));
    sync.tree.truncate(sync.tree.size() - 2n);
    sync.tree.append(new Uint8Array(32).fill(9));
    const [healed] = await turns(parts, 1);
    expect(healed).toMatchObject({ failures: 0, problem: null });
    node.lie = "ab".repeat(32);
    const [first, second] = await turns(parts, 2);
    expect(first?.problem?.code).toBe("wallet/tree-mismatch");
    expect(second?.problem?.code).toBe("wallet/tree-mismatch");
    expect(node.calls.filter((call) => call === "start")).toHaveLength(3);
  });

  it("looks at once when it is woken", async () => {
    const parts = await setUp();
    let sleeping: () => void = () => undefined;
    const asleep = new Promise<void>((resolve) => {
      sleeping = resolve;
    });
    parts.clock.sleep = (_, signal: AbortSignal = new AbortController().signal) => {
      sleeping();
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(new SvcError("run/aborted", {})));
      });
    };
    const stop = new AbortController();
    let looks = 0;
    const loop = new WalletLoop(parts, 2_000, () => {
      looks += 1;
      if (looks === 2) stop.abort();
    });
    const running = loop.run(stop.signal);
    await asleep;
    loop.wake();
    await running;
    expect(looks).toBe(2);
  });
});
