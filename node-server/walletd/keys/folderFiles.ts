/**
 * Files of a wallet folder: their names, and durable ways to make, replace and keep them. A kill between any two steps leaves
 * the whole earlier file or the whole new one under a name.
 */
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { acquireLock, type LockFile } from "../../platform/files/lockFile.ts";
import { makeDurableFolder } from "../../storage/durableFolder.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import type { WalletDisk } from "./walletDisk.ts";
import { isWalletToken, type WalletToken } from "./walletToken.ts";

const FOLDER_MODE = 0o700;
const LOCK = ".lock";
/** Ending of a file that is not whole yet. With the dot before it no token has such a name. */
const DRAFT = /^\.[0-9a-f]{32}\.new$/;

/** A file of a wallet, in use or kept. */
const ANY_FILE = /^([^.]+)\.(?:json|scan)(?:\.bak(?:\.\d+)?)?$/;

/** A file of a wallet: its key, or its scan. */
export type WalletFileKind = "json" | "scan";

/** The files of one folder, which this process alone writes until it is closed. */
export class FolderFiles {
  readonly path: string;
  readonly #disk: WalletDisk;
  readonly #lock: LockFile;

  private constructor(path: string, disk: WalletDisk, lock: LockFile) {
    this.path = path;
    this.#disk = disk;
    this.#lock = lock;
  }

  /**
   * Makes the folder if it is not there, locks it, and removes what a killed process left unfinished. Rejects with
   * `node/already-running` when another process has it, `node/bad-folder`, `wallet/storage`.
   */
  static async open(path: string, disk: WalletDisk): Promise<FolderFiles> {
    const files = new FolderFiles(path, disk, lockFolder(path));
    try {
      for (const name of await disk.names(path)) {
        if (DRAFT.test(name)) await disk.remove(join(path, name));
      }
      return files;
    } catch (error) {
      files.close();
      throw error;
    }
  }

  /** Gives the folder back. Harmless when repeated. */
  close(): void {
    this.#lock.release();
  }

  /** The tokens that have a wallet file, or a scan, unsorted. No file is read. */
  async tokens(kind: WalletFileKind = "json"): Promise<WalletToken[]> {
    const ending = `.${kind}`;
    const tokens: WalletToken[] = [];
    for (const name of await this.#disk.names(this.path)) {
      const token = name.endsWith(ending) ? name.slice(0, -ending.length) : "";
      if (isWalletToken(token)) tokens.push(token);
    }
    return tokens;
  }

  /** The tokens that have a file of any kind, also one kept from before alone, unsorted. No file is read. */
  async allTokens(): Promise<WalletToken[]> {
    const tokens = new Set<WalletToken>();
    for (const name of await this.#disk.names(this.path)) {
      const token = ANY_FILE.exec(name)?.[1] ?? "";
      if (isWalletToken(token)) tokens.add(token);
    }
    return [...tokens];
  }

  /** Names of the files of a kind: the one in use, if any, and those kept from before. */
  async namesOf(token: WalletToken, kind: WalletFileKind): Promise<string[]> {
    const current = nameOf(token, kind);
    const names = await this.#disk.names(this.path);
    return names.filter((name) => name === current || isBackup(name, current));
  }

  /**
   * Reads a file by its name; null when there is none. Rejects with `wallet/file-damaged`, `wallet/storage`. `label` stands
   * for the file in errors.
   */
  async read(name: string, most: number, label: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const read = await this.#disk.read(join(this.path, name), most);
    if (read.kind === "none") return null;
    if (read.kind === "bytes") return read.bytes;
    throw new SvcError("wallet/file-damaged", { file: label, reason: read.reason });
  }

  /** Writes a file that must not be there; false when something has its name. */
  async create(name: string, bytes: Uint8Array): Promise<boolean> {
    const draft = await this.#writeDraft(bytes);
    const isNew = await this.#disk.link(draft, join(this.path, name));
    if (isNew) await this.#disk.flush(this.path);
    await this.#disk.remove(draft);
    return isNew;
  }

  /** Writes a file in place of the one that may be there. */
  async replace(name: string, bytes: Uint8Array): Promise<void> {
    const draft = await this.#writeDraft(bytes);
    await this.#disk.rename(draft, join(this.path, name));
    await this.#disk.flush(this.path);
  }

  /** Gives a file a second name that stays when it is replaced: `.bak`, then `.bak.1` and so on. */
  async keep(name: string): Promise<void> {
    if (await this.#keepIfRoom(name)) return;
    const reason = `${WALLETD_LIMITS.walletBackups} earlier files are kept beside it; move some elsewhere`;
    throw new SvcError("wallet/storage", { reason });
  }

  /** As `keep`, and where there are as many as it makes, as `rotate`. */
  async keepOrRotate(name: string): Promise<void> {
    if (!(await this.#keepIfRoom(name))) await this.rotate(name);
  }

  /** False where all names are taken. */
  async #keepIfRoom(name: string): Promise<boolean> {
    const path = join(this.path, name);
    for (let number = 0; number < WALLETD_LIMITS.walletBackups; number += 1) {
      const kept = number === 0 ? `${path}.bak` : `${path}.bak.${number}`;
      if (!(await this.#disk.link(path, kept))) continue;
      await this.#disk.flush(this.path);
      return true;
    }
    return false;
  }

  /** Gives a file a second name among the newest few, behind those of `keep`: the oldest of them goes. */
  async rotate(name: string): Promise<void> {
    const { walletBackups, walletRotated } = WALLETD_LIMITS;
    const names = new Set(await this.#disk.names(this.path));
    const keptOf = (age: number): string => `${name}.bak.${walletBackups + age}`;
    // A kill between two renames leaves a gap, which the next one fills.
    let end = 0;
    while (end < walletRotated - 1 && names.has(keptOf(end))) end += 1;
    for (let age = end; age > 0; age -= 1) {
      await this.#disk.rename(join(this.path, keptOf(age - 1)), join(this.path, keptOf(age)));
    }
    await this.#disk.link(join(this.path, name), join(this.path, keptOf(0)));
    await this.#disk.flush(this.path);
  }

  /** Removes a name. */
  async remove(name: string): Promise<void> {
    await this.#disk.remove(join(this.path, name));
    await this.#disk.flush(this.path);
  }

  async #writeDraft(bytes: Uint8Array): Promise<string> {
    const draft = join(this.path, `.${encodeHex(randomBytes(16))}.new`);
    try {
      await this.#disk.create(draft, bytes);
      return draft;
    } catch (error) {
      await this.#disk.remove(draft);
      throw error;
    }
  }
}

/** Name of the file in use. */
export function nameOf(token: WalletToken, kind: WalletFileKind): string {
  return `${token}.${kind}`;
}

function isBackup(name: string, current: string): boolean {
  return (
    name.startsWith(`${current}.bak`) && /^(\.\d+)?$/.test(name.slice(`${current}.bak`.length))
  );
}

function lockFolder(path: string): LockFile {
  try {
    if (!existsSync(path)) {
      makeDurableFolder(path, FOLDER_MODE);
      // What the mask of the process took away from the mode.
      chmodSync(path, FOLDER_MODE);
    }
    return acquireLock(join(path, LOCK));
  } catch (error) {
    if (error instanceof SvcError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new SvcError("node/bad-folder", { path, reason }, error);
  }
}
