import { describe, expect, it } from "vitest";
import {
  asHash32,
  asLeafPosition,
  asNoteCommitment,
  asNullifier,
  asRawAddress,
  asSompi,
  asBlockHash,
  asBlueScore,
  asDaaScore,
  asTimestampMs,
  asTxId,
} from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { RecordPage } from "@svc/shared/wallet/state/ports.ts";
import type { KeyedFacts, ScanFacts } from "@svc/shared/wallet/state/scanFacts.ts";
import { newWallet } from "@svc/shared/wallet/state/walletState.ts";
import { freshWallet } from "@svc/shared/wallet/testkit/chainModel.ts";
import { SimClock } from "@svc/shared/wallet/testkit/simClock.ts";
import type { PooledPayment } from "../../scanning/poolScan.ts";
import type { KeyScanPort } from "../../scanning/scanThreads.ts";
import { paymentsIn, pooledPayment, UNREADABLE } from "../../scanning/testkit/pooledPayments.ts";
import { asWalletToken } from "../keys/walletToken.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { LoadedWallet } from "../wallets/loadedWallet.ts";
import { PoolWatch } from "./poolWatch.ts";

const { signal } = new AbortController();
const hash = (number: number) => number.toString(16).padStart(64, "0");

/** Finds what is paid to the wallet whose number its key begins with. */
class FakeScan implements KeyScanPort {
  readonly scanned: number[] = [];
  /** Thrown by the next scan. */
  fault: SvcError | null = null;

  async scan(
    page: RecordPage,
    sets: readonly { readonly keys: Uint8Array }[],
  ): Promise<readonly KeyedFacts[]> {
    const { fault } = this;
    this.fault = null;
    if (fault !== null) throw fault;
    const payments = paymentsIn(page);
    this.scanned.push(payments.length);
    return sets.map(({ keys }) => {
      const found = new Map<number, ScanFacts>();
      for (let key = 0; key * 96 < keys.length; key += 1) {
        const first = keys[key * 96];
        const own = payments.filter(({ key: wallet }) => wallet === first);
        // As the core does: of equal keys the first one reads an output.
        const isKnown = Array.from({ length: key }, (_, at) => keys[at * 96]).includes(first);
        if (own.length > 0 && !isKnown) found.set(key, factsOf(own));
      }
      return { common: factsOf([]), found };
    });
  }
}

function factsOf(payments: readonly { readonly txid: string }[]): ScanFacts {
  const notes = payments.map(({ txid }) => ({
    kind: "received" as const,
    position: asLeafPosition(0n),
    value: asSompi(5n),
    recipient: asRawAddress("0a".repeat(43)),
    addressIndex: 0,
    rho: asHash32(txid),
    rseed: asHash32(txid),
    cmx: asNoteCommitment(txid),
    nullifier: asNullifier(txid),
    txid: asTxId(txid),
    outputIndex: 0,
    memo: "6d",
  }));
  const txs = payments.map(({ txid }) => ({ txid: asTxId(txid), nullifiers: [] }));
  const place = {
    hash: asBlockHash(hash(0)),
    index: null,
    blueScore: asBlueScore(0n),
    daaScore: asDaaScore(0n),
    timestamp: asTimestampMs(0n),
    firstLeaf: asLeafPosition(0n),
    leaves: 0,
    refused: 0,
    minted: 0n,
    spent: "",
  };
  return { blocks: [{ ...place, notes, txs }], cmx: "" };
}

function walletOf(number: number): LoadedWallet {
  const { account } = freshWallet();
  const fvk = new Uint8Array(96).fill(number);
  const keys = { token: asWalletToken(`wallet-${number}`), fvk, identity: account };
  return new LoadedWallet(keys, newWallet(account));
}

function scene() {
  const state = {
    pool: [] as PooledPayment[],
    wallets: [] as LoadedWallet[],
    asked: 0,
    fault: null as SvcError | null,
  };
  const scan = new FakeScan();
  const clock = new SimClock();
  const seen: string[] = [];
  const warned: unknown[] = [];
  const log = { warn: (_: unknown, text?: string) => void warned.push(text) };
  const watch = new PoolWatch({
    node: {
      pool: async () => {
        state.asked += 1;
        if (state.fault !== null) throw state.fault;
        return state.pool;
      },
    },
    scan,
    clock: { sleep: (ms, either) => clock.sleep(ms, either), steadyMs: () => clock.nowMs() },
    log,
    wallets: () => state.wallets,
    onSeen: ({ keys }, notes) => {
      for (const { txid } of notes) seen.push(`${keys.token} ${Number.parseInt(txid, 16)}`);
    },
  });
  return { state, scan, clock, seen, watch, warned };
}

describe("the watch of a pool", () => {
  it("scans each payment once for all wallets, and once more for a wallet that comes later", async () => {
    const { state, scan, seen, watch } = scene();
    const [one, two] = [walletOf(1), walletOf(2)];
    state.pool = [pooledPayment(10, 1), pooledPayment(11, 2), pooledPayment(12, 3)];
    await watch.look(signal);
    expect(state.asked).toBe(0);
    state.wallets = [one];
    await watch.look(signal);
    await watch.look(signal);
    expect(scan.scanned).toEqual([3]);
    state.wallets = [one, two];
    state.pool = [...state.pool, pooledPayment(13, 1)];
    await watch.look(signal);
    expect(scan.scanned).toEqual([3, 3, 1]);
    expect(seen.map((text) => text.replace(/\d{8,}/, ""))).toHaveLength(3);
    expect(watch.incoming(one)).toHaveLength(2);
    expect(watch.incoming(two)).toMatchObject([{ amount: 5n, memo: "6d" }]);
    state.pool = state.pool.slice(0, 1);
    await watch.look(signal);
    expect([watch.incoming(one), watch.incoming(two)].map(({ length }) => length)).toEqual([1, 0]);
    state.wallets = [];
    await watch.look(signal);
    expect(watch.incoming(one)).toEqual([]);
  });

  it("tells every wallet of a key of its payments", async () => {
    const { state, seen, watch } = scene();
    state.wallets = [walletOf(1), walletOf(1)];
    state.pool = [pooledPayment(1, 1)];
    await watch.look(signal);
    state.wallets = [...state.wallets, walletOf(1)];
    state.pool = [...state.pool, pooledPayment(2, 1)];
    await watch.look(signal);
    for (const wallet of state.wallets) expect(watch.incoming(wallet)).toHaveLength(2);
    expect(seen).toHaveLength(6);
  });

  it("leaves out a payment that cannot be read, and no other", async () => {
    const { state, seen, watch } = scene();
    state.wallets = [walletOf(1)];
    state.pool = [pooledPayment(1, 1), pooledPayment(2, UNREADABLE), pooledPayment(3, 1)];
    await watch.look(signal);
    expect(seen).toHaveLength(2);
    await watch.look(signal);
    expect(seen).toHaveLength(2);
  });

  it("begins anew with wallets that it was scanning for when a thread died", async () => {
    const { state, scan, seen, watch } = scene();
    state.wallets = [walletOf(1)];
    state.pool = [pooledPayment(1, 1)];
    await watch.look(signal);
    state.wallets = [...state.wallets, walletOf(2)];
    state.pool = [...state.pool, pooledPayment(2, 2)];
    scan.fault = new SvcError("engine/restarted", {});
    await expect(watch.look(signal)).rejects.toThrow("engine/restarted");
    await watch.look(signal);
    expect(seen).toHaveLength(2);
  });

  it("tells of so many payments that a node invents, and no more", async () => {
    const { state, seen, watch, clock } = scene();
    const [one] = (state.wallets = [walletOf(1)]);
    for (let round = 0; round < 3; round += 1) {
      state.pool = Array.from({ length: 900 }, (_, number) =>
        pooledPayment(round * 1_000 + number, 1),
      );
      await watch.look(signal);
      expect(watch.incoming(one ?? expect.unreachable())).toHaveLength(900);
    }
    expect(seen).toHaveLength(WALLETD_LIMITS.poolSeenBurst);
    await clock.run(10_000);
    state.pool = [pooledPayment(9_999, 1)];
    await watch.look(signal);
    expect(seen).toHaveLength(WALLETD_LIMITS.poolSeenBurst + 1);
  });

  it("says once that the node is away, also while wallets come and go", async () => {
    const { state, watch, clock, warned } = scene();
    state.fault = new SvcError("wallet/node-unreachable", { url: "a test" });
    watch.start();
    for (let round = 0; round < 5; round += 1) {
      state.wallets = [walletOf(1)];
      await clock.run(60_000);
      state.wallets = [];
      await clock.run(60_000);
    }
    expect(warned).toEqual(["the node's pool was not read"]);
    state.fault = null;
    state.wallets = [walletOf(1)];
    await clock.run(60_000);
    state.fault = new SvcError("wallet/node-unreachable", { url: "a test" });
    await clock.run(60_000);
    expect(warned).toHaveLength(2);
    await watch.stop();
  });

  it("looks at its own pace whatever wakes it, waits longer for a node that is away, and stops", async () => {
    const { state, watch, clock } = scene();
    state.wallets = [walletOf(1)];
    watch.start();
    for (let time = 0; time < 100; time += 1) {
      watch.wake();
      await clock.run(10);
    }
    expect(state.asked).toBeLessThanOrEqual(5);
    state.fault = new SvcError("wallet/node-unreachable", { url: "a test" });
    await clock.run(60_000);
    const asked = state.asked;
    expect(asked).toBeLessThan(20);
    state.fault = null;
    await clock.run(60_000);
    expect(state.asked).toBeGreaterThan(asked + 10);
    await watch.stop();
    const last = state.asked;
    watch.wake();
    await clock.run(60_000);
    expect(state.asked).toBe(last);
  });
});
