/**
 * Looks for payments to the open wallets among those that wait at the node. They are no money: a wallet shows them as arriving,
 * and its feed says `seen`.
 *
 * The whole pool is asked for, so that a question tells nothing. A payment is scanned once for all wallets that are open, and
 * once more for a wallet that is opened later.
 */
import { throwIfAborted } from "@svc/shared/base/abort.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { TxId } from "@svc/shared/base/brand.ts";
import { mergedRecord } from "@svc/shared/wallet/node/poolRecord.ts";
import {
  addIncoming,
  dropIncoming,
  type IncomingPayment,
} from "@svc/shared/wallet/reduce/incoming.ts";
import type { KeyedFacts, ScanFacts, ScannedNote } from "@svc/shared/wallet/state/scanFacts.ts";
import type { WaitingPayment } from "../../client/walletReplies.ts";
import type { Log } from "../../platform/log/log.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { TokenBucket } from "../../platform/time/tokenBucket.ts";
import { KeySets, keySets, type KeySet } from "../chain/keySet.ts";
import type { KeyScanPort } from "../chain/scanThreads.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import type { LoadedWallet } from "../wallets/loadedWallet.ts";

/** Dependencies of the watch. */
export type PoolWatchParts = {
  readonly node: { readonly pool: (signal: AbortSignal) => Promise<readonly WaitingPayment[]> };
  readonly scan: KeyScanPort;
  readonly clock: Pick<Clock, "sleep" | "steadyMs">;
  readonly log: Pick<Log, "warn">;
  /** The wallets that are open. */
  readonly wallets: () => readonly LoadedWallet[];
  /** Notes that wait for a wallet, each told once while it is open. */
  readonly onSeen: (wallet: LoadedWallet, notes: readonly ScannedNote[]) => void;
};

type Watched = {
  incoming: readonly IncomingPayment[];
  /** A node can invent payments without end: so many are told of. */
  readonly told: TokenBucket;
};

/** Watches the pool of one node. */
export class PoolWatch {
  readonly #parts: PoolWatchParts;
  readonly #watched = new Map<LoadedWallet, Watched>();
  readonly #sets = new KeySets<LoadedWallet>();
  #known: readonly WaitingPayment[] = [];
  readonly #life = new AbortController();
  #run: Promise<void> | null = null;
  #woken = false;
  #wake: () => void = () => undefined;

  constructor(parts: PoolWatchParts) {
    this.#parts = parts;
  }

  /** What waits for a wallet and is in no block that it has scanned; nothing for one that is not open. */
  incoming(wallet: LoadedWallet): readonly IncomingPayment[] {
    const incoming = this.#watched.get(wallet)?.incoming ?? [];
    if (incoming.length === 0) return incoming;
    const paid = new Set(wallet.state.history.map(({ txid }) => txid));
    return incoming.filter(({ txid }) => !paid.has(txid));
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
   * Looks once; resolves with whether the node was asked, which it is not while no wallet is open. Rejects with the node's errors,
   * those of the scanner that lie with this machine, `run/aborted`.
   */
  async look(signal: AbortSignal): Promise<boolean> {
    const added = this.#follow();
    if (this.#watched.size === 0) {
      this.#known = [];
      return false;
    }
    const pool = await this.#parts.node.pool(signal);
    throwIfAborted(signal);
    const known = new Set(this.#known.map(({ txid }) => txid));
    const fresh = pool.filter(({ txid }) => !known.has(txid));
    const stayed = pool.filter(({ txid }) => known.has(txid));
    this.#dropGone(new Set(pool.map(({ txid }) => txid)));
    try {
      if (added.length > 0) await this.#scan(stayed, keySets(added), signal);
      await this.#scan(fresh, this.#sets.all, signal);
    } catch (thrown) {
      // The next look begins with these wallets anew.
      this.#forget(new Set(added));
      throw thrown;
    }
    this.#known = pool;
    return true;
  }

  /** Takes in wallets that were opened since the last look, and forgets those that were closed. */
  #follow(): readonly LoadedWallet[] {
    const open = new Set(this.#parts.wallets().filter(({ isBegun }) => isBegun));
    const closed = new Set([...this.#watched.keys()].filter((wallet) => !open.has(wallet)));
    this.#forget(closed);
    const added = [...open].filter((wallet) => !this.#watched.has(wallet));
    const rate = {
      perSecond: WALLETD_LIMITS.poolSeenPerSecond,
      burst: WALLETD_LIMITS.poolSeenBurst,
    };
    const now = this.#parts.clock.steadyMs();
    for (const wallet of added) {
      this.#watched.set(wallet, { incoming: [], told: new TokenBucket(rate, now) });
    }
    if (added.length > 0) this.#sets.add(added);
    return added;
  }

  #forget(wallets: ReadonlySet<LoadedWallet>): void {
    for (const wallet of wallets) this.#watched.delete(wallet);
    if (wallets.size > 0) this.#sets.remove(wallets);
  }

  #dropGone(pool: ReadonlySet<TxId>): void {
    for (const watched of this.#watched.values()) {
      const gone = watched.incoming.filter(({ txid }) => !pool.has(txid));
      watched.incoming = dropIncoming(
        watched.incoming,
        gone.map(({ txid }) => txid),
      );
    }
  }

  async #scan(
    payments: readonly WaitingPayment[],
    sets: readonly KeySet<LoadedWallet>[],
    signal: AbortSignal,
  ): Promise<void> {
    const most = WALLETD_LIMITS.poolScanPayments;
    for (let from = 0; from < payments.length; from += most) {
      await this.#scanSome(payments.slice(from, from + most), sets, signal);
    }
  }

  /** Scans payments together, and each alone where one of them cannot be read: it is left out. */
  async #scanSome(
    payments: readonly WaitingPayment[],
    sets: readonly KeySet<LoadedWallet>[],
    signal: AbortSignal,
  ): Promise<void> {
    try {
      const page = mergedRecord(payments.map(({ page: one }) => one));
      const answers = await this.#parts.scan.scan(page, sets, signal);
      for (const [place, facts] of answers.entries()) this.#take(sets[place]?.owners ?? [], facts);
    } catch (thrown) {
      if (!isOfContent(thrown)) throw thrown;
      if (payments.length === 1) return;
      for (const payment of payments) await this.#scanSome([payment], sets, signal);
    }
  }

  #take(owners: readonly (readonly LoadedWallet[])[], { found }: KeyedFacts): void {
    for (const [key, facts] of found) {
      for (const wallet of owners[key] ?? []) {
        const watched = this.#watched.get(wallet);
        if (watched !== undefined && wallet.isBegun) this.#credit(wallet, watched, facts);
      }
    }
  }

  #credit(wallet: LoadedWallet, watched: Watched, facts: ScanFacts): void {
    const before = new Set(watched.incoming.map(({ txid }) => txid));
    watched.incoming = addIncoming(watched.incoming, facts, wallet.state);
    const fresh = new Set(
      watched.incoming.map(({ txid }) => txid).filter((txid) => !before.has(txid)),
    );
    const notes = facts.blocks.flatMap((block) =>
      block.notes.filter(({ txid }) => fresh.has(txid)),
    );
    const count = watched.told.take(notes.length, this.#parts.clock.steadyMs());
    if (count > 0) this.#parts.onSeen(wallet, notes.slice(0, count));
  }

  async #loop(signal: AbortSignal): Promise<void> {
    const { laneRetryFirstMs, laneRetryLongestMs, poolLookMs, poolLookLeastMs } = WALLETD_LIMITS;
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
          laneRetryFirstMs * 2 ** Math.min(failures, 16),
          laneRetryLongestMs,
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
