/**
 * Header of a wallet folder (`.sealing.json`): its network, the parameters under which new files are sealed, and a check that
 * tells a wrong secret before any wallet is touched. While the secret is changed it names the next one too.
 *
 * A folder without it still opens, since every wallet file has its own parameters; the header is then written anew.
 */
import * as v from "valibot";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
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

/** A slot for a secret, of the parameters given or of fresh ones. */
export function makeSlot(network: string, keys: DerivedKeys, kdf: Kdf | KdfCost): SealingSlot {
  const full = "salt" in kdf ? kdf : kdfOf(kdf);
  const check = sealBytes(keys.keyOf(full), contextOf(network, full), new Uint8Array(0));
  return { kdf: full, check: encodeHex(check) };
}

/** Whether the slot is of this secret. A slot that was changed is of none. */
export function opensSlot(slot: SealingSlot, network: string, keys: DerivedKeys): boolean {
  const { kdf, check } = slot;
  return openBytes(keys.keyOf(kdf), contextOf(network, kdf), decodeHex(check)) !== null;
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

function contextOf(network: string, kdf: Kdf): Uint8Array {
  return sealContext("folder", VERSION, network, JSON.stringify(kdf));
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
