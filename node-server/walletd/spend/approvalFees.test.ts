/** Approvals count all that leaves a wallet: amounts, and the fees of every transaction. */
import { describe, expect, it } from "vitest";
import { asSompi } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import type { PayoutBatch } from "@svc/shared/wallet/plan/payoutFile.ts";
import { walletFee } from "@svc/shared/wallet/state/fee.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import { ChainModel } from "@svc/shared/wallet/testkit/chainModel.ts";
import {
  addressOf,
  FAKE_CORE,
  opened,
  SceneDisk,
  startDaemon,
  textOf,
} from "../testkit/spendScene.ts";
import { STORE_TABLES } from "../store/walletStoreLayout.ts";
import { revokeToken, scopedToken } from "../testkit/scopedToken.ts";
import { sendManyOrder } from "./spendOrder.ts";

const COIN = 100_000_000n;
const OWN = addressOf(1);
const { signal } = new AbortController();

/** A token of the wallet whose payments of more than this wait. */
function tokenAbove({ daemon, token }: Awaited<ReturnType<typeof setUp>>, sompi: bigint) {
  const limits = { approvalAboveSompi: asSompi(sompi) };
  return scopedToken(daemon.store, token, { digit: "c", limits });
}

/** Damages the stored row of a token. */
function damageToken({ kv }: SceneDisk, { hash }: { readonly hash: string }): void {
  const [table, key] = [STORE_TABLES.tokens, decodeHex(hash)];
  const value = kv.get(table, key)?.with(-1, 0) ?? expect.unreachable();
  kv.commit([{ table, key, value }]);
}

async function setUp(values: readonly bigint[]) {
  const model = new ChainModel();
  const outputs = values.map((value) => ({ value, recipient: OWN }));
  model.add({ txs: [{ txid: model.txid(), outputs }] });
  model.addEmpty(20);
  const disk = new SceneDisk(model);
  const token = disk.add("alice", OWN);
  const start = async () => {
    const daemon = startDaemon(disk);
    const open = await opened(daemon, token);
    const stop = async () => {
      await daemon.service.stop();
      await daemon.lanes.stop();
    };
    return { daemon, open, service: daemon.service, stop };
  };
  return { disk, token, start, ...(await start()) };
}

/** So many payees of one sompi each: a transaction holds 37. */
function manyPayees(count: number) {
  return Array.from({ length: count }, (_, number) => ({ to: textOf(100 + number), amount: 1n }));
}

function batchOf(open: Awaited<ReturnType<typeof setUp>>["open"], count: number): PayoutBatch {
  const parts = { core: FAKE_CORE, hrp: "test", fvk: open.keys.fvk };
  const { payees } = sendManyOrder(parts, { payees: manyPayees(count) });
  const rows = payees.map((payee, index) => ({ line: index + 1, reference: null, payee }));
  return { rows, total: asSompi(BigInt(count)) };
}

describe("a payment over three transactions whose fees exceed the token's amount together", () => {
  const count = 3 * WALLET_LIMITS.walletPayeesMax;
  const fees = { feeFloor: 4n * COIN, maxFee: 20n * COIN };

  it("waits for the owner before anything is sent", async () => {
    const scene = await setUp([10n * COIN, 10n * COIN, 10n * COIN]);
    const { disk, open, service, stop } = scene;
    const by = tokenAbove(scene, 10n * COIN);
    const request = { payees: manyPayees(count), ...fees };
    const call = { key: "k", isAsync: false, by };
    expect(await rejectionCode(service.sendMany(open, request, call, signal))).toBe(
      "wallet/approval-needed",
    );
    expect(disk.node.submitted).toEqual([]);
    await stop();
  });

  it("is told by the dry run as it is done", async () => {
    const scene = await setUp([10n * COIN, 10n * COIN, 10n * COIN]);
    const { open, service, stop, token } = scene;
    const by = tokenAbove(scene, 10n * COIN);
    for (const transactions of [2, 3]) {
      const batch = batchOf(open, transactions * WALLET_LIMITS.walletPayeesMax);
      const estimate = service.estimatePayout(open, { batch, ...fees }, by);
      expect(estimate).toMatchObject({ transactions, needsApproval: transactions === 3 });
    }
    const payout = { batch: batchOf(open, count), ...fees };
    const begun = await service.payout(open, payout, { key: null, by });
    const { id } = begun.kind === "job" ? begun : expect.unreachable();
    expect(service.job(token, id)).toMatchObject({ state: "waiting", phase: "approval" });
    await stop();
  });
});

describe("a payment that needs more fees than was foreseen when it was begun", () => {
  const values = [10n * COIN, ...Array.from({ length: 6 }, () => 2n * COIN)];
  const request = { to: textOf(9), amount: 5n * COIN };

  /** The owner's payment, begun in the same moment, takes the one note that would be enough. */
  async function begun({ isRevoked = false, isDamaged = false } = {}) {
    const scene = await setUp(values);
    const { open, service, token, daemon } = scene;
    const by = tokenAbove(scene, 5n * COIN + walletFee(2));
    const call = { key: "k", isAsync: false, by };
    const owners = service.send(
      open,
      { to: textOf(8), amount: 9n * COIN },
      { key: null, isAsync: false },
      signal,
    );
    const sent = rejectionCode(service.send(open, request, call, signal));
    if (isRevoked) revokeToken(daemon.store, by);
    if (isDamaged) damageToken(scene.disk, by);
    const code = await sent;
    await owners;
    const [job] = service.approvals.waiting(token);
    return { ...scene, daemon, call, code, job: job?.id ?? "" };
  }

  it("waits for the owner then, and is made once when he approves it", async () => {
    const { disk, open, service, stop, token, call, code, job } = await begun();
    expect(code).toBe("wallet/approval-needed");
    expect(disk.node.submitted).toHaveLength(1);
    expect(open.state.outbox).toHaveLength(1);
    expect(service.job(token, job)).toMatchObject({ state: "waiting", phase: "approval" });
    service.approve(open, job);
    expect(await service.send(open, request, call, signal)).toMatchObject({ kind: "answer" });
    expect(disk.node.submitted).toHaveLength(2);
    expect(service.approvals.waiting(token)).toEqual([]);
    await stop();
  });

  it("goes on over a start behind the approval, without another one", async () => {
    const { disk, open, service, stop, start, token, daemon, job } = await begun();
    // It stays at its proof until the program ends.
    daemon.prover.gate = (_plan, ended) => daemon.sim.sleep(Number.MAX_SAFE_INTEGER, ended);
    service.approve(open, job);
    await expect.poll(() => service.job(token, job).state).toBe("running");
    await stop();
    const next = await start();
    await next.service.resume();
    await expect.poll(() => next.service.job(token, job).state).toBe("done");
    expect(new Set(disk.node.submitted).size).toBe(2);
    await next.stop();
  });

  it("waits for the owner as soon as there is room to store that", async () => {
    const scene = await setUp(values);
    const { open, service, token, daemon } = scene;
    const by = tokenAbove(scene, 5n * COIN + walletFee(2));
    const { approvals } = service;
    const { hold } = approvals;
    let failures = 2;
    approvals.hold = (batch, job) => {
      failures -= 1;
      if (failures >= 0) throw new SvcError("store/commit-failed", { reason: "a test" });
      hold.call(approvals, batch, job);
    };
    const owners = service.send(
      open,
      { to: textOf(8), amount: 9n * COIN },
      { key: null, isAsync: false },
      signal,
    );
    const call = { key: "k", isAsync: false, by };
    expect(await rejectionCode(service.send(open, request, call, signal))).toBe(
      "store/commit-failed",
    );
    await owners;
    expect(approvals.waiting(token)).toEqual([]);
    await daemon.sim.run(5_000);
    expect(approvals.waiting(token)).toHaveLength(1);
    await scene.stop();
  });

  it("waits for nobody where its token was revoked meanwhile", async () => {
    const { disk, service, stop, token, code } = await begun({ isRevoked: true });
    expect(code).toBe("api/unknown-token");
    expect(service.approvals.waiting(token)).toEqual([]);
    expect(disk.node.submitted).toHaveLength(1);
    await stop();
  });

  it("ends, and holds no notes, where the row of its token was damaged meanwhile", async () => {
    const { disk, open, service, stop, token, daemon, code } = await begun({ isDamaged: true });
    expect(code).toBe("store/corrupt");
    await daemon.sim.run(10_000);
    const failed = [...daemon.store.jobs.ofWallet(token)].filter(({ error }) => error !== null);
    expect(failed).toMatchObject([{ state: "failed", error: { code: "store/corrupt" } }]);
    expect(service.approvals.waiting(token)).toEqual([]);
    expect([disk.node.submitted.length, open.state.outbox.length]).toEqual([1, 1]);
    await stop();
  });

  it("is denied by a cancel", async () => {
    const { disk, service, stop, token, job } = await begun();
    expect(await service.cancel(token, job)).toMatchObject({ state: "cancelled" });
    expect(disk.node.submitted).toHaveLength(1);
    await stop();
  });
});
