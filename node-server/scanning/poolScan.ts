/**
 * Scans the payments that wait at a node for the owners of viewing keys. Such a payment is no money: a block may never hold it.
 *
 * The whole pool is asked for, so that a question tells nothing. A payment is scanned once for all owners that there are, and once
 * more for an owner who comes later.
 */
import { throwIfAborted } from "@svc/shared/base/abort.ts";
import type { TxId } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { mergedRecord } from "@svc/shared/wallet/node/poolRecord.ts";
import type { RecordPage } from "@svc/shared/wallet/state/ports.ts";
import type { Log } from "../platform/log/log.ts";
import type { Clock } from "../platform/time/clock.ts";
import type { KeySet, KeySets } from "./keySets.ts";
import { SCANNING_LIMITS } from "./scanningLimits.ts";

/** A payment that waits, as a page with one record. */
export type PooledPayment = { readonly txid: TxId; readonly page: RecordPage };

/** What is told about the pool to whoever waits for payments of one owner. It must not throw. */
export interface PoolListener<Found> {
  /** Notes of the owner wait. After a look that failed the same ones may come again. */
  found(facts: Found): void;
  /** What waits at the node, at each look, before anything new of it is told: whatever else was found is gone. */
  held(txids: ReadonlySet<TxId>): void;
}

/** Dependencies of the scan; `Found` is what a scanner finds for one key. */
export type PoolScanParts<Owner, Found, Listener extends PoolListener<Found>> = {
  readonly node: { readonly pool: (signal: AbortSignal) => Promise<readonly PooledPayment[]> };
  /** Empty sets, into which owners go. */
  readonly sets: KeySets<Owner>;
  /** The facts of a page, one entry for each set. */
  readonly scan: (
    page: RecordPage,
    sets: readonly KeySet<Owner>[],
    signal: AbortSignal,
  ) => Promise<readonly { readonly found: ReadonlyMap<number, Found> }[]>;
  readonly clock: Pick<Clock, "sleep">;
  readonly log: Pick<Log, "warn">;
  /** Whose payments are looked for now. */
  readonly owners: () => readonly Owner[];
  /** Makes the listener of an owner who came; it is dropped when the owner goes. */
  readonly listen: (owner: Owner) => Listener;
  /** A look is over that asked the node: all listeners heard what it found. Nobody hears of it when left out. It must not throw. */
  readonly onLooked?: () => void;
};

/** Looks at the pool of one node, again and again. */
export class PoolScan<Owner, Found, Listener extends PoolListener<Found>> {
  readonly #parts: PoolScanParts<Owner, Found, Listener>;
  readonly #listeners = new Map<Owner, Listener>();
  /** Owners who came since the last look that succeeded: the whole pool is to be scanned for them. */
  readonly #added = new Set<Owner>();
  #known: readonly PooledPayment[] = [];
  readonly #life = new AbortController();
  #run: Promise<void> | null = null;
  #woken = false;
  #wake: () => void = () => undefined;

  constructor(parts: PoolScanParts<Owner, Found, Listener>) {
    this.#parts = parts;
  }

  /** The listener of an owner; undefined for one that no look has come to yet, or that has gone. */
  listenerOf(owner: Owner): Listener | undefined {
    return this.#listeners.get(owner);
  }

  /** Begins to look, again and again. */
  start(): void {
    this.#run ??= this.#loop(this.#life.signal);
  }

  /** There is news: look soon. */
  wake(): void {
    this.#woken = true;
    this.#wake();
  }

  /** Ends; resolves when nothing runs any more. */
  async stop(): Promise<void> {
    this.#life.abort();
    await this.#run;
  }

  /**
   * Looks once; resolves with whether the node was asked, which it is not while there is no owner. Rejects with the node's errors,
   * those of the scanner that lie with this machine, `run/aborted`.
   */
  async look(signal: AbortSignal): Promise<boolean> {
    const { node, sets } = this.#parts;
    this.#follow();
    if (this.#listeners.size === 0) {
      this.#known = [];
      return false;
    }
    const pool = await node.pool(signal);
    throwIfAborted(signal);
    const held = new Set(pool.map(({ txid }) => txid));
    const known = new Set(this.#known.map(({ txid }) => txid));
    const fresh = pool.filter(({ txid }) => !known.has(txid));
    const stayed = pool.filter(({ txid }) => known.has(txid));
    for (const listener of this.#listeners.values()) listener.held(held);
    const added = [...this.#added];
    if (added.length > 0) await this.#scan(stayed, sets.setsOf(added), signal);
    await this.#scan(fresh, sets.all, signal);
    this.#known = pool;
    for (const owner of added) this.#added.delete(owner);
    this.#parts.onLooked?.();
    return true;
  }

  /** Takes in owners that came since the last look, and forgets those that have gone. */
  #follow(): void {
    const present = new Set(this.#parts.owners());
    const gone = new Set([...this.#listeners.keys()].filter((owner) => !present.has(owner)));
    const added = [...present].filter((owner) => !this.#listeners.has(owner));
    for (const owner of gone) {
      this.#listeners.delete(owner);
      this.#added.delete(owner);
    }
    for (const owner of added) {
      this.#listeners.set(owner, this.#parts.listen(owner));
      this.#added.add(owner);
    }
    if (gone.size > 0) this.#parts.sets.remove(gone);
    if (added.length > 0) this.#parts.sets.add(added);
  }

  async #scan(
    payments: readonly PooledPayment[],
    sets: readonly KeySet<Owner>[],
    signal: AbortSignal,
  ): Promise<void> {
    const most = SCANNING_LIMITS.poolScanPayments;
    for (let from = 0; from < payments.length; from += most) {
      await this.#scanSome(payments.slice(from, from + most), sets, signal);
    }
  }

  /** Scans payments together, and each alone where one of them cannot be read: it is left out. */
  async #scanSome(
    payments: readonly PooledPayment[],
    sets: readonly KeySet<Owner>[],
    signal: AbortSignal,
  ): Promise<void> {
    try {
      const page = mergedRecord(payments.map(({ page: one }) => one));
      const answers = await this.#parts.scan(page, sets, signal);
      for (const [place, { found }] of answers.entries()) {
        this.#tell(sets[place]?.owners ?? [], found);
      }
    } catch (thrown) {
      if (!isOfContent(thrown)) throw thrown;
      if (payments.length === 1) return;
      for (const payment of payments) await this.#scanSome([payment], sets, signal);
    }
  }

  #tell(owners: readonly (readonly Owner[])[], found: ReadonlyMap<number, Found>): void {
    for (const [key, facts] of found) {
      for (const owner of owners[key] ?? []) this.#listeners.get(owner)?.found(facts);
    }
  }

  async #loop(signal: AbortSignal): Promise<void> {
    const { poolRetryFirstMs, poolRetryLongestMs, poolLookMs, poolLookLeastMs } = SCANNING_LIMITS;
    let isAway = false;
    for (let failures = 0; !signal.aborted;) {
      try {
        // A look without a question says nothing about a node that was away.
        if (await this.look(signal)) isAway = false;
        failures = 0;
        await this.#parts.clock.sleep(poolLookLeastMs, signal);
        await this.#untilWoken(poolLookMs - poolLookLeastMs, signal);
      } catch (thrown) {
        if (signal.aborted) return;
        if (!isAway) {
          isAway = true;
          this.#parts.log.warn({ err: SvcError.from(thrown) }, "the node's pool was not read");
        }
        const pauseMs = Math.min(
          poolRetryFirstMs * 2 ** Math.min(failures, 16),
          poolRetryLongestMs,
        );
        failures += 1;
        await this.#parts.clock.sleep(pauseMs, signal).catch(() => undefined);
      }
    }
  }

  async #untilWoken(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.#woken) {
      const over = new AbortController();
      this.#wake = () => over.abort();
      signal.addEventListener("abort", this.#wake, { once: true });
      await this.#parts.clock.sleep(ms, over.signal).catch(() => undefined);
      signal.removeEventListener("abort", this.#wake);
      this.#wake = () => undefined;
    }
    this.#woken = false;
  }
}

/** Whether an error of a scan follows from what was scanned. */
function isOfContent(thrown: unknown): boolean {
  if (!(thrown instanceof SvcError)) return false;
  return /^(codec|shielded)\//.test(thrown.code) || thrown.code === "wallet/bad-page";
}
