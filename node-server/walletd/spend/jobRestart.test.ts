import { expect, it } from "vitest";
import { asTimestampMs } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { ChainModel } from "@svc/shared/wallet/testkit/chainModel.ts";
import { SimClock } from "@svc/shared/wallet/testkit/simClock.ts";
import { asWalletToken, type WalletToken } from "../keys/walletToken.ts";
import type { JobRow } from "../store/jobTable.ts";
import { WalletStore } from "../store/walletStore.ts";
import { STORE_TABLES } from "../store/walletStoreLayout.ts";
import { addressOf, SceneDisk, startDaemon } from "../testkit/spendScene.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { JobRestart } from "./jobRestart.ts";

const [ALICE, BOB] = [asWalletToken("alice"), asWalletToken("bob")];
const NOW = asTimestampMs(0n);

function jobOf(number: number, token: WalletToken): JobRow {
  return {
    id: number.toString(16).padStart(32, "0"),
    token,
    kind: "send",
    request: "{}",
    phase: "planning",
    done: 0,
    total: 0,
    createdMs: NOW,
    updatedMs: NOW,
    state: "running",
    answer: null,
    error: null,
  };
}

/** An open wallet, which stands for those of all tokens. */
async function anyOpen() {
  const disk = new SceneDisk(new ChainModel());
  const daemon = startDaemon(disk);
  const open = await daemon.open.open(disk.add("any", addressOf(1)));
  await daemon.lanes.stop();
  return open;
}

/** A restart of two jobs of Alice and one of Bob, whose wallets cannot be opened while they have a fault. */
async function setUp({ damaged = null }: { readonly damaged?: string | null } = {}) {
  const open = await anyOpen();
  const store = await WalletStore.open(null, null);
  const rows = [jobOf(1, ALICE), jobOf(2, ALICE), jobOf(3, BOB)];
  store.commit((batch) => rows.forEach((row) => store.jobs.put(batch, row)));
  if (damaged !== null) {
    store.commit((batch) => batch.put(STORE_TABLES.jobs, decodeHex(damaged), Uint8Array.of(1)));
  }
  const sim = new SimClock(0n);
  const opens: { readonly token: WalletToken; readonly atMs: bigint }[] = [];
  const warnings: object[] = [];
  const lost: string[] = [];
  const ran: string[] = [];
  /** What a job throws when it is run, or ended as lost. */
  const jobFaults = new Map<string, SvcError>();
  const take = (taken: string[], id: string): void => {
    const fault = jobFaults.get(id);
    if (fault !== undefined) throw fault;
    taken.push(id);
  };
  const faults = new Map<WalletToken, SvcError>([
    [ALICE, new SvcError("wallet/storage", { reason: "a test" })],
    [BOB, new SvcError("wallet/storage", { reason: "a test" })],
  ]);
  const life = new AbortController();
  const restart = new JobRestart({
    store,
    wallets: {
      open: async (token) => {
        opens.push({ token, atMs: sim.nowMs() });
        const fault = faults.get(token);
        if (fault !== undefined) throw fault;
        return open;
      },
    },
    clock: { sleep: (ms, signal) => sim.sleep(ms, signal) },
    log: { warn: (fields: object) => void warnings.push(fields) },
    run: ({ id }) => take(ran, id),
    lose: ({ id }) => take(lost, id),
  });
  await restart.start(life.signal);
  const stop = async (): Promise<void> => {
    life.abort();
    await restart.over;
  };
  return { store, rows, sim, opens, warnings, lost, ran, faults, jobFaults, stop };
}

it("opens a wallet once for all of its jobs, with growing pauses, and tells the log once", async () => {
  const { sim, opens, warnings, ran, stop } = await setUp();
  expect(opens.map(({ token }) => token)).toEqual([ALICE, BOB]);
  const { spendReopenMs: first, spendReopenLongestMs: longest } = WALLETD_LIMITS;
  await sim.run(first + 2 * first + 4 * first);
  const times = opens.filter(({ token }) => token === BOB).map(({ atMs }) => Number(atMs));
  expect(times).toEqual([0, first, 3 * first, 7 * first]);
  await sim.run(20 * longest);
  const last = opens.slice(-4).filter(({ token }) => token === BOB);
  expect(Number((last[1]?.atMs ?? 0n) - (last[0]?.atMs ?? 0n))).toBe(longest);
  expect(warnings).toHaveLength(2);
  expect(ran).toEqual([]);
  await stop();
});

it("ends the jobs of a wallet that is gone, and asks no more for those that have ended", async () => {
  const { store, rows, sim, opens, warnings, lost, faults, stop } = await setUp();
  faults.set(ALICE, new SvcError("wallet/no-wallet", {}));
  store.commit((batch) => store.jobs.put(batch, { ...jobOf(3, BOB), state: "cancelled" }));
  opens.length = 0;
  await sim.run(WALLETD_LIMITS.spendReopenMs);
  expect(lost).toEqual(rows.slice(0, 2).map(({ id }) => id));
  await sim.run(10 * WALLETD_LIMITS.spendReopenMs);
  expect(opens.map(({ token }) => token)).toEqual([ALICE]);
  expect(warnings).toHaveLength(3);
  await stop();
});

it("runs the jobs of a wallet that can be opened later, but for one that ended meanwhile", async () => {
  const { store, rows, sim, opens, ran, faults, stop } = await setUp();
  faults.clear();
  store.commit((batch) => store.jobs.put(batch, { ...jobOf(2, ALICE), state: "cancelled" }));
  await sim.run(WALLETD_LIMITS.spendReopenMs);
  expect(ran).toEqual([rows[0]?.id, rows[2]?.id]);
  opens.length = 0;
  await sim.run(10 * WALLETD_LIMITS.spendReopenMs);
  expect([opens, ran.length]).toEqual([[], 2]);
  await stop();
});

const CORRUPT = new SvcError("store/corrupt", { table: "jobs", reason: "the request of a job" });
const FULL = new SvcError("store/commit-failed", { reason: "a test" });

it("runs the jobs behind one that cannot be read, and names that one to the log once", async () => {
  const { rows, sim, opens, warnings, ran, faults, jobFaults, stop } = await setUp();
  const [first, second, third] = rows.map(({ id }) => id);
  jobFaults.set(first ?? "", CORRUPT);
  faults.clear();
  warnings.length = 0;
  await sim.run(WALLETD_LIMITS.spendReopenMs);
  expect(ran).toEqual([second, third]);
  expect(warnings).toMatchObject([{ job: first, err: { code: "store/corrupt" } }]);
  opens.length = 0;
  await sim.run(10 * WALLETD_LIMITS.spendReopenMs);
  expect([opens, warnings.length]).toEqual([[], 1]);
  await stop();
});

it("runs the jobs beside one whose row is damaged, and names that one to the log", async () => {
  const damaged = jobOf(1, ALICE).id;
  const { rows, sim, warnings, ran, faults, stop } = await setUp({ damaged });
  expect(warnings[0]).toMatchObject({ job: damaged, err: { code: "store/corrupt" } });
  faults.clear();
  await sim.run(WALLETD_LIMITS.spendReopenMs);
  expect(ran).toEqual(rows.slice(1).map(({ id }) => id));
  await stop();
});

it("ends the jobs of a wallet that is gone behind one whose end cannot be stored, and tries that one again", async () => {
  const { rows, sim, lost, faults, jobFaults, stop } = await setUp();
  const [first, second] = rows.map(({ id }) => id);
  jobFaults.set(first ?? "", FULL);
  faults.set(ALICE, new SvcError("wallet/no-wallet", {}));
  await sim.run(WALLETD_LIMITS.spendReopenMs);
  expect(lost).toEqual([second]);
  // Alice's wallet is asked for with Bob's, which still cannot be opened.
  jobFaults.clear();
  lost.length = 0;
  await sim.run(2 * WALLETD_LIMITS.spendReopenMs);
  expect(lost).toContain(first);
  await stop();
});
