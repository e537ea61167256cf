/**
 * Wallets of this browser: which there are, and which of them this tab has open. The tab with the lease alone reads and writes here, so
 * nothing runs beside it (specification wallet 4.9).
 *
 * Order of every change: a wallet beside others is named in the list before its database is made, and each loses its database before its name. A
 * tab that dies in between leaves a name without a wallet, which the next start takes out. The first wallet needs no name to be found.
 */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import type { VaultRecord } from "../../wallet-api/vaultRecord.ts";
import type { WalletsView } from "../../wallet-api/walletEntry.ts";
import {
  deleteDatabase,
  openDatabase,
  type Database,
  type DatabaseListener,
  type SealedAnnotations,
  type StoredNetwork,
} from "../store/database.ts";
import type { KeptWallet } from "../store/keptWallet.ts";
import { databaseNames, loadStoredList, storeList } from "./listStore.ts";
import {
  databaseOf,
  FIRST_WALLET,
  newWalletId,
  NO_WALLETS,
  readWalletList,
  storedWalletList,
  walletOf,
  withName,
  withoutWallet,
  withThose,
  withWallet,
  type WalletList,
} from "./walletList.ts";

const SILENT: DatabaseListener = { onReplaced: () => undefined, onClosed: () => undefined };

/** The wallets of this browser, as this worker has them; at most one is open. */
export class WalletPlaces {
  readonly #kept: KeptWallet;
  readonly #listener: DatabaseListener;
  #list: WalletList = NO_WALLETS;
  #current: string | null = null;
  /** The wallet beside which a new one is made. */
  #beside: string | null = null;
  /** Grows when this tab loses the wallets: what was begun before then ends with nothing. */
  #turn = 0;
  #isHeld = false;

  /** `listener` hears of the connection to the wallet that is open. */
  constructor(kept: KeptWallet, listener: DatabaseListener) {
    this.#kept = kept;
    this.#listener = listener;
  }

  get view(): WalletsView {
    return { list: this.#list.wallets, current: this.#current, beside: this.#beside };
  }

  /** Name of the database of the current wallet. */
  get database(): string {
    return databaseOf(this.#current ?? FIRST_WALLET);
  }

  /** This tab has the wallets, until it leaves them. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** This tab got the wallets. */
  hold(): void {
    this.#isHeld = true;
  }

  /**
   * Looks which wallets there are, and opens the store of the one that was open last, or of another where that one cannot be opened. Resolves with its
   * network, null where there is no wallet at all. Rejects with `wallet/locked` in a tab that does not have the wallets, and with the errors
   * of the store.
   */
  async enter(): Promise<StoredNetwork | null> {
    const turn = this.#turn;
    this.#requireHeld(turn);
    this.#close();
    this.#beside = null;
    const list = await foundWallets(await knownList());
    this.#requireHeld(turn);
    this.#list = list;
    const { wallets, last } = this.#list;
    const ids = wallets.map(({ id }) => id).toSorted((a, b) => rankOf(a, last) - rankOf(b, last));
    const refusals: unknown[] = [];
    for (const id of ids.length === 0 ? [FIRST_WALLET] : ids) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- the next one only where this one cannot be opened
        return await this.#open(id, turn);
      } catch (error) {
        this.#requireHeld(turn);
        refusals.push(error);
      }
    }
    throw refusals[0];
  }

  /** This tab has no wallet any more. */
  leave(): void {
    this.#turn += 1;
    this.#isHeld = false;
    this.#close();
    this.#beside = null;
  }

  /**
   * Opens the store of another wallet in place of the current one's. Rejects with `wallet/no-wallet` for one that is not listed, and with
   * the errors of the store; then the one before is open again, if it can be.
   */
  async choose(id: string): Promise<StoredNetwork | null> {
    const [before, turn] = [this.#current, this.#turn];
    this.#requireHeld(turn);
    if (!this.#list.wallets.some((wallet) => wallet.id === id)) {
      throw new SvcError("wallet/no-wallet", {});
    }
    this.#close();
    try {
      const network = await this.#open(id, turn);
      this.#beside = null;
      await this.#remember({ ...this.#list, last: id }, turn);
      return network;
    } catch (error) {
      if (before !== null && turn === this.#turn) {
        await this.#open(before, turn).catch(() => undefined);
      }
      throw error;
    }
  }

  /** Makes room for a new wallet beside the others; nothing is stored yet. Throws `codec/count-too-large`. */
  begin(): void {
    this.#requireHeld(this.#turn);
    withWallet(this.#list, newWalletId());
    this.#beside ??= this.#current;
    this.#close();
  }

  /** Stores a new wallet in a database of its own, with the annotations of its backup. Rejects with `wallet/exists` where one is open, and as `KeptWallet.add` does. */
  async add(
    vault: VaultRecord,
    network: StoredNetwork,
    annotations: SealedAnnotations,
  ): Promise<void> {
    const turn = this.#turn;
    this.#requireHeld(turn);
    if (this.#beside !== null) {
      await this.#addBeside(vault, network, annotations);
      return;
    }
    await this.#kept.add(vault, network, annotations);
    // The database has the name that every start looks for: without the list nothing is lost.
    const id = this.#current ?? FIRST_WALLET;
    await this.#remember(withWallet(withoutWallet(this.#list, id), id), turn);
  }

  /** Names a wallet; an empty text takes its name away. Rejects as `storeList` does; then nothing changed. */
  async rename(id: string, name: string): Promise<void> {
    this.#requireHeld(this.#turn);
    const renamed = withName(this.#list, id, name);
    await storeList(storedWalletList(renamed));
    this.#list = renamed;
  }

  /** Removes the current wallet, which has to be this one: its database, then its name. Rejects with `wallet/no-wallet`. */
  async remove(id: string): Promise<void> {
    if (id !== this.#current) throw new SvcError("wallet/no-wallet", {});
    const turn = this.#turn;
    this.#close();
    await deleteDatabase(databaseOf(id));
    await this.#remember(withoutWallet(this.#list, id), turn);
  }

  async #addBeside(
    vault: VaultRecord,
    network: StoredNetwork,
    annotations: SealedAnnotations,
  ): Promise<void> {
    const turn = this.#turn;
    const id = newWalletId();
    const list = withWallet(this.#list, id);
    await storeList(storedWalletList(list));
    try {
      await this.#open(id, turn);
      await this.#kept.add(vault, network, annotations);
    } catch (error) {
      this.#requireHeld(turn);
      this.#close();
      this.#list = await foundWallets({ list: this.#list, isReadable: true });
      throw error;
    }
    this.#requireHeld(turn);
    this.#list = list;
    this.#beside = null;
  }

  /** `turn`: the one in which this was asked for. Rejects with `wallet/locked` when it is over. */
  async #open(id: string, turn: number): Promise<StoredNetwork | null> {
    const database = await openDatabase(databaseOf(id), this.#listener);
    try {
      this.#requireHeld(turn);
      this.#current = id;
      const network = await this.#kept.take(database);
      this.#requireHeld(turn);
      return network;
    } catch (error) {
      database.close();
      if (turn === this.#turn) this.#close();
      throw error;
    }
  }

  #close(): void {
    this.#kept.leave();
    this.#current = null;
  }

  /**
   * Stores what the next start would find out by itself: a store that takes nothing more does not keep a wallet shut. Rejects with
   * `wallet/locked` where this tab lost the wallets.
   */
  async #remember(list: WalletList, turn: number): Promise<void> {
    this.#requireHeld(turn);
    this.#list = list;
    await storeList(storedWalletList(list)).catch(() => undefined);
    this.#requireHeld(turn);
  }

  /** `turn`: the one in which something was asked for. Another tab may have the wallets since then. Throws `wallet/locked`. */
  #requireHeld(turn: number): void {
    if (!this.#isHeld || turn !== this.#turn) throw new SvcError("wallet/locked", {});
  }
}

/** What is known of the list; one that cannot be read is none, and is left as it is. */
type KnownList = { readonly list: WalletList; readonly isReadable: boolean };

/** The stored list. Rejects with `store/version` for one of a newer form: a list that cannot be read keeps no wallet shut. */
async function knownList(): Promise<KnownList> {
  try {
    return { list: readWalletList(await loadStoredList()), isReadable: true };
  } catch (error) {
    if (SvcError.is(error, "store/version")) throw error;
    return { list: NO_WALLETS, isReadable: false };
  }
}

/** The list of the wallets that this browser really has. Remains of one that was being made or removed are taken away. */
async function foundWallets({ list, isReadable }: KnownList): Promise<WalletList> {
  const names = await databaseNames();
  const unnamed = [...(names ?? [])].flatMap((name) => walletOf(name) ?? []);
  const ids = new Set([FIRST_WALLET, ...list.wallets.map(({ id }) => id), ...unnamed]);
  // Names of nothing must not stand before wallets.
  const known = [...ids].filter((id) => names === null || names.has(databaseOf(id)));
  const there = new Set<string>();
  for (const id of known.slice(0, PAGE_LIMITS.walletListReadMax)) {
    // oxlint-disable-next-line no-await-in-loop -- one connection at a time
    if (await holdsWallet(id)) there.add(id);
  }
  const found = withThose(list, there);
  const isSame = JSON.stringify(found) === JSON.stringify(list);
  if (isReadable && !isSame) await storeList(storedWalletList(found)).catch(() => undefined);
  return found;
}

/** Whether there is a vault. What cannot be looked at is not given up; a database with nothing at all in it is deleted. */
async function holdsWallet(id: string): Promise<boolean> {
  const name = databaseOf(id);
  try {
    const database = await openDatabase(name, SILENT);
    const [isWallet, isVoid] = await lookInto(database).finally(() => database.close());
    if (isWallet) return true;
    if (isVoid && id !== FIRST_WALLET) await deleteDatabase(name).catch(() => undefined);
    return false;
  } catch {
    return true;
  }
}

/** Whether there is a vault, and whether there is nothing; the records of a wallet are not counted at each start. */
async function lookInto(
  database: Database,
): Promise<readonly [isWallet: boolean, isVoid: boolean]> {
  const isWallet = (await database.get("vault", "vault")) !== undefined;
  return [isWallet, !isWallet && (await hasNothing(database))];
}

async function hasNothing(database: Database): Promise<boolean> {
  const stores = ["vault", "meta", "records", "rows", "leaves"] as const;
  const counts = await Promise.all(stores.map((store) => database.count(store)));
  return counts.every((count) => count === 0);
}

function rankOf(id: string, last: string | null): number {
  return id === last ? 0 : 1;
}
