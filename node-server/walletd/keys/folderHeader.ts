/**
 * Header of a wallet folder (`.sealing.json`): its network, the parameters under which new files are sealed, a check that tells a
 * wrong secret before any wallet is touched, and the key of the database's rows, sealed. While the secret is changed it names the
 * next one too.
 *
 * The wallets of a folder without it still open, since every wallet file has its own parameters; the header is then written anew.
 * The rows of the database do not: their key is nowhere else.
 */
import * as v from "valibot";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { kdfForm, kdfOf, type DerivedKeys, type Kdf, type KdfCost } from "./derivedKeys.ts";
import type { FolderFiles } from "./folderFiles.ts";
import { openBytes, sealBytes, sealContext } from "./sealedBytes.ts";

const NAME = ".sealing.json";
const MAGIC = "svc-wallet-folder";
const VERSION = 1;
/** What errors call the folder. */
const LABEL = "the wallet folder";

const slotForm = v.strictObject({
  kdf: kdfForm,
  /** The empty text, sealed under the key that the parameters give. */
  check: v.pipe(v.string(), v.regex(/^[0-9a-f]{80}$/)),
  /** The key of the rows in the database, 32 bytes, sealed under the same key. */
  storeKey: v.pipe(v.string(), v.regex(/^[0-9a-f]{144}$/)),
});
const markForm = v.object({ magic: v.literal(MAGIC), version: v.number() });
const headerForm = v.strictObject({
  magic: v.literal(MAGIC),
  version: v.literal(VERSION),
  network: v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,32}$/)),
  sealing: v.nullable(slotForm),
  change: v.nullable(v.strictObject({ to: v.nullable(slotForm) })),
});

/** How a secret is recognised, and the parameters under which new files are sealed. */
export type SealingSlot = v.InferOutput<typeof slotForm>;

/** The header. `sealing: null` is plaintext; `change` stands while the secret is being changed. */
export type FolderHeader = Omit<v.InferOutput<typeof headerForm>, "magic" | "version">;

/**
 * Reads the header; null when there is none. Rejects with `wallet/file-damaged`, `wallet/file-version`, and with
 * `wallet/file-network` when the folder belongs to another network.
 */
export async function readFolderHeader(
  files: FolderFiles,
  network: string,
): Promise<FolderHeader | null> {
  const bytes = await files.read(NAME, WALLETD_LIMITS.walletFileBytes, LABEL);
  if (bytes === null) return null;
  const json = parse(bytes);
  const mark = v.safeParse(markForm, json);
  if (mark.success && mark.output.version > VERSION) {
    const found = mark.output.version;
    throw new SvcError("wallet/file-version", { file: LABEL, expected: VERSION, found });
  }
  const read = v.safeParse(headerForm, json);
  if (!read.success) {
    const reason = `field ${v.getDotPath(read.issues[0]) ?? "unknown"} of its header`;
    throw new SvcError("wallet/file-damaged", { file: LABEL, reason });
  }
  const { network: found, sealing, change } = read.output;
  if (found !== network) {
    throw new SvcError("wallet/file-network", { file: LABEL, expected: network, found });
  }
  return { network, sealing, change };
}

/** Writes the header in place of the earlier one. */
export async function writeFolderHeader(files: FolderFiles, header: FolderHeader): Promise<void> {
  const text = JSON.stringify({ magic: MAGIC, version: VERSION, ...header }, null, 2);
  await files.replace(NAME, new TextEncoder().encode(`${text}\n`));
}

/** A slot for a secret, of the parameters given or of fresh ones. The key of the rows stays with the caller. */
export function makeSlot(
  network: string,
  keys: DerivedKeys,
  kdf: Kdf | KdfCost,
  storeKey: Secret,
): SealingSlot {
  const full = "salt" in kdf ? kdf : kdfOf(kdf);
  const key = keys.keyOf(full);
  const check = sealBytes(key, contextOf("folder", network, full), new Uint8Array(0));
  const context = contextOf("store", network, full);
  const sealed = storeKey.reveal((bytes) => sealBytes(key, context, bytes));
  return { kdf: full, check: encodeHex(check), storeKey: encodeHex(sealed) };
}

/** The key of the rows in a slot that `opensSlot`. Throws `wallet/file-damaged`. */
export function openStoreKey(slot: SealingSlot, network: string, keys: DerivedKeys): Secret {
  const context = contextOf("store", network, slot.kdf);
  const key = openBytes(keys.keyOf(slot.kdf), context, decodeHex(slot.storeKey));
  if (key !== null) return new Secret(key);
  throw new SvcError("wallet/file-damaged", { file: LABEL, reason: "the key of its rows" });
}

/** Whether the slot is of this secret. A slot that was changed is of none. */
export function opensSlot(slot: SealingSlot, network: string, keys: DerivedKeys): boolean {
  const { kdf, check } = slot;
  return openBytes(keys.keyOf(kdf), contextOf("folder", network, kdf), decodeHex(check)) !== null;
}

/** Refuses a secret that is not the slot's. Throws `wallet/wrong-secret`, and `wallet/no-secret` when there is none. */
export function requireSlot(
  slot: SealingSlot,
  network: string,
  keys: DerivedKeys | null,
): DerivedKeys {
  if (keys === null) throw new SvcError("wallet/no-secret", {});
  if (!opensSlot(slot, network, keys)) throw new SvcError("wallet/wrong-secret", { file: LABEL });
  return keys;
}

function contextOf(purpose: "folder" | "store", network: string, kdf: Kdf): Uint8Array {
  return sealContext(purpose, VERSION, network, JSON.stringify(kdf));
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
