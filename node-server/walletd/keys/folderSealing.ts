/** Opening of a wallet folder's header: recognises the secret, or makes a header for a folder that has none. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import type { DerivedKeys, Kdf, KdfCost } from "./derivedKeys.ts";
import { nameOf, type FolderFiles } from "./folderFiles.ts";
import {
  makeSlot,
  openStoreKey,
  readFolderHeader,
  requireSlot,
  writeFolderHeader,
  type FolderHeader,
  type SealingSlot,
} from "./folderHeader.ts";
import { eraseContent, openWalletFile, parseWalletFile } from "./openWalletFile.ts";
import { newStoreKey, RowCipher } from "./rowCipher.ts";
import { walletLabel, type WalletToken } from "./walletToken.ts";

/** What the header of a folder is judged with. */
export type SealingParts = {
  readonly files: FolderFiles;
  readonly network: string;
  /** Of the secret at hand; null for plaintext. */
  readonly keys: DerivedKeys | null;
  /** Of a header that is made anew. */
  readonly cost: KdfCost;
};

/** How new files and rows are sealed. */
export type Sealing = {
  readonly kdf: Kdf;
  /** Owned by whoever asked for it. */
  readonly rows: RowCipher;
};

/**
 * How new files and rows are sealed; null in plaintext. A secret that is given for the first time is taken: wallets
 * in plaintext are sealed as they change. Rejects with `wallet/wrong-secret`, `wallet/no-secret`, `wallet/secret-unfinished`,
 * `wallet/file-network`, `wallet/file-version`, `wallet/file-damaged`.
 */
export async function openSealing(parts: SealingParts): Promise<Sealing | null> {
  const { files, network, keys, cost } = parts;
  const header = (await readFolderHeader(files, network)) ?? (await makeHeader(parts));
  if (header.change !== null) throw new SvcError("wallet/secret-unfinished", {});
  if (header.sealing !== null) return sealingOf(header.sealing, parts);
  if (keys === null) return null;
  const sealing = freshSlot(network, keys, cost);
  await writeFolderHeader(files, { ...header, sealing });
  return sealingOf(sealing, parts);
}

/** How a slot's secret seals. Throws `wallet/wrong-secret`, `wallet/no-secret`, `wallet/file-damaged`. */
function sealingOf(slot: SealingSlot, { network, keys }: SealingParts): Sealing {
  const own = requireSlot(slot, network, keys);
  return { kdf: slot.kdf, rows: new RowCipher(openStoreKey(slot, network, own)) };
}

/** A slot with a key for rows that nobody had before. */
export function freshSlot(network: string, keys: DerivedKeys, kdf: Kdf | KdfCost): SealingSlot {
  using storeKey = newStoreKey();
  return makeSlot(network, keys, kdf, storeKey);
}

/** Makes the header of a folder without one, in agreement with the sealed wallets that it holds. Rejects like `openSealing`. */
export async function makeHeader(parts: SealingParts): Promise<FolderHeader> {
  const { files, network, keys, cost } = parts;
  const found = await sealedWallet(parts);
  const sealing = keys === null ? null : freshSlot(network, keys, found ?? cost);
  const header = { network, sealing, change: null };
  await writeFolderHeader(files, header);
  return header;
}

/** The parameters of a wallet of our own that the secret opens; null when no sealed wallet contradicts it. */
async function sealedWallet({ files, keys }: SealingParts): Promise<Kdf | null> {
  let refused: SvcError | null = null;
  let trials = 0;
  for (const token of await files.tokens()) {
    if (trials >= WALLETD_LIMITS.secretTrials) break;
    const tried = await tryWallet(files, token, keys);
    if (tried === "skip") continue;
    trials += 1;
    if (!(tried instanceof SvcError)) return tried;
    refused ??= tried;
  }
  if (refused !== null) throw refused;
  return null;
}

/** Tries one wallet: its parameters (null for a form that lends none), the refusal, or `skip` for one that tells nothing. */
async function tryWallet(
  files: FolderFiles,
  token: WalletToken,
  keys: DerivedKeys | null,
): Promise<Kdf | null | SvcError | "skip"> {
  const label = walletLabel(token);
  try {
    const bytes = await files.read(nameOf(token, "json"), WALLETD_LIMITS.walletFileBytes, label);
    const parsed = bytes === null ? null : parseWalletFile(bytes, label);
    if (parsed === null || parsed.sealing === null) return "skip";
    const secret = keys === null ? null : { keys, folderKdf: null };
    eraseContent(openWalletFile(parsed, { token, label }, secret));
    return parsed.form === "own" ? parsed.sealing : null;
  } catch (error) {
    // A damaged file says nothing about the secret.
    if (SvcError.is(error, "wallet/wrong-secret", "wallet/no-secret")) return error;
    if (SvcError.is(error, "wallet/file-damaged", "wallet/file-version")) return "skip";
    throw error;
  }
}
