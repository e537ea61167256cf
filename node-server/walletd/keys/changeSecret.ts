/**
 * Change of the wallet secret: seals every file of a folder under another one, seals what was plain, or opens what was sealed.
 *
 * The header names both secrets while it lasts, and each file is under the one or the other: after a kill the same command with
 * the same two secrets goes on. A daemon refuses the folder meanwhile. Data keys and the key of the rows stay, so scans and rows
 * that are sealed are not touched.
 */
import { randomBytes } from "node:crypto";
import { throwIfAborted } from "@svc/shared/base/abort.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { DerivedKeys, STANDARD_COST, type KdfCost } from "./derivedKeys.ts";
import { FolderFiles } from "./folderFiles.ts";
import {
  makeSlot,
  openStoreKey,
  opensSlot,
  readFolderHeader,
  requireSlot,
  writeFolderHeader,
  type FolderHeader,
  type SealingSlot,
} from "./folderHeader.ts";
import { freshSlot, makeHeader } from "./folderSealing.ts";
import { eraseContent, openWalletFile, parseWalletFile, type FileOwner } from "./openWalletFile.ts";
import { RowCipher } from "./rowCipher.ts";
import { openScanFile, readScanHead, writeScanFile, type ScanOwner } from "./scanFile.ts";
import { SYSTEM_DISK, type WalletDisk } from "./walletDisk.ts";
import { writeOwnWallet, type WalletContent, type WalletFacts } from "./walletFile.ts";
import { walletLabel, type WalletToken } from "./walletToken.ts";

/** What the secret of a folder is changed with. */
export type SecretChange = {
  readonly path: string;
  readonly network: string;
  readonly core: Pick<CoreGlue, "argon2id">;
  /** The secret of now, owned by the call; null for a folder in plaintext. */
  readonly from: Secret | null;
  /** The secret to be, owned by the call. `plaintext` takes the sealing away, and is written out by whoever wants that. */
  readonly to: Secret | "plaintext";
  readonly signal: AbortSignal;
  /**
   * Opens the rows of the database beside the files, which another part keeps; null when there is none. It is called before
   * anything is changed, and rejects when rows cannot be opened.
   */
  readonly openRows: (ciphers: RowCiphers) => Promise<RowChange | null>;
  /** Hears of each wallet that is done. */
  readonly onProgress?: (progress: ChangeProgress) => void;
  /** Cost of the key derivation from now on. */
  readonly cost?: KdfCost;
  readonly disk?: WalletDisk;
};

/** What rows are sealed with, before and after a change; null for plain rows. After a kill some are as they shall be. */
export type RowCiphers = { readonly from: RowCipher | null; readonly to: RowCipher | null };

/** Rows that are about to be changed. */
export type RowChange = {
  /** Brings all rows into the new form, but for those that do not open; once more after a kill. */
  readonly rewrite: () => readonly LeftFile[];
  readonly close: () => Promise<void>;
};

/** A file, or a table, of which something could not be opened, and why. */
export type LeftFile = { readonly file: string; readonly code: string };

/** How far a change is, in wallets. */
export type ChangeProgress = { readonly done: number; readonly total: number };

/** What a change did. */
export type ChangeReport = {
  /** Wallets of which all files are under the new secret; one of which only kept files are there counts, too. */
  readonly changed: number;
  /** Files and rows that neither secret opens, or that are damaged. They are as they were. */
  readonly left: readonly LeftFile[];
};

type Keys = { readonly keys: DerivedKeys; readonly folderKdf: null };
type Parts = {
  readonly files: FolderFiles;
  readonly network: string;
  readonly from: Keys | null;
  readonly to: Keys | null;
  /** The slot to be; null for plaintext. */
  readonly slot: SealingSlot | null;
};
type Opened = {
  readonly facts: WalletFacts;
  readonly content: WalletContent;
  /** Whether the file is as it shall be: a change that goes on after a kill leaves it alone. */
  readonly isDone: boolean;
};

/**
 * Changes the secret of a folder that no daemon has open. Rejects with `wallet/wrong-secret` or `wallet/no-secret` when `from` is
 * not the folder's, or `to` not that of a change which was interrupted; with `run/aborted` between two files; and like
 * `WalletFolder.open`.
 */
export async function changeSecret(change: SecretChange): Promise<ChangeReport> {
  const { core } = change;
  using from = change.from === null ? null : new DerivedKeys(core, change.from);
  using to = change.to === "plaintext" ? null : new DerivedKeys(core, change.to);
  const files = await FolderFiles.open(change.path, change.disk ?? SYSTEM_DISK);
  try {
    return await changeFiles(change, files, { from, to });
  } finally {
    files.close();
  }
}

type Both = { readonly from: DerivedKeys | null; readonly to: DerivedKeys | null };

async function changeFiles(
  change: SecretChange,
  files: FolderFiles,
  { from, to }: Both,
): Promise<ChangeReport> {
  const { network, cost = STANDARD_COST } = change;
  const header =
    (await readFolderHeader(files, network)) ??
    (await makeHeader({ files, network, keys: from, cost }));
  using before = rowCipher(header.sealing, network, from);
  const slot = slotToBe(header, { from, to }, cost);
  using after = rowCipher(slot, network, to);
  const rows = await change.openRows({ from: before, to: after });
  try {
    if (header.change === null) await writeFolderHeader(files, { ...header, change: { to: slot } });
    const parts = { files, network, from: withKeys(from), to: withKeys(to), slot };
    const report = await changeWallets(parts, change);
    const left = [...report.left, ...(rows?.rewrite() ?? [])];
    await writeFolderHeader(files, { network, sealing: slot, change: null });
    return { ...report, left };
  } finally {
    await rows?.close();
  }
}

async function changeWallets(
  parts: Parts,
  { signal, onProgress }: Pick<SecretChange, "signal" | "onProgress">,
): Promise<ChangeReport> {
  const tokens = await parts.files.allTokens();
  const left: LeftFile[] = [];
  for (const [index, token] of tokens.entries()) {
    throwIfAborted(signal);
    left.push(...(await changeWallet(parts, token)));
    onProgress?.({ done: index + 1, total: tokens.length });
  }
  throwIfAborted(signal);
  const unchanged = new Set(left.map(({ file }) => file));
  return { changed: tokens.length - unchanged.size, left };
}

/** The slot of the change that was begun, or a new one. Throws `wallet/wrong-secret` when another change was begun. */
function slotToBe(header: FolderHeader, { from, to }: Both, cost: KdfCost): SealingSlot | null {
  const { network, change, sealing } = header;
  if (change !== null) {
    const isSame =
      change.to === null || to === null
        ? change.to === null && to === null
        : opensSlot(change.to, network, to);
    if (!isSame) throw new SvcError("wallet/wrong-secret", { file: "the unfinished change" });
    return change.to;
  }
  if (to === null) return null;
  if (sealing === null || from === null) return freshSlot(network, to, cost);
  using storeKey = openStoreKey(sealing, network, from);
  return makeSlot(network, to, cost, storeKey);
}

/** The cipher of rows under a slot. Throws `wallet/wrong-secret` or `wallet/no-secret` when it is not of this secret. */
function rowCipher(
  slot: SealingSlot | null,
  network: string,
  keys: DerivedKeys | null,
): RowCipher | null {
  if (slot === null) return null;
  return new RowCipher(openStoreKey(slot, network, requireSlot(slot, network, keys)));
}

/** Changes all files of a wallet, those kept from before as well. */
async function changeWallet(parts: Parts, token: WalletToken): Promise<ChangeReport["left"]> {
  const label = walletLabel(token);
  const left: LeftFile[] = [];
  /** The data keys by the ids of the wallet files. */
  const wallets: Opened[] = [];
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      const isOfFile = SvcError.is(
        error,
        "wallet/wrong-secret",
        "wallet/no-secret",
        "wallet/file-damaged",
        "wallet/file-version",
      );
      if (!isOfFile) throw error;
      left.push({ file: label, code: error.code });
    }
  };
  const names = await parts.files.namesOf(token, "json");
  const scans = await parts.files.namesOf(token, "scan");
  try {
    for (const name of names) {
      await attempt(async () => {
        const wallet = await readWallet(parts, name, { token, label });
        if (wallet === null) return;
        wallets.push(wallet);
        // A wallet that loses its data key is written after its scans.
        if (parts.slot !== null && !wallet.isDone) await writeWallet(parts, name, token, wallet);
      });
    }
    for (const name of scans) await attempt(() => changeScan(parts, name, token, wallets));
    if (parts.slot === null) {
      for (const name of names) await attempt(() => unsealWallet(parts, name, { token, label }));
    }
  } finally {
    for (const { content } of wallets) eraseContent(content);
  }
  return left;
}

/** Opens a wallet file with the one secret or the other, and gives it the data key and the id that it may lack. */
async function readWallet(parts: Parts, name: string, owner: FileOwner): Promise<Opened | null> {
  const bytes = await parts.files.read(name, WALLETD_LIMITS.walletFileBytes, owner.label);
  if (bytes === null) return null;
  const parsed = parseWalletFile(bytes, owner.label);
  const content = openWith([parts.to, parts.from], (keys) => openWalletFile(parsed, owner, keys));
  const hasId = parsed.form === "own";
  const isDone = hasId && parsed.sealing?.salt === parts.slot?.kdf.salt;
  const dataKey = content.dataKey ?? (parts.slot === null ? null : new Secret(randomBytes(32)));
  const facts = hasId ? parsed.facts : { ...parsed.facts, id: encodeHex(randomBytes(16)) };
  return { facts, content: { ...content, dataKey }, isDone };
}

function openWith(
  secrets: readonly (Keys | null)[],
  open: (keys: Keys | null) => WalletContent,
): WalletContent {
  let refused: unknown;
  for (const keys of secrets) {
    try {
      return open(keys);
    } catch (error) {
      if (!SvcError.is(error, "wallet/wrong-secret", "wallet/no-secret")) throw error;
      refused = error;
    }
  }
  throw refused;
}

async function writeWallet(
  { files, to, slot }: Parts,
  name: string,
  token: WalletToken,
  wallet: Opened,
): Promise<void> {
  const sealing =
    slot === null || to === null ? null : { kdf: slot.kdf, key: to.keys.keyOf(slot.kdf) };
  const content = sealing === null ? { ...wallet.content, dataKey: null } : wallet.content;
  const text = writeOwnWallet({ facts: wallet.facts, content }, token, sealing);
  await files.replace(name, new TextEncoder().encode(text));
}

async function unsealWallet(parts: Parts, name: string, owner: FileOwner): Promise<void> {
  const wallet = await readWallet(parts, name, owner);
  if (wallet === null) return;
  try {
    if (!wallet.isDone) await writeWallet(parts, name, owner.token, wallet);
  } finally {
    eraseContent(wallet.content);
  }
}

/** Seals a scan that is plain, or opens one that is sealed. Whose it is says its id. */
async function changeScan(
  { files, network, slot }: Parts,
  name: string,
  token: WalletToken,
  wallets: readonly Opened[],
): Promise<void> {
  const label = walletLabel(token);
  const bytes = await files.read(name, WALLETD_LIMITS.scanFileBytes, label);
  if (bytes === null) return;
  const { id, isSealed } = readScanHead(bytes, label);
  if (isSealed === (slot !== null)) return;
  const wallet = wallets.find(({ facts }) => facts.id === id);
  if (wallet === undefined) {
    throw new SvcError("wallet/file-damaged", { file: label, reason: "its scan has no wallet" });
  }
  const sealed: ScanOwner = { token, network, id, dataKey: wallet.content.dataKey };
  const plain: ScanOwner = { ...sealed, dataKey: null };
  const snapshot = openScanFile(isSealed ? sealed : plain, bytes, label);
  await files.replace(name, writeScanFile(isSealed ? plain : sealed, snapshot));
}

function withKeys(keys: DerivedKeys | null): Keys | null {
  return keys === null ? null : { keys, folderKdf: null };
}
