/** A wallet at a node of the parent network: it scans, is paid, pays and starts again; and the node becomes one of this program. */
import { afterEach, describe, expect, it } from "vitest";
import { RpcNode } from "@svc/node-server/client/rpcNode.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { ProverThread } from "@svc/node-server/proving/proverThread.ts";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { encodeMemo } from "@svc/shared/wallet/state/memo.ts";
import { cursorOf, unspentNotes } from "@svc/shared/wallet/state/walletState.ts";
import { historyRows } from "@svc/shared/wallet/view/history.ts";
import type { WalletSync } from "@svc/shared/wallet/sync/walletSync.ts";
import { MemoryWalletStore, WalletKit, walletClock } from "../../demo/walletKit.ts";
import { readPaymentFixture, seedBytes } from "../../fixtures/payments/paymentFixture.ts";
import { payOnce } from "../../network/testkit/payOnce.ts";
import { core, simnet } from "../engine/engineFixture.ts";
import { mineOn, never, startTestNode, tipOf } from "../node/nodeFixture.ts";
import { startParentNode } from "../rpc/parentNode.ts";

const fixture = readPaymentFixture();
const { alice, bob, carol } = fixture.owners;
const toCarol = decodeHex(carol.recipient);

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function nodeWith(blocks: readonly Uint8Array[]): Promise<RunningNode> {
  const node = await startTestNode(null, { http: null });
  closers.push(() => node.stop());
  for (const raw of blocks) await node.api.submitBlock(raw, never);
  return node;
}

async function parentOf(node: RunningNode, port = 0, isOurs = false) {
  const parent = await startParentNode(node.grpcAddress ?? "", { port, isOurs });
  closers.push(() => parent.close());
  return parent;
}

function portTo(address: string): RpcNode {
  const port = new RpcNode(address, { core, profileJson: simnet });
  closers.push(() => port.close());
  return port;
}

/** A wallet kept in a store, over a port to a node. */
async function walletOf(
  seed: string,
  port: RpcNode,
  store = new MemoryWalletStore(),
): Promise<{ readonly kit: WalletKit; readonly sync: WalletSync }> {
  const prover = new ProverThread({ prover: "own", proofThreads: 1, cacheFolder: null });
  const clock = walletClock(systemClock);
  const kit = new WalletKit(
    { core, profileJson: simnet, prover, clock, store },
    new Secret(seedBytes(seed)),
  );
  const sync = await kit.open(port, never);
  closers.push(
    () => prover.stop(),
    () => kit.close(),
  );
  return { kit, sync };
}

describe("a wallet at a node of the parent network", () => {
  it("finds what it was paid, and knows that it does not know the memo", async () => {
    const node = await nodeWith(fixture.trunk);
    const [compact, whole] = [
      await walletOf(bob.seed, portTo((await parentOf(node)).address)),
      await walletOf(bob.seed, portTo(node.grpcAddress ?? "")),
    ];
    for (const { sync } of [compact, whole]) await sync.catchUp(never);
    const { amount, memo, txid } = fixture.payment("plain");
    const [row] = whole.sync.state.history;
    expect(row).toMatchObject({ kind: "received", amount, txid, memo: encodeMemo(memo) });
    expect(compact.sync.state.history).toEqual([{ ...row, memo: "", memoKnown: false }]);
    expect(historyRows(compact.sync.state, compact.kit.policy, [])).toMatchObject([
      { memo: { kind: "empty" }, memoKnown: false },
    ]);
    // All else is the same, so that the wallet can go on at a node of either kind.
    const [note] = whole.sync.state.notes;
    expect(compact.sync.state.notes).toEqual([{ ...note, memo: "", memoKnown: false }]);
    expect(compact.sync.state.blocks).toEqual(whole.sync.state.blocks);
    expect(compact.sync.state.account).toEqual(whole.sync.state.account);
  });

  it("pays, starts again, and follows a chain that changes", async () => {
    const node = await nodeWith(fixture.trunk.slice(0, fixture.forkIndex));
    const parent = await parentOf(node);
    const store = new MemoryWalletStore();
    const payer = await walletOf(alice.seed, portTo(parent.address), store);
    await payer.sync.catchUp(never);
    const payee = { address: bob.address, amount: "0.5", memo: "rent" };
    const paid = await payOnce(payer.kit, payee);
    expect(paid.status.state).toBe("mempool");
    // One block carries it, the next one applies it.
    for (let mined = 0; mined < 2; mined += 1) await mineOn(node, toCarol);
    await payer.kit.close();
    const again = await walletOf(alice.seed, portTo(parent.address), store);
    await again.sync.catchUp(never);
    // Her own memo she knows.
    const sent = { kind: "sent", txid: paid.txid, memo: encodeMemo(payee.memo) };
    const row = again.sync.state.history.find(({ txid }) => txid === paid.txid);
    expect(row).toMatchObject(sent);
    expect(row).not.toHaveProperty("memoKnown");
    const receiver = await walletOf(bob.seed, portTo(parent.address));
    await receiver.sync.catchUp(never);
    expect(receiver.sync.state.history).toMatchObject([{ memoKnown: false, txid: paid.txid }]);
    // The branch has another payment of hers, and not this one.
    for (const raw of fixture.branch) await node.api.submitBlock(raw, never);
    for (const { sync } of [again, receiver]) {
      await sync.catchUp(never);
      expect(cursorOf(sync.state).hash).toBe((await tipOf(node)).sink);
    }
    const { txid, amount } = fixture.payment("first");
    expect(receiver.sync.state.history).toMatchObject([{ txid, amount, memoKnown: false }]);
  });

  it("goes on when a node of this program takes the other's place, and back", async () => {
    const node = await nodeWith(fixture.trunk);
    const first = await parentOf(node);
    const store = new MemoryWalletStore();
    const port = portTo(first.address);
    const { sync } = await walletOf(bob.seed, port, store);
    await sync.catchUp(never);
    expect(port.kind).toBe("compact");
    const number = Number(first.address.split(":")[1]);
    const before = sync.state;
    first.close();
    const second = await parentOf(node, number, true);
    await mineOn(node, toCarol);
    await untilReached(sync);
    await sync.catchUp(never);
    expect(port.kind).toBe("whole");
    const { sink } = await tipOf(node);
    expect(cursorOf(sync.state).hash).toBe(sink);
    // Nothing was scanned again: what was unknown still is, until the owner asks for a rescan.
    expect(sync.state.history).toEqual(before.history);
    second.close();
    await parentOf(node, number);
    await mineOn(node, toCarol);
    await untilReached(sync);
    await sync.catchUp(never);
    expect(port.kind).toBe("compact");
    expect(cursorOf(sync.state).chainIndex).toBe((await tipOf(node)).chainIndex);
    expect(unspentNotes(sync.state)).toEqual(unspentNotes(before));
  });

  it("learns the memos with a rescan at a node of this program", async () => {
    const node = await nodeWith(fixture.trunk);
    const store = new MemoryWalletStore();
    const compact = await walletOf(bob.seed, portTo((await parentOf(node)).address), store);
    await compact.sync.catchUp(never);
    await compact.kit.close();
    const whole = await walletOf(bob.seed, portTo(node.grpcAddress ?? ""), store);
    await whole.sync.rescan(never);
    await whole.sync.catchUp(never);
    const fresh = await walletOf(bob.seed, portTo(node.grpcAddress ?? ""));
    await fresh.sync.catchUp(never);
    expect(whole.sync.state).toEqual(fresh.sync.state);
  });
});

/** The first call after a stream ended finds that out; the next one opens another. */
async function untilReached(sync: WalletSync): Promise<void> {
  try {
    await sync.follow(never);
  } catch {
    return;
  }
}
