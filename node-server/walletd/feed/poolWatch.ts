/**
 * Looks for payments to the open wallets among those that wait at the node. They are no money: a wallet shows them as arriving,
 * and its feed says `seen`.
 */
import type { TxId } from "@svc/shared/base/brand.ts";
import {
  addIncoming,
  dropIncoming,
  type IncomingPayment,
} from "@svc/shared/wallet/reduce/incoming.ts";
import type { ScanFacts, ScannedNote } from "@svc/shared/wallet/state/scanFacts.ts";
import type { Log } from "../../platform/log/log.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { TokenBucket } from "../../platform/time/tokenBucket.ts";
import { PoolScan, type PooledPayment, type PoolListener } from "../../scanning/poolScan.ts";
import type { KeyScanPort } from "../../scanning/scanThreads.ts";
import { walletKeySets } from "../keys/walletKeySets.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import type { LoadedWallet } from "../wallets/loadedWallet.ts";

/** Dependencies of the watch. */
export type PoolWatchParts = {
  readonly node: { readonly pool: (signal: AbortSignal) => Promise<readonly PooledPayment[]> };
  readonly scan: KeyScanPort;
  readonly clock: Pick<Clock, "sleep" | "steadyMs">;
  readonly log: Pick<Log, "warn">;
  /** The wallets that are open. */
  readonly wallets: () => readonly LoadedWallet[];
  /** Notes that wait for a wallet, each told once while it is open. */
  readonly onSeen: (wallet: LoadedWallet, notes: readonly ScannedNote[]) => void;
};

/** Watches the pool of one node. */
export class PoolWatch {
  readonly #scan: PoolScan<LoadedWallet, ScanFacts, WalletListener>;

  constructor({ node, scan, clock, log, wallets, onSeen }: PoolWatchParts) {
    this.#scan = new PoolScan({
      node,
      clock,
      log,
      sets: walletKeySets(),
      scan: (page, sets, signal) => scan.scan(page, sets, signal),
      owners: () => wallets().filter(({ isBegun }) => isBegun),
      listen: (wallet) => new WalletListener(wallet, { clock, onSeen }),
    });
  }

  /** What waits for a wallet and is in no block that it has scanned; nothing for one that is not open. */
  incoming(wallet: LoadedWallet): readonly IncomingPayment[] {
    const incoming = this.#scan.listenerOf(wallet)?.incoming ?? [];
    if (incoming.length === 0) return incoming;
    const paid = new Set(wallet.state.history.map(({ txid }) => txid));
    return incoming.filter(({ txid }) => !paid.has(txid));
  }

  /** Begins to look, again and again. */
  start(): void {
    this.#scan.start();
  }

  /** There is news: look soon. */
  wake(): void {
    this.#scan.wake();
  }

  /** Ends; resolves when nothing runs any more. */
  stop(): Promise<void> {
    return this.#scan.stop();
  }

  /** Looks once, as `PoolScan.look` does; resolves with whether the node was asked. */
  look(signal: AbortSignal): Promise<boolean> {
    return this.#scan.look(signal);
  }
}

/** What waits for one wallet. */
class WalletListener implements PoolListener<ScanFacts> {
  readonly #wallet: LoadedWallet;
  readonly #parts: Pick<PoolWatchParts, "onSeen"> & { readonly clock: Pick<Clock, "steadyMs"> };
  /** A node can invent payments without end: so many are told of. */
  readonly #told: TokenBucket;
  #incoming: readonly IncomingPayment[] = [];

  constructor(
    wallet: LoadedWallet,
    parts: Pick<PoolWatchParts, "onSeen"> & { readonly clock: Pick<Clock, "steadyMs"> },
  ) {
    this.#wallet = wallet;
    this.#parts = parts;
    const rate = {
      perSecond: WALLETD_LIMITS.poolSeenPerSecond,
      burst: WALLETD_LIMITS.poolSeenBurst,
    };
    this.#told = new TokenBucket(rate, parts.clock.steadyMs());
  }

  get incoming(): readonly IncomingPayment[] {
    return this.#incoming;
  }

  held(txids: ReadonlySet<TxId>): void {
    const gone = this.#incoming.filter(({ txid }) => !txids.has(txid));
    this.#incoming = dropIncoming(
      this.#incoming,
      gone.map(({ txid }) => txid),
    );
  }

  found(facts: ScanFacts): void {
    if (!this.#wallet.isBegun) return;
    const before = new Set(this.#incoming.map(({ txid }) => txid));
    this.#incoming = addIncoming(this.#incoming, facts, this.#wallet.state);
    const fresh = new Set(
      this.#incoming.map(({ txid }) => txid).filter((txid) => !before.has(txid)),
    );
    const notes = facts.blocks.flatMap((block) =>
      block.notes.filter(({ txid }) => fresh.has(txid)),
    );
    const count = this.#told.take(notes.length, this.#parts.clock.steadyMs());
    if (count > 0) this.#parts.onSeen(this.#wallet, notes.slice(0, count));
  }
}
