/**
 * Reads the older blocks of a wallet that began with recent ones, in the background, and joins them to its state (decision 59).
 *
 * A wallet of its own, with the same keys and a store of its own, scans from the birthday to the tip: what it asks for follows from the
 * chain alone. It makes no payment and shows nothing. When it is at the tip, one commit of the open wallet takes in what it read. A stop
 * at any moment loses nothing: what was read goes on where it was, and a store that is no longer needed is removed at the next start.
 */
import { abortable, throwIfAborted } from "../../base/abort.ts";
import type { TimestampMs } from "../../base/brand.ts";
import { SvcError, type ErrorJson } from "../../base/svcError.ts";
import { WalletLoop, type LoopFacts } from "./walletLoop.ts";
import type { BroadcastParts } from "../send/broadcast.ts";
import { isPublicFault } from "../sync/changeQueue.ts";
import type { WalletSync } from "../sync/walletSync.ts";
import { cursorOf } from "../state/walletState.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import { startsLate } from "../sync/recentStart.ts";

/** The store of the wallet that reads. */
export type OlderStore = {
  /** Opens the wallet in it, or begins one from the birthday on. Rejects as `openWallet` does. */
  open(signal: AbortSignal): Promise<WalletSync>;
  /** Lets the store go; that wallet is closed by then. */
  close(): void;
  /** Removes it, if it is there. */
  drop(): Promise<void>;
};

/** Dependencies. `node` is never asked to take a payment: the wallet that reads has none. */
export type OlderParts = Pick<BroadcastParts, "node" | "clock"> & {
  /** The open wallet. */
  readonly main: WalletSync;
  readonly store: OlderStore;
  /** Pause between looks at the node. */
  readonly pollMs: number;
  /** Called when `view` may have changed. */
  readonly onChange: () => void;
};

/** How far the older blocks are read. */
export type OlderView = {
  /** Time of the block since which everything is known. */
  readonly since: TimestampMs;
  /** Tenths of a percent, floored. */
  readonly permille: number;
  /** What stands in the way, now or until the next start; null for nothing. */
  readonly problem: ErrorJson | null;
};

/** Reads the older blocks of one open wallet. */
export class OlderReader {
  readonly #parts: OlderParts;
  readonly #begun = Promise.withResolvers<void>();
  #permille = 0;
  #problem: ErrorJson | null = null;
  /** The node has nothing older, or it is read. */
  #isOver = false;

  constructor(parts: OlderParts) {
    this.#parts = parts;
  }

  /** Null for a wallet that knows everything from its birthday on, and where no older blocks are to be had. */
  get view(): OlderView | null {
    if (this.#isOver || !this.#isLate) return null;
    const since = this.#parts.main.state.account.birthday.timestamp;
    return { since, permille: this.#permille, problem: this.#problem };
  }

  /** The open wallet has asked for everything recent: older blocks may be asked for. */
  begin(): void {
    this.#begun.resolve();
  }

  /** Runs until the older blocks are there, cannot be read, or the signal fires. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { store } = this.#parts;
    try {
      if (this.#isLate) await abortable(this.#begun.promise, signal);
      while (this.#isLate && !(await this.#reads(signal))) {
        // oxlint-disable-next-line no-await-in-loop -- the node is away
        await this.#parts.clock.sleep(WALLET_LIMITS.walletRetryLongestMs, signal);
      }
      this.#isOver = true;
      await abortable(store.drop(), signal);
    } catch (thrown) {
      if (signal.aborted) return;
      // What is there already can be used; room that this took is given back.
      this.#problem = SvcError.from(thrown).toJSON();
      await abortable(store.drop(), signal).catch(() => undefined);
    }
    this.#parts.onChange();
  }

  get #isLate(): boolean {
    return startsLate(this.#parts.main.state.account);
  }

  /** True when all is done; false where the store's wallet could not begin, because the node is away. */
  async #reads(signal: AbortSignal): Promise<boolean> {
    const { store } = this.#parts;
    try {
      const sync = await this.#open(signal);
      if (sync === null) return false;
      const unsubscribe = sync.subscribe(() => this.#tell(sync));
      try {
        this.#tell(sync);
        const follow = this.#followerOf(sync);
        while (this.#isOlder(sync) && !(await this.#readOn(sync, follow, signal)));
      } finally {
        unsubscribe();
        await sync.close();
      }
      return true;
    } finally {
      store.close();
    }
  }

  /** Null where the node is away. What is stored of another wallet, or damaged, is begun anew. */
  async #open(signal: AbortSignal): Promise<WalletSync | null> {
    const { store } = this.#parts;
    try {
      return await store.open(signal).catch(async (thrown: unknown) => {
        if (!SvcError.is(thrown, "store/corrupt", "store/version", "wallet/exists")) throw thrown;
        store.close();
        await abortable(store.drop(), signal);
        return store.open(signal);
      });
    } catch (thrown) {
      if (signal.aborted || isLasting(SvcError.from(thrown))) throw thrown;
      return null;
    }
  }

  /** There is something older than what the open wallet knows, and this wallet reads it. */
  #isOlder(sync: WalletSync): boolean {
    const { main } = this.#parts;
    const begin = main.state.account.birthday.chainIndex;
    return this.#isLate && sync.state.account.birthday.chainIndex < begin;
  }

  /** Reads to the tip and tries to join; true when that is done. */
  async #readOn(sync: WalletSync, follow: Follow, signal: AbortSignal): Promise<boolean> {
    const { main, clock } = this.#parts;
    await follow(signal);
    this.#problem = null;
    await abortable(sync.settled(), signal);
    if (sync.fault === null) {
      const older = { state: sync.state, tree: sync.tree };
      let outcome = await main.takeOlder(older);
      while (outcome === "busy") {
        // oxlint-disable-next-line no-await-in-loop -- a payment is being made
        await clock.sleep(WALLET_LIMITS.walletOlderPauseMs, signal);
        // oxlint-disable-next-line no-await-in-loop
        outcome = await main.takeOlder(older);
      }
      if (outcome === "taken") return true;
    } else if (!isPublicFault(sync.fault)) throw sync.fault;
    if (!this.#isLate) return true;
    // It is tried again, and the owner sees what stands in the way.
    this.#problem = sync.fault?.toJSON() ?? sync.state.proof.fault;
    this.#parts.onChange();
    await clock.sleep(WALLET_LIMITS.walletOlderPauseMs, signal);
    return false;
  }

  #followerOf(sync: WalletSync): Follow {
    const { node, clock, pollMs } = this.#parts;
    let enough = new AbortController();
    const looked = (): void => {
      if (sync.hasAsked) enough.abort();
    };
    const noticed = ({ problem }: LoopFacts): void => {
      const error = problem === null ? null : SvcError.fromJson(problem);
      if (error !== null && isLasting(error)) enough.abort(error);
    };
    const loop = new WalletLoop({ sync, node, clock, looked }, pollMs, noticed);
    return async (signal) => {
      enough = new AbortController();
      await loop.run(AbortSignal.any([signal, enough.signal]));
      throwIfAborted(signal);
      const reason: unknown = enough.signal.reason;
      if (reason instanceof SvcError) throw reason;
    };
  }

  #tell(sync: WalletSync): void {
    const { main, onChange } = this.#parts;
    const first = sync.state.account.birthday.chainIndex;
    const end = main.tip?.chainIndex ?? cursorOf(main.state).chainIndex;
    const whole = end - first;
    const done = cursorOf(sync.state).chainIndex - first;
    this.#permille = whole <= 0n ? 0 : Math.max(0, Math.min(999, Number((done * 1_000n) / whole)));
    onChange();
  }
}

/** Asks until everything up to the tip was asked for. Rejects with a fault of the store, and with `run/aborted`. */
type Follow = (signal: AbortSignal) => Promise<void>;

/** A fault of this machine's store: waiting does not mend it. */
/** A fault of this machine, which no answer of a node mends: its store is full, damaged or closed. */
function isLasting({ code }: SvcError): boolean {
  const isStore = code.startsWith("wallet/storage") || code.startsWith("store/");
  return isStore || code === "internal/unexpected";
}
