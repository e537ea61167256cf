/**
 * Wallet folder: the wallets of a daemon on disk. It makes, reads, changes and keeps wallet files and scans, and holds no seed
 * but for the length of a call.
 *
 * A wallet is on disk before its seed is answered, and a kill at any step leaves no wallet or the whole one.
 */
import { randomBytes } from "node:crypto";
import { asDaaScore, type DaaScore } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { DerivedKeys, STANDARD_COST, type Kdf, type KdfCost } from "./derivedKeys.ts";
import { FolderFiles, nameOf } from "./folderFiles.ts";
import { openSealing, type Sealing } from "./folderSealing.ts";
import { eraseContent, openWalletFile, parseWalletFile } from "./openWalletFile.ts";
import type { RowCipher } from "./rowCipher.ts";
import { openScanFile, writeScanFile, type ScanOwner } from "./scanFile.ts";
import { ViewingKeys, type KeyCore } from "./viewingKeys.ts";
import { SYSTEM_DISK, type WalletDisk } from "./walletDisk.ts";
import {
  writeOwnWallet,
  type ParsedWallet,
  type WalletContent,
  type WalletFacts,
  type WalletKind,
} from "./walletFile.ts";
import { walletLabel, type WalletToken } from "./walletToken.ts";
import { WalletTurns } from "./walletTurns.ts";

/** The calls of the core that a wallet folder makes. */
export type WalletCore = KeyCore & Pick<CoreGlue, "argon2id" | "generateSeed">;

/** What a folder is opened with. */
export type WalletFolderParts = {
  readonly path: string;
  /** Name of the network, as the options of the daemon name it. */
  readonly network: string;
  /** Prefix of the network's addresses. */
  readonly hrp: string;
  readonly core: WalletCore;
  /** The folder takes ownership. Null: wallets are stored in plaintext. */
  readonly secret: Secret | null;
  /** Unix seconds, for the time that a wallet was made. */
  readonly nowUnix: () => number;
  /** Cost of the key derivation of a folder that is sealed for the first time. */
  readonly cost?: KdfCost;
  /** The disk of this machine when left out. */
  readonly disk?: WalletDisk;
};

/** What a new wallet begins with. */
export type NewWallet = {
  readonly birthday: DaaScore;
  readonly bornOn?: number | null;
  readonly recoverableHistory?: boolean;
  /** Whether it may take the place of a wallet, which is kept as `TOKEN.json.bak`. */
  readonly replace?: boolean;
};

/** What may be changed of a wallet. */
export type WalletChange = Partial<
  Pick<WalletFacts, "birthday" | "bornOn" | "recoverableHistory"> & Pick<WalletContent, "addresses">
>;

/** A new wallet with its seed. */
export type CreatedWallet = { readonly seed: Secret; readonly keys: ViewingKeys };

/** What a wallet is opened with. */
export type OpenedKeys = {
  readonly keys: ViewingKeys;
  readonly facts: WalletFacts;
  readonly addresses: readonly number[];
  readonly isFinal: boolean;
};

type OpenWallet = { readonly facts: WalletFacts; readonly content: WalletContent };

/** The wallets of one folder. Work on one wallet is done one piece after the other. */
export class WalletFolder {
  readonly network: string;
  readonly #files: FolderFiles;
  readonly #parts: WalletFolderParts;
  readonly #keys: DerivedKeys | null;
  /** Parameters under which files are sealed; null in plaintext. */
  readonly #kdf: Kdf | null;
  readonly #rows: RowCipher | null;
  readonly #turns = new WalletTurns();

  private constructor(
    files: FolderFiles,
    parts: WalletFolderParts,
    keys: DerivedKeys | null,
    sealing: Sealing | null,
  ) {
    this.network = parts.network;
    this.#files = files;
    this.#parts = parts;
    this.#keys = keys;
    this.#kdf = sealing?.kdf ?? null;
    this.#rows = sealing?.rows ?? null;
  }

  /**
   * Opens a folder, and makes it if it is not there. Rejects with `node/already-running`, `node/bad-folder`,
   * `wallet/wrong-secret`, `wallet/no-secret`, `wallet/secret-unfinished`, `wallet/file-network`, `wallet/file-version`,
   * `wallet/file-damaged`, `wallet/storage`.
   */
  static async open(parts: WalletFolderParts): Promise<WalletFolder> {
    const { core, secret, network } = parts;
    const keys = secret === null ? null : new DerivedKeys(core, secret);
    try {
      const files = await FolderFiles.open(parts.path, parts.disk ?? SYSTEM_DISK);
      try {
        const cost = parts.cost ?? STANDARD_COST;
        const sealing = await openSealing({ files, network, keys, cost });
        return new WalletFolder(files, parts, keys, sealing);
      } catch (error) {
        files.close();
        throw error;
      }
    } catch (error) {
      keys?.erase();
      throw error;
    }
  }

  /** Whether new files are sealed. */
  get isSealed(): boolean {
    return this.#kdf !== null;
  }

  /** What hides the rows of the database beside the files, until `close`; null in plaintext. Changing the secret leaves it as it is. */
  rowSeal(): RowCipher | null {
    return this.#rows;
  }

  /** Erases the secret and gives the folder back. Harmless when repeated. */
  close(): void {
    this.#rows?.erase();
    this.#keys?.erase();
    this.#files.close();
  }

  /** The tokens of all wallets, unsorted. No file is read. */
  list(): Promise<WalletToken[]> {
    return this.#files.tokens();
  }

  /** The tokens that have a scan, also those without a wallet, unsorted. No file is read. */
  listScans(): Promise<WalletToken[]> {
    return this.#files.tokens("scan");
  }

  /**
   * What stands in clear about a wallet; null when there is none. Rejects with `wallet/file-damaged`, `wallet/file-version`,
   * `wallet/file-network`, `wallet/storage`.
   */
  async facts(token: WalletToken): Promise<WalletFacts | null> {
    return (await this.#parse(token))?.facts ?? null;
  }

  /** Whether the file of a wallet is sealed; null when there is no wallet. Rejects like `facts`. */
  async isSealedWallet(token: WalletToken): Promise<boolean | null> {
    const parsed = await this.#parse(token);
    return parsed && parsed.sealing !== null;
  }

  /** Makes a wallet with a new seed. Rejects with `wallet/exists`, `wallet/storage`; then there is no new wallet. */
  async create(token: WalletToken, wallet: NewWallet): Promise<CreatedWallet> {
    const { core } = this.#parts;
    const seed = new Secret(callCore(() => core.generateSeed()));
    try {
      return { seed, keys: await this.importSeed(token, seed, wallet) };
    } catch (error) {
      seed.erase();
      throw error;
    }
  }

  /** Makes a wallet of a seed, which stays with the caller. Rejects with `wallet/bad-seed`, `wallet/exists`, `wallet/storage`. */
  async importSeed(token: WalletToken, seed: Secret, wallet: NewWallet): Promise<ViewingKeys> {
    const { core, hrp } = this.#parts;
    const keys = ViewingKeys.ofSeed(core, hrp, seed);
    await this.#makeWith(keys, () => this.#make(token, "seed", copyOf(seed), wallet));
    return keys;
  }

  /**
   * Makes a wallet that watches, of a full viewing key of 96 bytes. Rejects with `keys/bad-viewing-key`, `codec/wrong-length`,
   * `wallet/exists`, `wallet/storage`.
   */
  async watch(token: WalletToken, fvk: Uint8Array, wallet: NewWallet): Promise<ViewingKeys> {
    const { core, hrp } = this.#parts;
    const keys = new ViewingKeys(core, hrp, fvk.slice());
    await this.#makeWith(keys, () => this.#make(token, "watch", new Secret(fvk.slice()), wallet));
    return keys;
  }

  /** Erases the keys of a wallet that is not made. */
  async #makeWith(keys: ViewingKeys, make: () => Promise<void>): Promise<void> {
    try {
      await make();
    } catch (error) {
      keys.erase();
      throw error;
    }
  }

  /** Changes what is stored of a wallet. Rejects with `wallet/no-wallet`, `codec/count-too-large`, and like `openKeys`. */
  update(token: WalletToken, { addresses, ...changed }: WalletChange): Promise<WalletFacts> {
    return this.#change(token, ({ facts, content }) => ({
      facts: { ...facts, ...changed },
      content: { ...content, ...(addresses && { addresses: sorted(addresses) }) },
    }));
  }

  /**
   * Puts the seed of a wallet in place of its viewing key, or the other way round: its scan and all else stay. The file before is
   * kept as `TOKEN.json.bak`, so a wallet that only watches from now on leaves its seed there. That both keys are of one wallet is
   * the caller's to know; the key stays with him. Rejects like `update`.
   */
  changeKind(token: WalletToken, kind: WalletKind, key: Secret): Promise<WalletFacts> {
    return this.#change(token, async ({ facts, content }) => {
      await this.#files.keep(nameOf(token, "json"));
      return { facts: { ...facts, kind }, content: { ...content, key: copyOf(key) } };
    });
  }

  #change(
    token: WalletToken,
    change: (wallet: OpenWallet) => OpenWallet | Promise<OpenWallet>,
  ): Promise<WalletFacts> {
    return this.#turns.run(token, async () => {
      const wallet = await this.#open(token);
      const held = [wallet.content];
      try {
        const changed = await change(wallet);
        held.push(changed.content);
        const written = await this.#rewrite(token, changed);
        held.push(written.content);
        return written.facts;
      } finally {
        held.forEach(eraseContent);
      }
    });
  }

  /**
   * The viewing keys of a wallet and the addresses that it handed out; `isFinal` when its files are already of the form in which
   * they are written now. The seed is opened for it and erased at once. Rejects with `wallet/no-wallet`, `wallet/wrong-secret`,
   * `wallet/no-secret`, `wallet/file-damaged`, `wallet/file-version`, `wallet/file-network`, `wallet/storage`.
   */
  async openKeys(token: WalletToken): Promise<OpenedKeys> {
    const { core, hrp } = this.#parts;
    const wallet = await this.#open(token);
    const { facts, content } = wallet;
    try {
      const keys =
        facts.kind === "seed"
          ? ViewingKeys.ofSeed(core, hrp, content.key)
          : new ViewingKeys(
              core,
              hrp,
              content.key.reveal((bytes) => bytes.slice()),
            );
      const isFinal = this.#isFinal(wallet);
      return { keys, facts, addresses: content.addresses, isFinal };
    } finally {
      eraseContent(content);
    }
  }

  /**
   * The seed of a wallet, to show or sign with; the caller erases it. Rejects with `wallet/watch-only`, and like `openKeys`.
   */
  async openSeed(token: WalletToken): Promise<Secret> {
    const { facts, content } = await this.#open(token);
    content.dataKey?.erase();
    if (facts.kind === "seed") return content.key;
    content.key.erase();
    throw new SvcError("wallet/watch-only", {});
  }

  /**
   * The snapshot that was written last; null when there is none. Rejects with `wallet/file-damaged` for one that is not whole,
   * or of another wallet, and like `openKeys`: whoever asks retires it and scans again.
   */
  readScan(token: WalletToken): Promise<Uint8Array | null> {
    // In turn: between its two files nobody puts another wallet.
    return this.#turns.run(token, async () => {
      const bytes = await this.#readScanFile(token);
      return bytes === null ? null : await this.openScan(token, bytes);
    });
  }

  /** The snapshot in the bytes of a scan file of this wallet that came from elsewhere. Rejects like `readScan`. */
  async openScan(token: WalletToken, bytes: Uint8Array): Promise<Uint8Array> {
    const wallet = await this.#open(token);
    try {
      return openScanFile(this.#owner(token, wallet), bytes, scanLabel(token));
    } finally {
      eraseContent(wallet.content);
    }
  }

  /**
   * Writes a snapshot in place of the last one, of which `keep` leaves the file as `retireScan` names it. A wallet file that lacks
   * a data key, or is of the reference, becomes one of ours first. Rejects with `codec/count-too-large` for one beyond the limit,
   * and like `openKeys`.
   */
  writeScan(
    token: WalletToken,
    snapshot: Uint8Array,
    { keep = false }: { readonly keep?: boolean } = {},
  ): Promise<void> {
    return this.#turns.run(token, async () => {
      const max = WALLETD_LIMITS.scanFileBytes;
      if (snapshot.length > max) {
        throw new SvcError("codec/count-too-large", { count: snapshot.length, max });
      }
      const wallet = await this.#open(token);
      const owned = this.#isFinal(wallet) ? wallet : await this.#rewrite(token, wallet);
      try {
        const bytes = writeScanFile(this.#owner(token, owned), snapshot);
        const name = nameOf(token, "scan");
        const names = keep ? await this.#files.namesOf(token, "scan") : [];
        if (names.includes(name)) await this.#files.keep(name);
        await this.#files.replace(name, bytes);
      } finally {
        eraseContent(owned.content);
        eraseContent(wallet.content);
      }
    });
  }

  /** Puts the snapshot aside as `TOKEN.scan.bak`, `.bak.1` and so on, at last as `keepScan` rotates; false for none. Rejects with `wallet/storage`. */
  retireScan(token: WalletToken): Promise<boolean> {
    return this.#turns.run(token, () => this.#retire(token));
  }

  /**
   * Keeps the snapshot on disk as `TOKEN.scan.bak` and so on, or where it `rotates` among the newest few of a bounded number, and
   * leaves it in use; false when there is none. Rejects with `wallet/storage`.
   */
  keepScan(token: WalletToken, { rotates = false } = {}): Promise<boolean> {
    return this.#turns.run(token, () => this.#keep(token, rotates ? "rotate" : "keep"));
  }

  async #keep(token: WalletToken, how: "keep" | "rotate" | "keepOrRotate"): Promise<boolean> {
    const name = nameOf(token, "scan");
    if (!(await this.#files.namesOf(token, "scan")).includes(name)) return false;
    await this.#files[how](name);
    return true;
  }

  async #retire(token: WalletToken): Promise<boolean> {
    // Nobody may be kept from his wallet by how often it was scanned again.
    if (!(await this.#keep(token, "keepOrRotate"))) return false;
    await this.#files.remove(nameOf(token, "scan"));
    return true;
  }

  /** Takes ownership of the key. */
  #make(token: WalletToken, kind: WalletKind, key: Secret, wallet: NewWallet): Promise<void> {
    const facts: WalletFacts = {
      id: newId(),
      network: this.network,
      kind,
      birthday: checkBirthday(wallet.birthday),
      bornOn: wallet.bornOn ?? null,
      recoverableHistory: wallet.recoverableHistory ?? false,
      createdUnix: this.#parts.nowUnix(),
    };
    const content = { key, dataKey: this.#newDataKey(), addresses: [] };
    return this.#turns.run(token, async () => {
      try {
        const bytes = this.#encode(token, { facts, content });
        const name = nameOf(token, "json");
        if (await this.#files.create(name, bytes)) return;
        if (wallet.replace !== true) throw new SvcError("wallet/exists", {});
        await this.#files.keep(name);
        // Before the wallet that it belongs to goes: a scan never lies beside another wallet.
        await this.#retire(token);
        await this.#files.replace(name, bytes);
      } finally {
        eraseContent(content);
      }
    });
  }

  /** Writes a wallet in the form of ours, with a data key where files are sealed. What it gives holds that key. */
  async #rewrite(token: WalletToken, before: OpenWallet): Promise<OpenWallet> {
    const { facts, content } = before;
    const wallet = {
      facts: {
        ...facts,
        birthday: checkBirthday(facts.birthday),
        id: /^0+$/.test(facts.id) ? newId() : facts.id,
      },
      content: { ...content, dataKey: content.dataKey ?? this.#newDataKey() },
    };
    const isSealedNow = content.dataKey === null && wallet.content.dataKey !== null;
    const snapshot = isSealedNow ? await this.#plainScan(token, before) : null;
    await this.#files.replace(nameOf(token, "json"), this.#encode(token, wallet));
    if (snapshot !== null) {
      const bytes = writeScanFile(this.#owner(token, wallet), snapshot);
      await this.#files.replace(nameOf(token, "scan"), bytes);
    }
    return wallet;
  }

  /** The snapshot of a wallet in plaintext; null when there is none that is whole. */
  async #plainScan(token: WalletToken, wallet: OpenWallet): Promise<Uint8Array | null> {
    try {
      const bytes = await this.#readScanFile(token);
      return bytes && openScanFile(this.#owner(token, wallet), bytes, scanLabel(token));
    } catch (error) {
      if (SvcError.is(error, "wallet/file-damaged", "wallet/file-version")) return null;
      throw error;
    }
  }

  #readScanFile(token: WalletToken): Promise<Uint8Array<ArrayBuffer> | null> {
    const most = WALLETD_LIMITS.scanFileBytes;
    return this.#files.read(nameOf(token, "scan"), most, scanLabel(token));
  }

  /** Whether a scan may be written beside the file as it is. */
  #isFinal({ facts, content }: OpenWallet): boolean {
    return !/^0+$/.test(facts.id) && (content.dataKey !== null || this.#kdf === null);
  }

  #encode(token: WalletToken, wallet: OpenWallet): Uint8Array<ArrayBuffer> {
    const key = this.#kdf === null ? undefined : this.#keys?.keyOf(this.#kdf);
    const sealing = this.#kdf === null || key === undefined ? null : { kdf: this.#kdf, key };
    // In plaintext nothing may seal the scan: its key would lie beside it.
    const content = sealing === null ? { ...wallet.content, dataKey: null } : wallet.content;
    return new TextEncoder().encode(
      writeOwnWallet({ facts: wallet.facts, content }, token, sealing),
    );
  }

  #owner(token: WalletToken, { facts, content }: OpenWallet): ScanOwner {
    return { token, network: facts.network, id: facts.id, dataKey: content.dataKey };
  }

  #newDataKey(): Secret | null {
    return this.#kdf === null ? null : new Secret(randomBytes(32));
  }

  async #parse(token: WalletToken): Promise<ParsedWallet | null> {
    const label = walletLabel(token);
    const most = WALLETD_LIMITS.walletFileBytes;
    const bytes = await this.#files.read(nameOf(token, "json"), most, label);
    if (bytes === null) return null;
    const parsed = parseWalletFile(bytes, label);
    const found = parsed.facts.network;
    if (found !== this.network) {
      throw new SvcError("wallet/file-network", { file: label, expected: this.network, found });
    }
    return parsed;
  }

  async #open(token: WalletToken): Promise<OpenWallet> {
    const parsed = await this.#parse(token);
    if (parsed === null) throw new SvcError("wallet/no-wallet", {});
    const label = walletLabel(token);
    const keys = this.#keys;
    const secret = keys === null ? null : { keys, folderKdf: this.#kdf };
    return { facts: parsed.facts, content: openWalletFile(parsed, { token, label }, secret) };
  }
}

/** Birthdays stand as numbers in backups. Throws `codec/number-out-of-range` for one that no number holds. */
function checkBirthday(birthday: DaaScore): DaaScore {
  const max = Number.MAX_SAFE_INTEGER;
  if (birthday <= BigInt(max)) return asDaaScore(birthday);
  throw new SvcError("codec/number-out-of-range", { text: String(birthday), max });
}

/** What errors call a scan. */
function scanLabel(token: WalletToken): string {
  return `the scan of ${walletLabel(token)}`;
}

function newId(): string {
  return encodeHex(randomBytes(16));
}

function copyOf(secret: Secret): Secret {
  return new Secret(secret.reveal((bytes) => bytes.slice()));
}

function sorted(indices: readonly number[]): number[] {
  return Array.from(new Set(indices)).toSorted((a, b) => a - b);
}
