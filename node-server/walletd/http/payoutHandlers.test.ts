/** Payout batches over the server: what is wrong with a file, what it would take, its job, and its report. */
import { afterEach, expect, it } from "vitest";
import { asTimestampMs } from "@svc/shared/base/brand.ts";
import { readCsv } from "@svc/shared/base/csv.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { ChainModel } from "@svc/shared/wallet/testkit/chainModel.ts";
import { asWalletToken } from "../keys/walletToken.ts";
import { addressOf, SceneDisk, textOf } from "../testkit/spendScene.ts";
import { SpendServer } from "../testkit/spendServer.ts";
import { refusal, TOKEN } from "../testkit/walletServerFixture.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";

const COIN = 100_000_000n;
const OWN = addressOf(1);
const OWNER = asWalletToken(TOKEN);
const options = { signal: new AbortController().signal };
/** One note a transaction: three payouts are three transactions. */
const policy = { maxSpends: 1 };
const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

/** A wallet with four notes of a coin. */
function newDisk(): SceneDisk {
  const model = new ChainModel();
  const outputs = Array.from({ length: 4 }, () => ({ value: COIN, recipient: OWN }));
  model.add({ txs: [{ txid: model.txid(), outputs }] });
  model.addEmpty(20);
  const disk = new SceneDisk(model);
  disk.add(TOKEN, OWN);
  return disk;
}

async function serve(disk: SceneDisk = newDisk()): Promise<SpendServer> {
  const server = await SpendServer.start(disk, { token: OWNER, policy });
  stops.push(() => server.stop());
  return server;
}

const FILE = [
  "reference,to,amount,memo",
  `r-1,${textOf(5)},0.5,thanks`,
  `r-2,${textOf(6)},0.6,`,
  `,${textOf(7)},0.7,"a, b"`,
].join("\n");
const csv = { format: "csv", data: FILE } as const;

/** Ends each proof when it is told to. */
function gated({ daemon }: SpendServer): (() => void)[] {
  const gates: (() => void)[] = [];
  daemon.prover.gate = (_, stop) =>
    new Promise((resolve, reject) => {
      gates.push(resolve);
      stop.addEventListener("abort", () => reject(new SvcError("run/aborted", {})));
    });
  return gates;
}

it("says what it would take, and pays nothing", async () => {
  const server = await serve();
  const { owner } = server;
  const first = await owner.estimatePayout(csv, options);
  expect(first).toMatchObject({
    dry_run: true,
    payouts: 3,
    total_sompi: (18n * COIN) / 10n,
    tx_count: 3,
    notes: 3,
    seconds: null,
    needs_approval: false,
    faults: [],
  });
  expect(first.fee_sompi).toBeGreaterThan(0n);
  expect(server.paidOthers).toBe(0n);
  expect([...server.daemon.store.jobs.ofWallet(OWNER)]).toEqual([]);
  await owner.send({ to: textOf(9), amount_sompi: 1n }, options);
  expect((await owner.estimatePayout(csv, options)).seconds).not.toBeNull();
  const dear = owner.estimatePayout({ ...csv, max_fee: 1n }, options);
  expect(await rejectionCode(dear)).toBe("wallet/fee-too-high");
  const wild = { ...csv, fee: COIN };
  for (const call of [owner.estimatePayout(wild, options), owner.begin("payout", wild, options)]) {
    expect(await rejectionCode(call)).toBe("wallet/fee-too-high");
  }
  const large = {
    format: "json",
    data: JSON.stringify([{ to: textOf(5), amount: "90" }]),
  } as const;
  expect(await rejectionCode(owner.estimatePayout(large, options))).toBe(
    "wallet/insufficient-funds",
  );
});

it("says of each line what is wrong, and pays none of a file with a fault", async () => {
  const server = await serve();
  const bad = `${FILE}\nr-1,${textOf(5)},1,\nx,svc:y,1,\ny,${textOf(5)},-1,`;
  const { faults, tx_count } = await server.owner.estimatePayout({ ...csv, data: bad }, options);
  expect([faults.map(({ line, code }) => `${line} ${code}`), tx_count]).toEqual([
    ["5 wallet/payout-twice", "6 address/missing-prefix", expect.stringMatching(/^7 amount\//)],
    0,
  ]);
  const answer = await server.fixture.post("/api/wallet/payouts", { format: "csv", data: bad });
  expect(refusal(answer)).toEqual([400, "wallet/bad-payout-file"]);
  expect(JSON.parse(answer.body)).toMatchObject({
    error: "Line 5 of the payouts: The reference of this payout stands on line 2 already.",
    line: "5",
    faults: [{ line: 5, code: "wallet/payout-twice" }, { line: 6 }, { line: 7 }],
  });
  const whole = await server.fixture.post("/api/wallet/payouts", { format: "json", data: "{" });
  expect(refusal(whole)).toEqual([400, "wallet/bad-payout-file"]);
  expect([...server.daemon.store.jobs.ofWallet(OWNER)]).toEqual([]);
});

it("is a job that tells each transaction, then each payout, and a report", async () => {
  const server = await serve();
  const { owner } = server;
  const gates = gated(server);
  const job = await owner.begin("payout", csv, options);
  await expect.poll(() => gates.length).toBe(1);
  gates[0]?.();
  await expect.poll(() => gates.length).toBe(2);
  const running = await owner.job(job, options);
  expect(running).toMatchObject({ kind: "payout", state: "running", payouts: null });
  expect(running.share).toBeCloseTo(1 / 3);
  const soFar = readCsv(await owner.payoutReport(job, options), BOUNDS);
  expect(soFar.map(({ fields }) => fields[5])).toEqual(["status", "sent", "waiting", "waiting"]);
  gates[1]?.();
  await expect.poll(() => gates.length).toBe(3);
  gates[2]?.();
  await expect.poll(async () => (await owner.job(job, options)).state).toBe("done");
  const { payouts, answer } = await owner.job(job, options);
  expect(payouts).toMatchObject([
    { line: 2, reference: "r-1", to: textOf(5), amount_sompi: COIN / 2n, status: "sent" },
    { line: 3, reference: "r-2", sent_sompi: (6n * COIN) / 10n, error: null },
    { line: 4, reference: null, txids: [expect.stringMatching(/^[0-9a-f]{64}$/)] },
  ]);
  expect(answer).toMatchObject({ tx_count: { text: "3" }, paid_sompi: "180000000" });
  const answered = await server.fixture.ask(`/api/wallet/payouts/${job}/report`, {
    headers: { "X-Wallet-Token": TOKEN },
  });
  expect(answered.headers["content-type"]).toBe("text/csv; charset=utf-8");
  const [header, ...lines] = readCsv(answered.body, BOUNDS);
  expect(header?.fields.slice(0, 7).join()).toBe(
    "line,reference,to,amount,amount_sompi,status,sent_sompi",
  );
  expect(lines.map(({ fields }) => [fields[0], fields[3], fields[5]])).toEqual([
    ["2", "0.5", "sent"],
    ["3", "0.6", "sent"],
    ["4", "0.7", "sent"],
  ]);
  expect(server.paidOthers).toBe((18n * COIN) / 10n);
});

it("is paid once, however often it is called, over a new start too", async () => {
  const disk = newDisk();
  const first = await serve(disk);
  const gates = gated(first);
  const keyed = { ...options, idempotencyKey: "march" };
  const job = await first.owner.begin("payout", csv, keyed);
  await expect.poll(() => gates.length).toBe(1);
  gates[0]?.();
  await expect.poll(() => gates.length).toBe(2);
  expect(await first.owner.begin("payout", csv, keyed)).toBe(job);
  const other = { ...csv, data: FILE.replace("0.5", "0.4") };
  expect(await rejectionCode(first.owner.begin("payout", other, keyed))).toBe("wallet/key-reused");
  await first.stop();

  const second = await serve(disk);
  await second.daemon.service.resume();
  await expect.poll(async () => (await second.owner.job(job, options)).state).toBe("done");
  expect(await second.owner.begin("payout", csv, keyed)).toBe(job);
  expect(second.paidOthers).toBe((18n * COIN) / 10n);
  expect((await second.owner.job(job, options)).payouts).toHaveLength(3);
});

it("whose job is forgotten tells what was paid for its key", async () => {
  const server = await serve();
  const { owner, daemon } = server;
  const keyed = { ...options, idempotencyKey: "march" };
  const job = await owner.begin("payout", csv, keyed);
  await expect.poll(async () => (await owner.job(job, options)).state).toBe("done");
  const { jobs, idempotency } = daemon.store;
  daemon.store.commit((batch) => {
    for (const row of jobs.ofWallet(OWNER)) jobs.delete(batch, row);
    idempotency.expireAnswers(
      batch,
      asTimestampMs(daemon.sim.nowMs() + WALLETD_LIMITS.storeAnswerMs),
    );
  });
  const input = { params: {}, query: {}, body: csv };
  const again = await owner.call("payout", input, keyed);
  expect(again).toMatchObject({
    dry_run: false,
    payouts: 3,
    total_sompi: (18n * COIN) / 10n,
    tx_count: 3,
    notes: 3,
  });
  const txids = server.disk.node.submitted.map((raw) => raw.slice(0, 64));
  expect(again.txids).toEqual(txids);
  expect(server.paidOthers).toBe((18n * COIN) / 10n);
});

it("that is cancelled tells what was sent and what was not", async () => {
  const server = await serve();
  const { owner } = server;
  const gates = gated(server);
  const job = await owner.begin("payout", csv, options);
  await expect.poll(() => gates.length).toBe(1);
  gates[0]?.();
  await expect.poll(() => gates.length).toBe(2);
  const cancelled = await owner.cancelJob(job, options);
  expect(cancelled).toMatchObject({ state: "cancelled", error: { code: "wallet/partly-sent" } });
  const { payouts } = await owner.job(job, options);
  expect(payouts?.map(({ status }) => status)).toEqual(["sent", "cancelled", "cancelled"]);
  expect(server.paidOthers).toBe(COIN / 2n);
});

it("has the limits of the token that asks for it", async () => {
  const server = await serve();
  const { owner } = server;
  const tokenWith = async (limits: object) => {
    const { token } = await owner.createToken({ scope: ["spend"], ...limits }, options);
    return server.clientOf(token);
  };
  const narrow = await tokenWith({ payees: [textOf(5), textOf(6)] });
  for (const call of [narrow.begin("payout", csv, options), narrow.estimatePayout(csv, options)]) {
    await expect(call).rejects.toMatchObject({
      code: "wallet/payee-not-allowed",
      data: { payee: "2" },
    });
  }
  const asking = await tokenWith({ approval_above_sompi: COIN });
  expect(await asking.estimatePayout(csv, options)).toMatchObject({ needs_approval: true });
  const job = await asking.begin("payout", csv, options);
  expect(await asking.job(job, options)).toMatchObject({ state: "waiting", phase: "approval" });
  const { approvals } = await owner.approvals(options);
  expect(approvals).toMatchObject([{ job, kind: "payout", payees: 3, amount_sompi: 180_000_000n }]);
  await owner.approve(job, options);
  await expect.poll(async () => (await owner.job(job, options)).state).toBe("done");
});

it("has a report of its own wallet's batches alone", async () => {
  const server = await serve();
  const { owner } = server;
  const job = await owner.begin("send", { to: textOf(5), amount_sompi: 7n }, options);
  expect(await rejectionCode(owner.payoutReport(job, options))).toBe("wallet/no-job");
  expect(await rejectionCode(owner.payoutReport("x", options))).toBe("wallet/no-job");
});

const BOUNDS = { records: 100, fields: 20, chars: 10_000 };
