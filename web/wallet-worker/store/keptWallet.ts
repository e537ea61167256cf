/** Stored wallet of the browser, without its history: sealed vault, network, birthday and settings. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Birthday } from "@svc/shared/wallet/sync/birthday.ts";
import { isWatchOnly } from "../../wallet-api/vaultHolds.ts";
import type { VaultRecord } from "../../wallet-api/vaultRecord.ts";
import {
  loadFlags,
  loadNetwork,
  NO_FLAGS,
  replaceVault,
  storeFlags,
  storeVault,
  type Database,
  type SealedAnnotations,
  type StoredFlags,
  type StoredNetwork,
} from "./database.ts";
import { readBirthday } from "./restoreFrom.ts";

/** The stored wallet of an open database, with copies of what the page is shown of it. */
export class KeptWallet {
  readonly #tell: () => void;
  #database: Database | null = null;
  #flags: StoredFlags = NO_FLAGS;
  #watchOnly = false;
  #deviceUnlock = false;

  /** `tell` is called after each change of the flags, and of who may open the wallet. */
  constructor(tell: () => void) {
    this.#tell = tell;
  }

  /** Null before this tab has the wallet, and after. */
  get opened(): Database | null {
    return this.#database;
  }

  /** The open database. Throws `wallet/locked`. */
  get database(): Database {
    if (this.#database === null) throw new SvcError("wallet/locked", {});
    return this.#database;
  }

  /** As they were last stored; `NO_FLAGS` before that. */
  get flags(): StoredFlags {
    return this.#flags;
  }

  /** The vault holds a viewing key and no seed. */
  get watchOnly(): boolean {
    return this.#watchOnly;
  }

  /** A passkey of this device opens the wallet, too. */
  get deviceUnlock(): boolean {
    return this.#deviceUnlock;
  }

  /** Takes an open database. Resolves with the network of its wallet, null when there is none. Rejects with `wallet/locked` where it was left meanwhile. */
  async take(database: Database): Promise<StoredNetwork | null> {
    this.#database = database;
    const [flags, vault, network] = await Promise.all([
      loadFlags(database),
      database.get("vault", "vault"),
      loadNetwork(database),
    ]);
    // Another wallet was taken meanwhile, or this one left.
    if (this.#database !== database) throw new SvcError("wallet/locked", {});
    this.#flags = flags;
    this.#watchOnly = vault !== undefined && isWatchOnly(vault);
    this.#deviceUnlock = vault?.deviceSlot !== undefined;
    return network;
  }

  /** Closes the database, unless the browser did. */
  leave(): void {
    this.#database?.close();
    this.#database = null;
    this.#flags = NO_FLAGS;
    this.#watchOnly = false;
    this.#deviceUnlock = false;
  }

  /** The sealed vault. Rejects with `wallet/no-wallet`. */
  async vault(): Promise<VaultRecord> {
    const vault = await this.#database?.get("vault", "vault");
    if (vault === undefined) throw new SvcError("wallet/no-wallet", {});
    return vault;
  }

  /** Stores a new wallet, with the annotations of its backup. Rejects with `wallet/exists`, and as `storeVault` does. */
  async add(
    vault: VaultRecord,
    network: StoredNetwork,
    annotations: SealedAnnotations,
  ): Promise<void> {
    const { database } = this;
    if ((await database.get("vault", "vault")) !== undefined) {
      throw new SvcError("wallet/exists", {});
    }
    await storeVault(database, vault, network, annotations);
    this.#watchOnly = isWatchOnly(vault);
    this.#deviceUnlock = vault.deviceSlot !== undefined;
  }

  /** Stores the vault under another passphrase, or with another slot for the device. Rejects as `replaceVault` does. */
  async replace(header: string, next: VaultRecord): Promise<void> {
    await replaceVault(this.database, header, next);
    this.#deviceUnlock = next.deviceSlot !== undefined;
    this.#tell();
  }

  /** Where scanning begins. Rejects with `wallet/locked`. */
  async birthday(): Promise<Birthday> {
    return readBirthday((await loadNetwork(this.database))?.birthday ?? "genesis");
  }

  /** Stores flags. Rejects as `storeFlags` does; they hold until the wallet is closed all the same. */
  async remember(change: Partial<StoredFlags>): Promise<void> {
    this.#flags = { ...this.#flags, ...change };
    await storeFlags(this.database, change);
    this.#tell();
  }

  /** As `remember`, for what the next start finds out again: a store that fails says so with the next block. */
  note(change: Partial<StoredFlags>): void {
    this.remember(change).catch(() => undefined);
  }
}
