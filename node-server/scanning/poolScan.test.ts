import { describe, expect, it } from "vitest";
import {
  asBlockHash,
  asBlueScore,
  asDaaScore,
  asHash32,
  asLeafPosition,
  asNoteCommitment,
  asRawAddress,
  asSompi,
  asTimestampMs,
  type TxId,
} from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { IncomingFacts, IncomingNote } from "@svc/shared/wallet/state/incomingFacts.ts";
import type { RecordPage } from "@svc/shared/wallet/state/ports.ts";
import { SimClock } from "@svc/shared/wallet/testkit/simClock.ts";
import { KeySets } from "./keySets.ts";
import { PoolScan, type PooledPayment } from "./poolScan.ts";
import { SCANNING_LIMITS } from "./scanningLimits.ts";
import type { IncomingScanPort, ScannedSet } from "./scanThreads.ts";
import { paymentsIn, pooledPayment, UNREADABLE } from "./testkit/pooledPayments.ts";
import { WaitingNotes } from "./waitingNotes.ts";

const { signal } = new AbortController();
const KEY_BYTES = 64;
const ZERO = "0".repeat(64);
const block = {
  hash: asBlockHash(ZERO),
  blueScore: asBlueScore(0n),
  daaScore: asDaaScore(0n),
  timestamp: asTimestampMs(0n),
  firstLeaf: asLeafPosition(0n),
  leaves: 0,
};

type Merchant = { readonly name: string; readonly ivk: Uint8Array };

/** A merchant whose key is told by a number. */
function merchant(name: string, key: number): Merchant {
  return { name, ivk: new Uint8Array(KEY_BYTES).fill(key) };
}

function noteOf(txid: TxId): IncomingNote {
  return {
    txid,
    outputIndex: 0,
    cmx: asNoteCommitment(txid),
    position: asLeafPosition(0n),
    rho: asHash32(ZERO),
    rseed: asHash32(ZERO),
    value: asSompi(5n),
    recipient: asRawAddress("0a".repeat(43)),
    addressIndex: 2 ** 31,
    memo: "",
    block,
  };
}

/** Finds what is paid to keys by their first byte. */
class FakeScan implements IncomingScanPort {
  /** Sizes of the pages, and the sets that each was scanned for. */
  readonly scanned: string[] = [];
  /** Thrown by a scan, by its number from now on. */
  readonly faults = new Map<number, SvcError>();

  async scanIncoming(
    page: RecordPage,
    sets: readonly ScannedSet[],
  ): Promise<readonly IncomingFacts[]> {
    const fault = this.faults.get(this.scanned.length);
    const payments = paymentsIn(page);
    const sizes = sets.map(({ keys }) => keys.length / KEY_BYTES);
    this.scanned.push(`${payments.length} for ${sizes.join("+")}`);
    if (fault !== undefined) throw fault;
    return sets.map(({ keys }) => {
      const found = new Map<number, readonly IncomingNote[]>();
      for (let key = 0; key * KEY_BYTES < keys.length; key += 1) {
        const own = payments.filter((payment) => payment.key === keys[key * KEY_BYTES]);
        if (own.length > 0)
          found.set(
            key,
            own.map(({ txid }) => noteOf(txid)),
          );
      }
      return { blocks: [block], found };
    });
  }
}

function scene() {
  const state = {
    pool: [] as readonly PooledPayment[],
    merchants: [] as readonly Merchant[],
    asked: 0,
  };
  const scan = new FakeScan();
  const clock = new SimClock();
  const told: string[] = [];
  const tell = (what: string) => (notes: readonly { readonly txid: TxId }[]) => {
    for (const { txid } of notes) told.push(`${what} ${Number.parseInt(txid.slice(-8), 16)}`);
  };
  const pool = new PoolScan({
    node: {
      pool: async () => {
        state.asked += 1;
        return state.pool;
      },
    },
    sets: new KeySets<Merchant>({ keyOf: ({ ivk }) => ivk, keysPerSet: 128 }),
    scan: (page, sets) => scan.scanIncoming(page, sets),
    clock: { sleep: (ms, either) => clock.sleep(ms, either) },
    log: { warn: () => undefined },
    owners: () => state.merchants,
    listen: ({ name }) =>
      new WaitingNotes({ onWaiting: tell(`${name} waiting`), onGone: tell(`${name} gone`) }),
  });
  const take = () => told.splice(0);
  return { state, scan, pool, take };
}

describe("the scan of a pool for incoming keys", () => {
  it("asks nothing while there is nobody", async () => {
    const { state, pool } = scene();
    state.pool = [pooledPayment(1, 1)];
    expect(await pool.look(signal)).toBe(false);
    expect(state.asked).toBe(0);
  });

  it("tells each owner what came and what went, each once", async () => {
    const { state, scan, pool, take } = scene();
    const [ann, bob] = [merchant("ann", 1), merchant("bob", 2)];
    state.merchants = [ann, bob];
    state.pool = [pooledPayment(10, 1), pooledPayment(11, 2), pooledPayment(12, 3)];
    expect(await pool.look(signal)).toBe(true);
    expect(take()).toEqual(["ann waiting 10", "bob waiting 11"]);
    await pool.look(signal);
    expect(take()).toEqual([]);
    expect(scan.scanned).toEqual(["3 for 2"]);
    state.pool = [pooledPayment(11, 2), pooledPayment(13, 2)];
    await pool.look(signal);
    expect(take()).toEqual(["ann gone 10", "bob waiting 13"]);
    expect(pool.listenerOf(bob)?.notes.map(({ value }) => value)).toEqual([5n, 5n]);
    // What comes back is new again.
    state.pool = [pooledPayment(10, 1)];
    await pool.look(signal);
    expect(take()).toEqual(["bob gone 11", "bob gone 13", "ann waiting 10"]);
  });

  it("scans what waits once more for an owner who comes later, and for nobody else", async () => {
    const { state, scan, pool, take } = scene();
    const [ann, bob] = [merchant("ann", 1), merchant("bob", 2)];
    state.merchants = [ann];
    state.pool = [pooledPayment(1, 1), pooledPayment(2, 2)];
    await pool.look(signal);
    state.merchants = [ann, bob];
    state.pool = [...state.pool, pooledPayment(3, 2)];
    await pool.look(signal);
    expect(scan.scanned).toEqual(["2 for 1", "2 for 1", "1 for 2"]);
    expect(take()).toEqual(["ann waiting 1", "bob waiting 2", "bob waiting 3"]);
    state.merchants = [bob];
    state.pool = [];
    await pool.look(signal);
    expect(pool.listenerOf(ann)).toBeUndefined();
    expect(take()).toEqual(["bob gone 2", "bob gone 3"]);
  });

  it("tells every owner of a key", async () => {
    const { state, scan, pool, take } = scene();
    state.merchants = [merchant("ann", 1), merchant("bob", 1)];
    state.pool = [pooledPayment(1, 1)];
    await pool.look(signal);
    expect(scan.scanned).toEqual(["1 for 1"]);
    expect(take()).toEqual(["ann waiting 1", "bob waiting 1"]);
  });

  it("leaves out a payment that cannot be read, and no other", async () => {
    const { state, pool, take } = scene();
    state.merchants = [merchant("ann", 1)];
    state.pool = [pooledPayment(1, 1), pooledPayment(2, UNREADABLE), pooledPayment(3, 1)];
    await pool.look(signal);
    await pool.look(signal);
    expect(take()).toEqual(["ann waiting 1", "ann waiting 3"]);
  });

  it("scans a large pool in parts", async () => {
    const { state, scan, pool, take } = scene();
    const most = SCANNING_LIMITS.poolScanPayments;
    state.merchants = [merchant("ann", 1)];
    state.pool = Array.from({ length: most + 1 }, (_, number) => pooledPayment(number, 1));
    await pool.look(signal);
    expect(scan.scanned).toEqual([`${most} for 1`, "1 for 1"]);
    expect(take()).toHaveLength(most + 1);
  });

  it("tells nothing twice behind a thread that died, and forgets nothing that it told", async () => {
    const { state, scan, pool, take } = scene();
    const most = SCANNING_LIMITS.poolScanPayments;
    state.merchants = [merchant("ann", 1)];
    state.pool = Array.from({ length: most + 1 }, (_, number) => pooledPayment(number, 1));
    scan.faults.set(1, new SvcError("engine/restarted", {}));
    await expect(pool.look(signal)).rejects.toThrow("engine/restarted");
    expect(take()).toHaveLength(most);
    state.pool = state.pool.slice(1);
    await pool.look(signal);
    expect(take()).toEqual(["ann gone 0", `ann waiting ${most}`]);
  });

  it("begins anew with an owner for whom it was scanning when a thread died", async () => {
    const { state, scan, pool, take } = scene();
    const [ann, bob] = [merchant("ann", 1), merchant("bob", 2)];
    state.merchants = [ann];
    state.pool = [pooledPayment(1, 2)];
    await pool.look(signal);
    state.merchants = [ann, bob];
    scan.faults.set(1, new SvcError("engine/restarted", {}));
    await expect(pool.look(signal)).rejects.toThrow("engine/restarted");
    await pool.look(signal);
    expect(take()).toEqual(["bob waiting 1"]);
    expect(scan.scanned).toEqual(["1 for 1", "1 for 1", "1 for 1"]);
  });
});
