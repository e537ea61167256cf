import { describe, expect, it } from "vitest";
import { asBlueScore, asChainIndex, asTimestampMs } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";
import { ChainModel } from "@svc/shared/wallet/testkit/chainModel.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import {
  addressOf,
  mine,
  opened,
  readTransaction,
  SceneDisk,
  startDaemon,
  textOf,
  type SceneDaemon,
  type SceneOptions,
} from "../testkit/spendScene.ts";
import type { SpendCall, SpendReply } from "./spendService.ts";

const COIN = 100_000_000n;
const { signal } = new AbortController();
const OWN = addressOf(1);
const SYNC: SpendCall = { key: null, isAsync: false };
const keyed = (key: string, isAsync = false): SpendCall => ({ key, isAsync });

/** A chain on which the wallet has mature notes of these values. */
function chainWith(values: readonly bigint[]): ChainModel {
  const model = new ChainModel();
  const outputs = values.map((value) => ({ value, recipient: OWN }));
  model.add({ txs: [{ txid: model.txid(), outputs }] });
  model.addEmpty(20);
  return model;
}

async function setUp(values: readonly bigint[], options: SceneOptions = {}) {
  const disk = new SceneDisk(chainWith(values));
  const token = disk.add("alice", OWN);
  const daemon = startDaemon(disk, options);
  const open = await opened(daemon, token);
  return { disk, token, daemon, open, service: daemon.service };
}

async function stop(daemon: SceneDaemon): Promise<void> {
  await daemon.service.stop();
  await daemon.lanes.stop();
}

/** The same disk after the program has ended and begun again. */
async function restarted(disk: SceneDisk, daemon: SceneDaemon, options: SceneOptions = {}) {
  await stop(daemon);
  const next = startDaemon(disk, options);
  const [name = ""] = disk.wallets.keys();
  const open = await opened(next, disk.add(name, OWN));
  return { daemon: next, open, service: next.service };
}

function answer(reply: SpendReply): Record<string, unknown> {
  if (reply.kind !== "answer") throw new Error("a job");
  return JSON.parse(reply.body);
}

/** What the transactions that the node was given pay to others. */
function paid(disk: SceneDisk): readonly string[] {
  return [...new Set(disk.node.submitted)].flatMap((raw) =>
    readTransaction(raw)
      .outputs.filter(({ address }) => address !== OWN)
      .map(({ address, value, memo }) => `${BigInt(`0x${address}`)}:${value}:${memo}`),
  );
}

/** No two transactions spend one note. */
function expectNoDoubleSpend(disk: SceneDisk): void {
  const spent = [...new Set(disk.node.submitted)].flatMap((raw) =>
    readTransaction(raw).spends.map(({ position }) => position),
  );
  expect(new Set(spent).size).toBe(spent.length);
}

describe("send", () => {
  it("pays in one transaction and answers as the sheet says", async () => {
    const { disk, daemon, open, service } = await setUp([5n * COIN]);
    const request = { to: textOf(9), amount: 2n * COIN, memo: "hi" };
    const reply = answer(await service.send(open, request, SYNC, signal));
    expect(reply).toEqual({
      txid: disk.node.submitted[0]?.slice(0, 64),
      txids: [disk.node.submitted[0]?.slice(0, 64)],
      tx_count: 1,
      amount_sompi: "200000000",
      fee_sompi: "1855400",
      amount_sompi_exact: "200000000",
      fee_sompi_exact: "1855400",
    });
    expect(paid(disk)).toEqual(["9:200000000:6869"]);
    await stop(daemon);
  });

  it("pays over several transactions in order, the memo with the first", async () => {
    const values = Array.from({ length: 8 }, () => COIN);
    const { disk, daemon, open, service } = await setUp(values, { policy: { maxSpends: 3 } });
    const request = { to: textOf(9), amount: 7n * COIN, memo: "hi" };
    const reply = answer(await service.send(open, request, SYNC, signal));
    expect(reply).toMatchObject({ tx_count: 3, amount_sompi: "700000000" });
    expect(disk.node.submitted.map((raw) => raw.slice(0, 64))).toEqual(reply["txids"]);
    expect(paid(disk).map((line) => line.split(":")[2])).toEqual(["6869", "", ""]);
    const sum = paid(disk).reduce((total, line) => total + BigInt(line.split(":")[1] ?? 0), 0n);
    expect(sum).toBe(7n * COIN);
    expectNoDoubleSpend(disk);
    await stop(daemon);
  });

  it("names the same job when it is repeated as a job, also after that has ended and over a start", async () => {
    const { disk, daemon, open, service } = await setUp([5n * COIN]);
    const request = { to: textOf(9), amount: 2n * COIN };
    const begun = await service.send(open, request, keyed("k", true), signal);
    expect(begun.kind).toBe("job");
    await daemon.sim.run(10_000);
    expect(await service.send(open, request, keyed("k", true), signal)).toEqual(begun);
    expect((await service.send(open, request, keyed("k"), signal)).kind).toBe("answer");
    const next = await restarted(disk, daemon);
    expect(await next.service.send(next.open, request, keyed("k", true), signal)).toEqual(begun);
    expect(paid(disk)).toHaveLength(1);
    await stop(next.daemon);
  });

  it("raises the fee to the floor, and refuses one above the ceiling before anything is stored", async () => {
    const { disk, daemon, open, service } = await setUp([5n * COIN]);
    const request = { to: textOf(9), amount: COIN };
    const floor = await service.send(open, { ...request, feeFloor: 3_000_000n }, SYNC, signal);
    expect(answer(floor)).toMatchObject({ fee_sompi: "3000000" });
    mine(disk, 0, OWN);
    disk.model.addEmpty(20);
    await opened(daemon, open.token);
    const before = open.state.outbox;
    const tooDear = service.send(open, { ...request, maxFee: 1_000_000n }, keyed("k"), signal);
    await expect(tooDear).rejects.toThrow("wallet/fee-too-high (fee=0.018554, max=0.01)");
    expect(open.state.outbox).toEqual(before);
    await stop(daemon);
  });

  it("takes no fee that no transaction needs, unless the caller names a maximum", async () => {
    const { disk, daemon, open, service } = await setUp([5n * COIN]);
    const request = { to: textOf(9), amount: COIN };
    const dear = { feeFloor: 2n * 24_578_600n + 1n };
    const calls = [
      () => service.send(open, { ...request, ...dear }, keyed("k"), signal),
      () => service.sendMany(open, { payees: [request], ...dear }, SYNC, signal),
      () => service.consolidate(open, { order: "oldest", ...dear }, SYNC, signal),
    ];
    for (const call of calls) {
      await expect(call()).rejects.toThrow("wallet/fee-too-high (fee=0.49157201, max=0.491572)");
    }
    expect([...daemon.store.jobs.ofWallet("alice")]).toEqual([]);
    const meant = { ...request, ...dear, maxFee: COIN };
    const reply = await service.send(open, meant, keyed("k"), signal);
    expect(answer(reply)).toMatchObject({ fee_sompi: "49157201" });
    expect(disk.node.submitted).toHaveLength(1);
    await stop(daemon);
  });

  it("bounds the fee of all transactions together", async () => {
    const values = Array.from({ length: 8 }, () => COIN);
    const { disk, daemon, open, service } = await setUp(values, { policy: { maxSpends: 3 } });
    const request = { to: textOf(9), amount: 7n * COIN, maxFee: 5_000_000n };
    await expect(service.send(open, request, SYNC, signal)).rejects.toThrow("wallet/fee-too-high");
    expect(disk.node.submitted).toEqual([]);
    await stop(daemon);
  });

  it("refuses what cannot be paid, each with its code, and stores no job", async () => {
    const { daemon, open, service } = await setUp([5n * COIN]);
    const refused = async (change: object): Promise<string> => {
      const request = { to: textOf(9), amount: COIN, ...change };
      const thrown: unknown = await service.send(open, request, SYNC, signal).then(
        () => null,
        (error: unknown) => error,
      );
      return SvcError.from(thrown).code;
    };
    expect(await refused({ amount: 0n })).toBe("amount/zero");
    expect(await refused({ amount: -1n })).toBe("amount/zero");
    expect(await refused({ amount: 1n << 64n })).toBe("codec/number-out-of-range");
    expect(await refused({ feeFloor: -1n })).toBe("codec/number-out-of-range");
    expect(await refused({ to: "nothing" })).toBe("address/missing-prefix");
    expect(await refused({ memo: "ä".repeat(257) })).toBe("wallet/memo-too-long");
    expect([...daemon.store.jobs.ofWallet("alice")]).toEqual([]);
    expect(await refused({ amount: 6n * COIN })).toBe("wallet/insufficient-funds");
    const [job] = daemon.store.jobs.ofWallet("alice");
    expect(job).toMatchObject({ state: "failed", error: { code: "wallet/insufficient-funds" } });
    await stop(daemon);
  });

  it("refuses a wallet that watches, one that is not synced, and a key that is none", async () => {
    const { disk, daemon, open, service } = await setUp([5n * COIN]);
    const request = { to: textOf(9), amount: COIN };
    const watched = await opened(daemon, disk.add("watcher", addressOf(2), "watch"));
    await expect(service.send(watched, request, SYNC, signal)).rejects.toThrow("wallet/watch-only");
    for (const key of ["", "k".repeat(PROTOCOL_LIMITS.idempotencyKeyChars + 1)]) {
      const call = service.send(open, request, keyed(key), signal);
      await expect(call).rejects.toThrow("wallet/bad-idempotency-key (max=255)");
    }
    await daemon.lanes.remove(open.wallet);
    disk.model.addEmpty(40);
    daemon.lanes.wake();
    await daemon.sim.run(5_000);
    await expect(service.send(open, request, SYNC, signal)).rejects.toThrow("wallet/not-synced");
    expect([...daemon.store.jobs.ofWallet("alice")]).toEqual([]);
    await stop(daemon);
  });

  it("never chooses one note for two calls at once", async () => {
    const values = Array.from({ length: 12 }, () => COIN);
    const { disk, daemon, open, service } = await setUp(values, { policy: { maxSpends: 2 } });
    const calls = Array.from({ length: 15 }, (_, number) =>
      service.send(open, { to: textOf(100 + number), amount: COIN / 2n }, SYNC, signal),
    );
    const settled = await Promise.allSettled(calls);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(12);
    for (const end of settled) {
      if (end.status === "rejected") {
        expect(SvcError.from(end.reason).code).toMatch(/payment-pending|insufficient-funds/);
      }
    }
    expect(paid(disk)).toHaveLength(12);
    expectNoDoubleSpend(disk);
    await stop(daemon);
  });

  it("shares a note with a payment to the same address that seems to have failed", async () => {
    const { disk, daemon, open, service } = await setUp([COIN, 2n * COIN]);
    disk.node.refusal = new SvcError("tx/invalid-proof", { reason: "a test" });
    const request = { to: textOf(9), amount: COIN / 2n };
    await expect(service.send(open, request, keyed("a"), signal)).rejects.toThrow(
      "wallet/payment-rejected",
    );
    // The bytes may be out: its key never spends again.
    await expect(service.send(open, request, keyed("a"), signal)).rejects.toThrow(
      "wallet/payment-rejected",
    );
    disk.node.refusal = null;
    await service.send(open, request, keyed("b"), signal);
    const [first, second] = daemon.prover.plans;
    expect(daemon.prover.plans).toHaveLength(2);
    expect(second?.spends[0]?.position).toBe(first?.spends[0]?.position);
    await stop(daemon);
  });
});

describe("sendMany", () => {
  it("pays payees in their order, the same one twice", async () => {
    const { disk, daemon, open, service } = await setUp([5n * COIN]);
    const payees = [7, 8, 7].map((number) => ({
      to: textOf(number),
      amount: COIN / 4n,
      memo: "m",
    }));
    const reply = answer(await service.sendMany(open, { payees }, SYNC, signal));
    expect(reply).toEqual({
      txids: [disk.node.submitted[0]?.slice(0, 64)],
      tx_count: 1,
      payees: 3,
      paid_sompi: "75000000",
      fee_sompi: "3117800",
      paid_sompi_exact: "75000000",
      fee_sompi_exact: "3117800",
    });
    expect(paid(disk)).toEqual(["7:25000000:6d", "8:25000000:6d", "7:25000000:6d"]);
    await stop(daemon);
  });

  it("names the payee that is wrong, and pays nobody", async () => {
    const { disk, daemon, open, service } = await setUp([5n * COIN]);
    const good = { to: textOf(7), amount: COIN };
    const refusedFor = (bad: object) =>
      service.sendMany(open, { payees: [good, { ...good, ...bad }] }, SYNC, signal);
    await expect(refusedFor({ amount: 0n })).rejects.toMatchObject({
      code: "wallet/bad-payee",
      data: { index: "1", reason: "amount must be positive" },
    });
    await expect(refusedFor({ to: "x" })).rejects.toMatchObject({ data: { index: "1" } });
    await expect(refusedFor({ memo: "m".repeat(513) })).rejects.toMatchObject({
      data: { index: "1" },
    });
    await expect(service.sendMany(open, { payees: [] }, SYNC, signal)).rejects.toThrow(
      "amount/zero",
    );
    const payees = Array.from({ length: PROTOCOL_LIMITS.payeesPerCall + 1 }, () => good);
    await expect(service.sendMany(open, { payees }, SYNC, signal)).rejects.toThrow(
      "codec/count-too-large",
    );
    expect(disk.node.submitted).toEqual([]);
    await stop(daemon);
  });

  it("says what was sent when a later transaction fails, and frees the rest", async () => {
    const values = Array.from({ length: 4 }, () => COIN);
    const { disk, daemon, open, service } = await setUp(values, { policy: { maxSpends: 1 } });
    daemon.prover.gate = async () => {
      if (daemon.prover.plans.length === 3)
        throw new SvcError("prove/failed", { reason: "a test" });
    };
    const payees = [5, 6, 7, 8].map((number) => ({ to: textOf(number), amount: COIN / 2n }));
    const call = () => service.sendMany(open, { payees }, keyed("k"), signal);
    const error: unknown = await call().catch((thrown: unknown) => thrown);
    const txids = disk.node.submitted.map((raw) => raw.slice(0, 64));
    expect(error).toMatchObject({
      code: "wallet/partly-sent",
      data: { sent: "2", total: "4", sompi: "100000000", txids: txids.join(",") },
    });
    expect(paid(disk)).toEqual(["5:50000000:", "6:50000000:"]);
    expect(open.state.outbox).toHaveLength(2);
    // Money has moved: the key stands for that, and spends nothing more.
    daemon.prover.gate = async () => undefined;
    const again: unknown = await call().catch((thrown: unknown) => thrown);
    expect(SvcError.from(again).toJSON()).toEqual(SvcError.from(error).toJSON());
    expect(disk.node.submitted).toHaveLength(2);
    await stop(daemon);
  });
});

describe("consolidate", () => {
  it("merges the smallest notes or the oldest", async () => {
    const values = [COIN, 3n * COIN, 2n * COIN];
    const { disk, daemon, open, service } = await setUp(values, { policy: { maxSpends: 2 } });
    const reply = await service.consolidate(open, { order: "oldest" }, SYNC, signal);
    const [raw = ""] = disk.node.submitted;
    expect(answer(reply)).toEqual({
      txid: raw.slice(0, 64),
      consolidated: 2,
      value_sompi: String(4n * COIN - 1_855_400n),
      value_sompi_exact: String(4n * COIN - 1_855_400n),
      notes_remaining: 1,
    });
    expect(readTransaction(raw).spends.map(({ position }) => position)).toEqual(["0", "1"]);
    const nothing = service.consolidate(open, { order: "smallest" }, SYNC, signal);
    await expect(nothing).rejects.toThrow("wallet/nothing-to-consolidate");
    await stop(daemon);
  });
});

describe("an idempotency key", () => {
  const request = { to: textOf(9), amount: COIN };

  it("joins the call under way, and gives its answer afterwards, the same bytes, also after a start", async () => {
    const scene = await setUp([5n * COIN, 5n * COIN]);
    const { disk, daemon, open, service } = scene;
    const both = await Promise.all([
      service.send(open, request, keyed("k"), signal),
      service.send(open, request, keyed("k"), signal),
    ]);
    expect(both[0]).toEqual(both[1]);
    expect(await service.send(open, request, keyed("k"), signal)).toEqual(both[0]);
    const next = await restarted(disk, daemon);
    expect(await next.service.send(next.open, request, keyed("k"), signal)).toEqual(both[0]);
    expect(disk.node.submitted).toHaveLength(1);
    await stop(next.daemon);
  });

  it("is refused for another call", async () => {
    const { disk, daemon, open, service } = await setUp([5n * COIN, 5n * COIN]);
    await service.send(open, request, keyed("k"), signal);
    for (const change of [
      { amount: COIN + 1n },
      { memo: "x" },
      { feeFloor: 1n },
      { maxFee: COIN },
    ]) {
      const other = service.send(open, { ...request, ...change }, keyed("k"), signal);
      await expect(other).rejects.toThrow("wallet/key-reused");
    }
    const many = service.sendMany(open, { payees: [request] }, keyed("k"), signal);
    await expect(many).rejects.toThrow("wallet/key-reused");
    expect(disk.node.submitted).toHaveLength(1);
    await stop(daemon);
  });

  it("names its payment when the answer has gone and the payment was put away", async () => {
    const { disk, daemon, open, service } = await setUp([5n * COIN]);
    const first = await service.send(open, request, keyed("k"), signal);
    const { idempotency, payments, jobs } = daemon.store;
    daemon.store.commit((batch) => {
      const nowMs = asTimestampMs(daemon.sim.nowMs() + WALLETD_LIMITS.storeAnswerMs);
      expect(idempotency.expireAnswers(batch, nowMs)).toBe(1);
    });
    expect(idempotency.get({ token: "alice", key: "k" })?.answer).toBe(null);
    daemon.store.commit((batch) => {
      for (const job of jobs.ofWallet("alice")) jobs.delete(batch, job);
      for (const payment of open.state.outbox) {
        const [at, blueScore] = [asChainIndex(30n), asBlueScore(30n)];
        const status = { state: "settled", at, blueScore, previous: null } as const;
        payments.putAway(batch, "alice", { ...payment, raw: null, status });
      }
    });
    expect(await service.send(open, request, keyed("k"), signal)).toEqual(first);
    expect(disk.node.submitted).toHaveLength(1);
    await stop(daemon);
  });

  it("counts a payee once who was paid in two parts, also when the answer has gone", async () => {
    const values = Array.from({ length: 8 }, () => COIN);
    const { daemon, open, service } = await setUp(values, { policy: { maxSpends: 3 } });
    const many = { payees: [{ to: textOf(7), amount: 5n * COIN }, request] };
    const first = answer(await service.sendMany(open, many, keyed("k"), signal));
    expect(first).toMatchObject({ payees: 2, tx_count: 3 });
    daemon.store.commit((batch) => {
      const nowMs = asTimestampMs(daemon.sim.nowMs() + WALLETD_LIMITS.storeAnswerMs);
      daemon.store.idempotency.expireAnswers(batch, nowMs);
      for (const job of daemon.store.jobs.ofWallet("alice")) daemon.store.jobs.delete(batch, job);
    });
    expect(answer(await service.sendMany(open, many, keyed("k"), signal))).toEqual(first);
    await stop(daemon);
  });

  it("is not told that its payment failed while the wallet is scanned again", async () => {
    const { disk, daemon, open, service } = await setUp([5n * COIN]);
    const first = await service.send(open, request, keyed("k"), signal);
    mine(disk, 0, OWN);
    disk.model.addEmpty(300);
    await opened(daemon, open.token);
    expect(open.state.outbox).toMatchObject([{ status: { state: "settled", previous: null } }]);
    daemon.store.commit((batch) => {
      const nowMs = asTimestampMs(daemon.sim.nowMs() + WALLETD_LIMITS.storeAnswerMs);
      expect(daemon.store.idempotency.expireAnswers(batch, nowMs)).toBe(1);
      for (const job of daemon.store.jobs.ofWallet("alice")) daemon.store.jobs.delete(batch, job);
    });
    await daemon.open.rescan(open, signal);
    const early = service.send(open, request, keyed("k"), signal);
    await expect(early).rejects.toThrow("wallet/not-synced");
    await opened(daemon, open.token);
    expect(await service.send(open, request, keyed("k"), signal)).toEqual(first);
    expect(disk.node.submitted).toHaveLength(1);
    await stop(daemon);
  });

  it("may be used again when nothing was signed for it", async () => {
    const { disk, daemon, open, service } = await setUp([COIN / 2n]);
    const poor = service.send(open, request, keyed("k"), signal);
    await expect(poor).rejects.toThrow("wallet/insufficient-funds");
    disk.model.add({
      txs: [{ txid: disk.model.txid(), outputs: [{ value: 3n * COIN, recipient: OWN }] }],
    });
    disk.model.addEmpty(20);
    await opened(daemon, open.token);
    await service.send(open, request, keyed("k"), signal);
    expect(paid(disk)).toEqual(["9:100000000:"]);
    await stop(daemon);
  });
});
