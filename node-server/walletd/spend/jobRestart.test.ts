import { expect, it } from "vitest";
import { asTimestampMs } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { SimClock } from "@svc/shared/wallet/testkit/simClock.ts";
import { asWalletToken, type WalletToken } from "../keys/walletToken.ts";
import type { JobRow } from "../store/jobTable.ts";
import { WalletStore } from "../store/walletStore.ts";
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

/** A restart of two jobs of Alice and one of Bob, whose wallets cannot be opened. */
async function setUp() {
  const store = await WalletStore.open(null, null);
  const rows = [jobOf(1, ALICE), jobOf(2, ALICE), jobOf(3, BOB)];
  store.commit((batch) => rows.forEach((row) => store.jobs.put(batch, row)));
  const sim = new SimClock(0n);
  const opens: { readonly token: WalletToken; readonly atMs: bigint }[] = [];
  const warnings: object[] = [];
  const lost: string[] = [];
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
        throw faults.get(token) ?? expect.unreachable();
      },
    },
    clock: { sleep: (ms, signal) => sim.sleep(ms, signal) },
    log: { warn: (fields: object) => void warnings.push(fields) },
    run: () => expect.unreachable(),
    lose: ({ id }) => void lost.push(id),
  });
  await restart.start(life.signal);
  const stop = async (): Promise<void> => {
    life.abort();
    await restart.over;
  };
  return { store, rows, sim, opens, warnings, lost, faults, stop };
}

it("opens a wallet once for all of its jobs, with growing pauses, and tells the log once", async () => {
  const { sim, opens, warnings, stop } = await setUp();
  expect(opens.map(({ token }) => token)).toEqual([ALICE, BOB]);
  const { spendReopenMs: first, spendReopenLongestMs: longest } = WALLETD_LIMITS;
  await sim.run(first + 2 * first + 4 * first);
  const times = opens.filter(({ token }) => token === BOB).map(({ atMs }) => Number(atMs));
  expect(times).toEqual([0, first, 3 * first, 7 * first]);
  await sim.run(20 * longest);
  const last = opens.slice(-4).filter(({ token }) => token === BOB);
  expect(Number((last[1]?.atMs ?? 0n) - (last[0]?.atMs ?? 0n))).toBe(longest);
  expect(warnings).toHaveLength(2);
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
