/**
 * Backup of a seed under a passphrase of its own, in the reference's form: JSON `{magic, version: 1, network, birthday,
 * encrypted_seed_hex, created_unix}`, the seed as the blob of `referenceFile.ts`. Programs of the reference read it too.
 */
import * as v from "valibot";
import { asDaaScore } from "@svc/shared/base/brand.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { DerivedKeys } from "./derivedKeys.ts";
import { blobKdf, openBlob, sealBlob } from "./referenceFile.ts";
import type { ViewingKeys } from "./viewingKeys.ts";
import type { WalletFolder } from "./walletFolder.ts";
import type { WalletToken } from "./walletToken.ts";

const MAGIC = "svc-wallet-backup";
const VERSION = 1;

const markForm = v.object({ magic: v.literal(MAGIC), version: v.number() });
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const backupForm = v.object({
  magic: v.literal(MAGIC),
  version: v.literal(VERSION),
  network: v.string(),
  birthday: count,
  encrypted_seed_hex: v.pipe(v.string(), v.regex(/^[0-9a-f]{176}$/)),
  created_unix: count,
});

/** What a backup is made or restored with. */
export type BackupParts = {
  readonly folder: WalletFolder;
  readonly core: Pick<CoreGlue, "argon2id">;
  /** Unix seconds. */
  readonly nowUnix: () => number;
};

/** What a backup is restored with. */
export type RestoreParts = BackupParts & {
  /** Hears of the seed before a token without a wallet has one of it. Nothing is restored when it throws. */
  readonly own: (seed: Secret) => void;
};

/**
 * The backup of a wallet. The passphrase stays with the caller. Rejects with `wallet/weak-passphrase`, `wallet/watch-only`,
 * `wallet/no-wallet`, and like `WalletFolder.openSeed`.
 */
export async function exportBackup(
  { folder, core, nowUnix }: BackupParts,
  token: WalletToken,
  passphrase: Secret,
): Promise<string> {
  requireLong(passphrase);
  using seed = await folder.openSeed(token);
  using keys = new DerivedKeys(core, copyOf(passphrase));
  const facts = await folder.facts(token);
  if (facts === null) throw new SvcError("wallet/no-wallet", {});
  const backup = {
    magic: MAGIC,
    version: VERSION,
    network: facts.network,
    birthday: Number(facts.birthday),
    encrypted_seed_hex: encodeHex(sealBlob(seed, (kdf) => keys.keyOf(kdf))),
    created_unix: nowUnix(),
  };
  return `${JSON.stringify(backup, null, 2)}\n`;
}

/**
 * Makes a wallet of a backup; it scans anew from its birthday. The passphrase stays with the caller. Rejects with
 * `wallet/bad-backup`, `wallet/wrong-passphrase`, `wallet/file-network`, with `wallet/exists` whatever wallet there is, and as `own` throws.
 */
export async function restoreBackup(
  { folder, core, own }: RestoreParts,
  token: WalletToken,
  text: string,
  passphrase: Secret,
): Promise<ViewingKeys> {
  const backup = readBackup(text);
  const { network: expected } = folder;
  if (backup.network !== expected) {
    const found = backup.network.slice(0, 32);
    throw new SvcError("wallet/file-network", { file: "the backup", expected, found });
  }
  const blob = decodeHex(backup.encrypted_seed_hex);
  using keys = new DerivedKeys(core, copyOf(passphrase));
  const opened = openBlob(blob, keys.keyOf(blobKdf(blob)));
  if (opened === null) throw new SvcError("wallet/wrong-passphrase", {});
  using seed = opened;
  if ((await folder.facts(token)) === null) {
    // What lies beside a token without a wallet is of one which somebody removed by hand, maybe of another key.
    await folder.retireScan(token);
    own(seed);
  }
  const birthday = asDaaScore(BigInt(backup.birthday));
  return await folder.importSeed(token, seed, { birthday });
}

function readBackup(text: string): v.InferOutput<typeof backupForm> {
  if (text.length > WALLETD_LIMITS.backupChars) throw bad("it is too long");
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw bad("it is no JSON");
  }
  const mark = v.safeParse(markForm, json);
  if (!mark.success) throw bad("it is no backup of a wallet");
  if (mark.output.version !== VERSION) throw bad("its version is not known");
  const read = v.safeParse(backupForm, json);
  if (!read.success) throw bad(`field ${v.getDotPath(read.issues[0]) ?? "unknown"}`);
  return read.output;
}

/** Characters as people count them, in whatever language. */
function requireLong(passphrase: Secret): void {
  const min = WALLETD_LIMITS.backupPassphraseChars;
  const length = passphrase.reveal((bytes) => Array.from(new TextDecoder().decode(bytes)).length);
  if (length < min) throw new SvcError("wallet/weak-passphrase", { min });
}

function copyOf(secret: Secret): Secret {
  return new Secret(secret.reveal((bytes) => bytes.slice()));
}

function bad(reason: string): SvcError {
  return new SvcError("wallet/bad-backup", { reason });
}
