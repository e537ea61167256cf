/** A payment over several transactions that a node refused is made again: over the program, its kills and its answers. */
import { expect, it } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { ChainModel } from "@svc/shared/wallet/testkit/chainModel.ts";
import {
  addressOf,
  opened,
  readTransaction,
  SceneDisk,
  startDaemon,
  textOf,
} from "../testkit/spendScene.ts";

const COIN = 100_000_000n;
const OWN = addressOf(1);
const { signal } = new AbortController();
const options = { policy: { maxSpends: 3 } };
const request = { to: textOf(9), amount: 7n * COIN };
const refusal = new SvcError("tx/invalid-proof", { reason: "a test" });

/** A daemon over a wallet with eight notes of one coin: seven of them take three transactions. */
async function scene() {
  const model = new ChainModel();
  const outputs = Array.from({ length: 8 }, () => ({ value: COIN, recipient: OWN }));
  model.add({ txs: [{ txid: model.txid(), outputs }] });
  model.addEmpty(20);
  const disk = new SceneDisk(model);
  const token = disk.add("alice", OWN);
  const start = async () => {
    const daemon = startDaemon(disk, options);
    const open = await opened(daemon, token);
    const stop = async () => {
      await daemon.service.stop();
      await daemon.lanes.stop();
    };
    return { daemon, open, service: daemon.service, stop };
  };
  return { disk, token, start, ...(await start()) };
}

/** Positions of the notes that the transactions spend which the node has. */
function spentBy(disk: SceneDisk): readonly string[] {
  return [...new Set(disk.node.submitted)].flatMap((raw) =>
    readTransaction(raw).spends.map(({ position }) => position),
  );
}

function paidBy(disk: SceneDisk): bigint {
  return [...new Set(disk.node.submitted)]
    .flatMap((raw) => readTransaction(raw).outputs)
    .filter(({ address }) => address === addressOf(9))
    .reduce((sum, { value }) => sum + BigInt(value), 0n);
}

it("is made again over three transactions, the first beside the refused one", async () => {
  const { disk, daemon, open, service, stop } = await scene();
  disk.node.refusal = refusal;
  const call = (key: string) => service.send(open, request, { key, isAsync: false }, signal);
  for (const key of ["a", "b"]) {
    expect(await rejectionCode(call(key))).toBe("wallet/payment-rejected");
  }
  disk.node.refusal = null;
  const before = new Set(daemon.prover.plans[0]?.spends.map(({ position }) => position));
  expect(await call("c")).toMatchObject({ kind: "answer" });
  expect(paidBy(disk)).toBe(7n * COIN);
  const spent = spentBy(disk);
  expect(new Set(spent).size).toBe(spent.length);
  expect(spent.slice(0, 3).some((position) => before.has(position))).toBe(true);
  await stop();
});

it("goes on over a kill behind its first transaction, and pays all of it once", async () => {
  const { disk, daemon, open, service, stop, start, token } = await scene();
  disk.node.refusal = refusal;
  const call = { key: "a", isAsync: false };
  expect(await rejectionCode(service.send(open, request, call, signal))).toBe(
    "wallet/payment-rejected",
  );
  disk.node.refusal = null;
  const first = daemon.prover.plans.length;
  // It stays at its second proof until the program ends.
  daemon.prover.gate = async (_plan, ended) => {
    if (daemon.prover.plans.length > first + 1) {
      await daemon.sim.sleep(Number.MAX_SAFE_INTEGER, ended);
    }
  };
  const begun = await service.send(open, request, { key: "b", isAsync: true }, signal);
  const id = begun.kind === "job" ? begun.id : "";
  await expect.poll(() => disk.node.submitted.length).toBe(1);
  await expect.poll(() => daemon.prover.plans.length).toBe(first + 2);
  await stop();
  const next = await start();
  await next.service.resume();
  await expect.poll(() => next.service.job(token, id).state).toBe("done");
  expect(paidBy(disk)).toBe(7n * COIN);
  const spent = spentBy(disk);
  expect(new Set(spent).size).toBe(spent.length);
  await next.stop();
});
