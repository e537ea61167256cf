/** A payment that the downloaded blocks hold is not handed to the node again: that would say whose it is. */
import { describe, expect, it } from "vitest";
import { PAGE_LIMITS } from "@svc/web/pageLimits.ts";
import { broadcast } from "../send/broadcast.ts";
import { openWallet } from "./openWallet.ts";
import { paymentOf } from "../reduce/outbox.ts";
import type { ScanPort } from "../state/ports.ts";
import { ChainModel, EPOCH_POLICY, freshWallet } from "../testkit/chainModel.ts";
import { advance, eventsToMempool, payeeOf, withPlanned } from "../testkit/payments.ts";
import { FoldTree, MemoryStore, ModelNode, ModelScan } from "../testkit/ports.ts";
import { SimClock } from "../testkit/simClock.ts";
import { WalletLoop } from "./walletLoop.ts";

/** What the scan of a page takes: more than the pause between two pages. */
const SCAN_MS = 700;
const { signal: never } = new AbortController();

/** A wallet with a payment that the node took, closed before any block had it. */
async function paidAndClosed() {
  const model = new ChainModel();
  model.add({ mined: [500_000_000n] });
  model.addEmpty(14);
  const node = new ModelNode(model);
  const clock = new SimClock();
  const makeTree = (bytes: Uint8Array) => new FoldTree(bytes);
  const base = { policy: EPOCH_POLICY, node, clock, makeTree, pageBlocks: 3 };
  const inner = new ModelScan(model);
  const scan: ScanPort = {
    scan: async (page, signal) => {
      await clock.sleep(SCAN_MS, signal);
      return inner.scan(page);
    },
  };
  const parts = { ...base, scan, store: new MemoryStore() };
  const open = () => openWallet(parts, freshWallet().account, "genesis", never);
  const sync = await open();
  const done = sync.catchUp(never);
  await clock.run(10_000);
  await done;
  const txid = model.txid();
  await sync.update((state) => {
    const planned = withPlanned(state, EPOCH_POLICY, { id: "p", payees: [payeeOf(1n)] });
    return advance(planned, "p", eventsToMempool(txid));
  });
  const spends = paymentOf(sync.state, "p").reserved.map(({ nullifier }) => nullifier);
  await sync.close();
  const mine = () => model.add({ txs: [{ txid, spends }] });
  return { node, model, clock, parts, open, mine };
}

type Scene = Awaited<ReturnType<typeof paidAndClosed>>;

/** Opens the wallet a day later for five minutes. */
async function nextDay(scene: Scene, during: (sync: Awaited<ReturnType<Scene["open"]>>) => void) {
  const { clock, parts } = scene;
  await clock.run(86_400_000);
  const sync = await scene.open();
  const stop = new AbortController();
  const loop = new WalletLoop({ ...parts, sync }, PAGE_LIMITS.walletPollMs, () => undefined);
  const running = loop.run(stop.signal);
  await clock.run(150_000);
  during(sync);
  await clock.run(150_000);
  stop.abort();
  await clock.run(0);
  await running;
  return sync;
}

describe("a payment that a block has", () => {
  it("is not handed over again when it was mined while the wallet was closed", async () => {
    const scene = await paidAndClosed();
    scene.mine();
    scene.model.addEmpty(20);
    const sync = await nextDay(scene, () => undefined);
    expect(paymentOf(sync.state, "p").status.state).toBe("settled");
    expect(scene.node.calls).not.toContain("submit");
  });

  it("is not handed over again by a scan from the beginning", async () => {
    const scene = await paidAndClosed();
    scene.mine();
    scene.model.addEmpty(20);
    const sync = await nextDay(scene, (open) => void open.rescan(never, "genesis"));
    expect(sync.state.account.birthday.chainIndex).toBe(0n);
    expect(paymentOf(sync.state, "p").status.state).toBe("settled");
    expect(scene.node.calls).not.toContain("submit");
  });

  it("is not handed over by an attempt that comes late", async () => {
    const scene = await paidAndClosed();
    scene.mine();
    const sync = await scene.open();
    const done = sync.catchUp(never);
    await scene.clock.run(10_000);
    await done;
    expect(paymentOf(sync.state, "p").status.state).toBe("accepted");
    await broadcast({ ...scene.parts, sync }, "p", never);
    expect(scene.node.calls).not.toContain("submit");
  });
});

describe("a payment that no block has", () => {
  it("is handed over again when all that came is scanned", async () => {
    const scene = await paidAndClosed();
    scene.model.addEmpty(20);
    await nextDay(scene, () => undefined);
    const { calls } = scene.node;
    expect(calls.filter((call) => call === "submit").length).toBeGreaterThan(3);
    expect(calls.lastIndexOf("blocks")).toBeLessThan(calls.indexOf("submit"));
  });
});
