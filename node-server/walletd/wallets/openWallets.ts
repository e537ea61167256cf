/**
 * The open wallets of a daemon: opened when somebody asks for one, kept while somebody does, written to disk and dropped when
 * nobody has for a while. Whoever asks for a status never waits for a disk or a node.
 */
import { throwIfAborted } from "@svc/shared/base/abort.ts";
import { asDaaScore, type DaaScore } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { restart } from "@svc/shared/wallet/reduce/rollback.ts";
import type { StartParts } from "@svc/shared/wallet/sync/birthday.ts";
import type { NodeTip } from "@svc/shared/wallet/state/ports.ts";
import type { Log } from "../../platform/log/log.ts";
import { RoundRobin } from "../../platform/net/roundRobin.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { WalletFolder } from "../keys/walletFolder.ts";
import { walletLabel, type WalletToken } from "../keys/walletToken.ts";
import { cursorOf, type WalletState } from "@svc/shared/wallet/state/walletState.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { beginWallet } from "./beginWallet.ts";
import { loadWallet, type LoadParts } from "./loadWallet.ts";
import type { LoadedWallet } from "./loadedWallet.ts";
import { OpenWallet, type SharedParts } from "./openWallet.ts";
import { rescanBirthday } from "./rescanBirthday.ts";
import { ResidentSet } from "./residentSet.ts";
import type { SnapshotWriter } from "./snapshotWriter.ts";

/** Dependencies of the open wallets. */
export type OpenWalletsParts = {
  readonly load: LoadParts;
  readonly folder: Pick<WalletFolder, "keepScan" | "update">;
  readonly shared: SharedParts;
  readonly start: Omit<StartParts, "nowMs">;
  readonly askTip: (signal: AbortSignal) => Promise<NodeTip>;
  readonly writer: SnapshotWriter;
  readonly clock: Clock;
  readonly log: Log;
  /** Wallets opened at once; the others wait. */
  readonly opening: number;
  /** Wallets in memory at most, busy ones aside; one more waits until the one asked for longest ago has gone. */
  readonly most: number;
  /** Milliseconds after which a wallet that nobody asks for is dropped. */
  readonly idleMs: bigint;
};

type Place = {
  readonly opening: Promise<OpenWallet>;
  /** Resolves when it is open, or could not be opened. */
  readonly settled: Promise<void>;
  open: OpenWallet | null;
};
/**
 * How often a rescan was asked for that has not ended, whether its owner asked, the last birthday that was named, and what lets the
 * wallet go afterwards.
 */
type Asked = {
  times: number;
  byOwner: boolean;
  birthday: DaaScore | null;
  leave: (() => void) | null;
};

/** How a rescan is made. */
export type RescanOptions = {
  /** Its owner asks for it, and accepts that rows of the wallet are lost. */
  readonly byOwner?: boolean;
  /** DAA score to begin at, as far as `rescanBirthday` follows it; null for that of the file. */
  readonly birthday?: DaaScore | null;
  readonly onChange?: () => void;
};

/** What a wallet was before a rescan. */
export type BeforeRescan = { readonly state: WalletState; readonly birthday: DaaScore };

/** Opens, finds and drops wallets. */
export class OpenWallets {
  readonly #parts: OpenWalletsParts;
  /** The one asked for longest ago comes first. */
  readonly #places = new Map<WalletToken, Place>();
  /** Places that are not settled. */
  #unsettled = 0;
  readonly #resident: ResidentSet;
  /** Wallets that have their place in memory and are being read. */
  readonly #reading = new Set<WalletToken>();
  /** Ends of wallets that are being written, and then leave memory. */
  readonly #leaving = new Set<Promise<void>>();
  /** Ends of what is done with wallets while they are closed: whoever opens one waits for it. */
  readonly #closing = new Map<WalletToken, Promise<void>>();
  readonly #rescans = new WeakMap<OpenWallet, Asked>();
  /** The snapshot that was kept last for a rescan: its revision, and how far it was scanned. */
  readonly #kept = new WeakMap<OpenWallet, { revision: number; daaScore: DaaScore }>();
  readonly #turns: RoundRobin;
  readonly #life = new AbortController();
  readonly #begun = new Set<Promise<void>>();

  constructor(parts: OpenWalletsParts) {
    this.#parts = parts;
    this.#turns = new RoundRobin(parts.opening);
    this.#resident = new ResidentSet(parts.most, () => this.#makeRoom());
  }

  /** Wallets in memory at most, while enough of them are not busy. */
  get most(): number {
    return this.#parts.most;
  }

  /** The wallets that are open. */
  get all(): readonly OpenWallet[] {
    return [...this.#places.values()].flatMap(({ open }) => (open === null ? [] : [open]));
  }

  /** Wallets that are being opened, or wait for their turn. */
  get opening(): number {
    return this.#unsettled;
  }

  /** Wallets that were opened when the bound was reached, since the start. */
  get crowded(): number {
    return this.#resident.crowded;
  }

  /** The wallet if it is open; it stays open for another while. Null while it is opened, and when nobody has asked for it. */
  peek(token: WalletToken): OpenWallet | null {
    const open = this.#places.get(token)?.open ?? null;
    if (open !== null) this.#touch(open);
    return open;
  }

  #touch(open: OpenWallet): void {
    open.usedMs = this.#parts.clock.steadyMs();
    const place = this.#places.get(open.token);
    if (place?.open !== open) return;
    this.#places.delete(open.token);
    this.#places.set(open.token, place);
  }

  /** Opens the wallet unless it is open, when there is room for it. Rejects with what `loadWallet` rejects with, `run/aborted`, `node/stopping`. */
  async open(token: WalletToken): Promise<OpenWallet> {
    for (;;) {
      if (this.#life.signal.aborted) throw new SvcError("node/stopping", {});
      const closing = this.#closing.get(token);
      if (closing !== undefined) {
        await closing;
        continue;
      }
      const place = this.#places.get(token) ?? this.#begin(token);
      const open = await place.opening;
      if (open.isClosed) continue;
      this.#touch(open);
      return open;
    }
  }

  /** Writes the wallet to disk and drops it; does nothing when it is not open. Rejects as `SnapshotWriter.save` does, dropped all the same. */
  drop(token: WalletToken): Promise<void> {
    return this.#shut(token, () => this.#close(token, () => true));
  }

  /** Drops the wallet and does work while nobody opens it: its files may change. Rejects as `drop` and the work do. */
  whileClosed<T>(token: WalletToken, work: () => Promise<T>): Promise<T> {
    return this.#shut(token, async () => {
      await this.#close(token, () => true);
      return work();
    });
  }

  /** Does work on a wallet that is closed for it, or is being closed, one piece after the other. */
  #shut<T>(token: WalletToken, work: () => Promise<T>): Promise<T> {
    const turn = (this.#closing.get(token) ?? Promise.resolve()).then(work);
    const over = (): void => {
      if (this.#closing.get(token) === ended) this.#closing.delete(token);
    };
    const ended: Promise<void> = turn.then(over, over);
    this.#closing.set(token, ended);
    return turn;
  }

  async #close(token: WalletToken, may: (open: OpenWallet) => boolean): Promise<void> {
    const place = this.#places.get(token);
    if (place === undefined) return;
    const open = await place.opening.catch(() => null);
    if (this.#places.get(token) !== place || (open !== null && !may(open))) return;
    this.#places.delete(token);
    if (open === null) return;
    open.close();
    const leaving = this.#putAway(open);
    const over: Promise<void> = leaving
      .catch(() => undefined)
      .finally(() => this.#leaving.delete(over));
    this.#leaving.add(over);
    await leaving;
  }

  async #putAway(open: OpenWallet): Promise<void> {
    try {
      await this.#parts.shared.lanes.remove(open.wallet);
      await this.#parts.writer.saveClosed(open);
    } finally {
      open.keys.erase();
      this.#resident.leave();
    }
  }

  /** Drops wallets that nobody has asked for in a while, and those beyond the bound. One that is paying stays. */
  async dropIdle(): Promise<void> {
    const isDue = (open: OpenWallet): boolean => {
      if (open.isBusy) return false;
      const idleMs = this.#parts.clock.steadyMs() - open.usedMs;
      return this.#resident.excess > 0 || idleMs >= this.#parts.idleMs;
    };
    for (const open of this.all) {
      if (isDue(open)) await this.#evict(open, isDue);
    }
  }

  /** Never rejects. A wallet that could not be written is scanned again from where its file stands. */
  async #evict({ token }: OpenWallet, may: (open: OpenWallet) => boolean): Promise<void> {
    try {
      await this.#shut(token, () => this.#close(token, may));
    } catch (thrown) {
      const fields = { wallet: walletLabel(token), err: SvcError.from(thrown) };
      this.#parts.log.warn(fields, "a wallet was dropped, and could not be written");
    }
  }

  /** What gives a place free: the wallet asked for longest ago goes, or the next look comes when another one was read or has gone. */
  #makeRoom(): Promise<unknown> | null {
    const oldest = this.#oldestIdle();
    if (oldest !== null) return this.#evict(oldest, (found) => this.#oldestIdle() === found);
    const read = [...this.#reading].map((token) => this.#places.get(token)?.settled);
    const changes = [...this.#leaving, ...read].filter((change) => change !== undefined);
    return changes.length === 0 ? null : Promise.race(changes);
  }

  #oldestIdle(): OpenWallet | null {
    for (const { open } of this.#places.values()) {
      if (open !== null && !open.isBusy) return open;
    }
    return null;
  }

  /**
   * Scans a wallet again from a birthday, which is then that of its file. Its payments are kept, and its snapshot as `TOKEN.scan.bak`
   * with a number behind it: a node without old blocks does not find again what lay in them. An owner who asks for it accepts that
   * rows of it are lost. Rejects with the node's errors, the store's, `wallet/storage` when the snapshot cannot be kept or an earlier
   * birthday not be written, and `wallet/opening` when it was dropped meanwhile; then it stands where it stood. A later birthday that
   * cannot be written is only logged: the earlier one of the file hides nothing. `onChange` is called right before what was found is
   * forgotten.
   */
  async rescan(open: OpenWallet, signal: AbortSignal, how: RescanOptions = {}): Promise<void> {
    const leave = open.use();
    try {
      await this.#rescan(open, signal, how);
      if (how.byOwner === true) open.rowsLost = false;
    } finally {
      leave();
    }
  }

  async #rescan(
    open: OpenWallet,
    signal: AbortSignal,
    { byOwner = false, birthday: wish = null, onChange }: RescanOptions,
  ): Promise<void> {
    const { shared, askTip, start } = this.#parts;
    const { wallet } = open;
    const birthday = rescanBirthday(open, wish);
    const tip = await askTip(signal);
    const { identity } = wallet.keys;
    const beginning = { identity, birthday, nextAddressIndex: 1, payments: () => [] };
    const { account } = await beginWallet(start, beginning, tip, signal);
    throwIfAborted(signal);
    await shared.lanes.remove(wallet);
    try {
      open.requireOpen();
      await this.#keepScan(open, byOwner);
      onChange?.();
      await this.#withBirthday(open, birthday, () =>
        open.update((state) => restart(state, account.birthday, account.historyMissing)),
      );
    } finally {
      if (!open.isClosed) shared.lanes.add([wallet]);
    }
  }

  /** The file never names a later birthday than the scan begins at: an earlier one is written before, a later one afterwards. */
  async #withBirthday(
    open: OpenWallet,
    birthday: DaaScore,
    begin: () => Promise<unknown>,
  ): Promise<void> {
    open.requireOpen();
    const before = open.facts.birthday;
    const tell = (thrown: unknown): void => {
      const fields = { wallet: walletLabel(open.token), err: SvcError.from(thrown) };
      this.#parts.log.warn(
        fields,
        "a birthday could not be written: the file of the wallet names an earlier one",
      );
    };
    if (birthday < before) await this.#putBirthday(open, birthday);
    try {
      await begin();
    } catch (thrown) {
      if (!open.isClosed) await this.#putBirthday(open, before).catch(tell);
      throw thrown;
    }
    if (!open.isClosed) await this.#putBirthday(open, birthday).catch(tell);
  }

  async #putBirthday(open: OpenWallet, birthday: DaaScore): Promise<void> {
    if (open.facts.birthday === birthday) return;
    // Another wallet may have come under the token. One that comes from now on has its turn in the folder behind this.
    open.requireOpen();
    open.facts = await this.#parts.folder.update(open.token, { birthday });
  }

  /**
   * A rescan that is tried again keeps the snapshot once. None is kept while the wallet has not come as far again as the one that
   * was kept, which knows more: else calls of an owner would fill the disk.
   */
  async #keepScan(open: OpenWallet, byOwner: boolean): Promise<void> {
    const { folder, writer } = this.#parts;
    const { revision, isBegun } = open.wallet;
    const known = this.#kept.get(open);
    if (known?.revision === revision) return;
    const daaScore = isBegun ? cursorOf(open.state).daaScore : asDaaScore(0n);
    if (known !== undefined && daaScore < known.daaScore) return;
    await writer.save(open);
    await folder.keepScan(open.token, { rotates: !byOwner });
    this.#kept.set(open, { revision, daaScore });
  }

  /**
   * Puts back state and birthday of the wallet from before a rescan; payments that came since are kept. Blocks that were undone
   * meanwhile are found out as those of a file are. Rejects with the store's errors, and as `WalletFolder.update`; the scan goes on.
   */
  async restore(open: OpenWallet, { state: before, birthday }: BeforeRescan): Promise<void> {
    const { lanes } = this.#parts.shared;
    await lanes.remove(open.wallet);
    const known = new Set(before.outbox.map(({ id }) => id));
    try {
      await open.update(({ account, outbox }) => ({
        ...before,
        account: { ...before.account, nextAddressIndex: account.nextAddressIndex },
        outbox: [...before.outbox, ...outbox.filter(({ id }) => !known.has(id))],
      }));
      await this.#putBirthday(open, birthday);
    } finally {
      if (!open.isClosed) lanes.add([open.wallet]);
    }
  }

  /** Writes the wallet to disk. Rejects as `SnapshotWriter.save` does. */
  async save(open: OpenWallet): Promise<void> {
    await this.#parts.writer.save(open);
  }

  /**
   * As `rescan`, in the background, again and again until the node answers; once more where it was asked for meanwhile. The wallet
   * stays open: dropped, it would not know that it was asked for.
   */
  rescanLater(
    open: OpenWallet,
    { byOwner = false, birthday = null }: Omit<RescanOptions, "onChange"> = {},
  ): void {
    this.#ask(open, (asked) => {
      asked.byOwner ||= byOwner;
      asked.birthday = birthday ?? asked.birthday;
      asked.leave ??= open.use();
    });
  }

  /** `change` what is asked for before the rescan begins with it. */
  #ask(open: OpenWallet, change: (asked: Asked) => void): void {
    const known = this.#rescans.get(open);
    const asked: Asked = known ?? { times: 0, byOwner: false, birthday: null, leave: null };
    asked.times += 1;
    change(asked);
    if (known !== undefined) return;
    this.#rescans.set(open, asked);
    const over = (): void => asked.leave?.();
    this.#later(open, () => this.#rescanAsked(open, asked), over);
  }

  async #rescanAsked(open: OpenWallet, asked: Asked): Promise<void> {
    for (let done = -1; done !== asked.times;) {
      done = asked.times;
      await this.rescan(open, this.#life.signal, asked);
    }
    this.#rescans.delete(open);
  }

  /** Wallets whose blocks the node does not know: each looks for its place anew, as it does when it is opened again. */
  async replace(lost: readonly LoadedWallet[]): Promise<void> {
    const gone = new Set(lost);
    for (const open of this.all) {
      if (gone.has(open.wallet)) this.#ask(open, () => undefined);
    }
  }

  /** Writes all wallets to disk and drops them. Rejects with the first error of those that could not be written, when all are dropped. */
  async stop(): Promise<void> {
    this.#life.abort();
    await Promise.all(this.#begun);
    const failures: SvcError[] = [];
    for (const token of [...this.#places.keys()]) {
      await this.drop(token).catch((thrown: unknown) => failures.push(SvcError.from(thrown)));
    }
    const [first] = failures;
    if (first !== undefined) throw first;
  }

  #begin(token: WalletToken): Place {
    const opening = this.#load(token);
    this.#unsettled += 1;
    const settled = opening.then(
      (open) => {
        this.#settle(token);
        place.open = open;
        this.#touch(open);
        this.#join(open);
      },
      () => {
        this.#settle(token);
        if (this.#places.get(token) === place) this.#places.delete(token);
      },
    );
    const place: Place = { opening, settled, open: null };
    this.#places.set(token, place);
    return place;
  }

  #settle(token: WalletToken): void {
    this.#unsettled -= 1;
    this.#reading.delete(token);
  }

  #load(token: WalletToken): Promise<OpenWallet> {
    const { load, shared } = this.#parts;
    const { signal } = this.#life;
    return this.#turns.run(token, signal, async () => {
      let isIn = false;
      const begun = (): void => {
        isIn = true;
        this.#reading.add(token);
      };
      try {
        const opened = await loadWallet(load, token, () => this.#resident.enter(signal, begun));
        return new OpenWallet(shared, opened);
      } catch (error) {
        if (isIn) this.#resident.leave();
        throw error;
      }
    });
  }

  /** Hands the wallet to the lanes, as soon as its first block is known. */
  #join(open: OpenWallet): void {
    if (open.wallet.isBegun) this.#parts.shared.lanes.add([open.wallet]);
    else this.#later(open, () => this.#beginScan(open));
  }

  async #beginScan(open: OpenWallet): Promise<void> {
    const { shared, askTip, start, load } = this.#parts;
    const { signal } = this.#life;
    const tip = await askTip(signal);
    const payments = () => [...load.store.payments.live(open.token)];
    const { identity } = open.wallet.keys;
    const { birthday } = open.facts;
    const beginning = { identity, birthday, nextAddressIndex: open.nextAddressIndex, payments };
    open.wallet.put(await beginWallet(start, beginning, tip, signal));
    if (this.#places.get(open.token)?.open === open) shared.lanes.add([open.wallet]);
  }

  /** Tries until it works, with growing pauses: the node may be away. */
  #later(open: OpenWallet, work: () => Promise<void>, over: () => void = () => undefined): void {
    const run: Promise<void> = this.#untilDone(open, work).finally(() => {
      over();
      this.#begun.delete(run);
    });
    this.#begun.add(run);
  }

  async #untilDone(open: OpenWallet, work: () => Promise<void>): Promise<void> {
    const { signal } = this.#life;
    for (let failures = 0; !signal.aborted; failures += 1) {
      if (this.#places.get(open.token)?.open !== open) return;
      try {
        await work();
        open.problem = null;
        return;
      } catch (thrown) {
        open.problem = SvcError.from(thrown);
        const doubled = WALLETD_LIMITS.laneRetryFirstMs * 2 ** Math.min(failures, 16);
        const pauseMs = Math.min(doubled, WALLETD_LIMITS.laneRetryLongestMs);
        await this.#parts.clock.sleep(pauseMs, signal).catch(() => undefined);
      }
    }
  }
}
