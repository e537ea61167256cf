/**
 * Backup file of a wallet: seed, birthday and annotations, sealed under a passphrase (docs/formats.md 10).
 *
 *   file  = JSON {magic, header, sealed, check}
 *   key   = HKDF-SHA256(Argon2id(NFKC(passphrase), salt), info "svc/backup")
 *   plain = seed 32 bytes, then facts and annotations as JSON, filled up with blanks
 * `sealed` is a sealed record as hex, its associated data `backup`, 0, header. `check` is the beginning of a hash over both, so
 * that a damaged file is told from a wrong passphrase; it proves nothing.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import * as v from "valibot";
import { PAGE_LIMITS } from "../pageLimits.ts";
import { backupFactsForm, type BackupFacts } from "../wallet-api/backupFacts.ts";
import {
  backupAnnotationsForm,
  NO_ANNOTATIONS,
  type BackupAnnotations,
} from "../wallet-api/backupAnnotations.ts";
import {
  kdfForm,
  newKdf,
  openWith,
  passphraseKey,
  sealWith,
  STANDARD_COST,
  type Argon2id,
  type KdfCost,
} from "./passphraseKey.ts";
import { parsedJson } from "./parsedJson.ts";

const MAGIC = "svc-browser-wallet";
/** The files of the wallet daemon. */
const DAEMON_MAGIC = "svc-wallet-backup";
const VERSION = 2;
/** Files of this version have no annotations. */
const BARE_VERSION = 1;
const INFO = "svc/backup";
const SEED = 32;
const CHECK_BYTES = 8;
const BLANK = 0x20;

const fileForm = v.strictObject({
  magic: v.literal(MAGIC),
  header: v.string(),
  // Without a capture: one for each byte of a long file is more than the engine has room for.
  sealed: v.pipe(v.string(), v.regex(/^(?:[0-9a-f]{2})+$/)),
  check: v.string(),
});
const headerForm = v.strictObject({
  version: v.picklist([BARE_VERSION, VERSION]),
  /** Digest of the profile, and its name, for the words of an error. */
  network: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  networkName: v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,64}$/)),
  kdf: kdfForm,
});

/** A network by digest and name. */
export type BackupNetwork = { readonly digest: string; readonly name: string };

const contentForm = v.object({ ...backupFactsForm.entries, annotations: backupAnnotationsForm });

/** Contents of a backup. */
export type BackupContents = {
  readonly seed: Secret;
  readonly facts: BackupFacts;
  readonly annotations: BackupAnnotations;
};

/** Seals contents under a passphrase. Gives the bytes of the file. Throws `wallet/bad-backup` for one that nobody would read again. */
export function sealBackup(
  { seed, facts, annotations }: BackupContents,
  { network, passphrase }: { readonly network: BackupNetwork; readonly passphrase: Secret },
  argon2id: Argon2id,
  cost: KdfCost = STANDARD_COST,
): Uint8Array<ArrayBuffer> {
  const kdf = newKdf(cost);
  const header = JSON.stringify({
    version: VERSION,
    network: network.digest,
    networkName: network.name,
    kdf,
  });
  using key = passphraseKey(kdf, passphrase, argon2id, INFO);
  const text = filledUp(utf8(JSON.stringify({ ...facts, annotations })));
  using plain = new Secret(seed.reveal((bytes) => concatBytes(bytes, text)));
  const sealed = encodeHex(sealWith(key, contextOf(header), plain));
  const file = { magic: MAGIC, header, sealed, check: checkOf(header, sealed) };
  const bytes = utf8(`${JSON.stringify(file, null, 1)}\n`);
  if (bytes.length > PAGE_LIMITS.backupFileBytes) throw bad("it is too large");
  return bytes;
}

/**
 * Opens a backup for the network of the wallet to be. Throws `wallet/bad-backup` for what is no such file, is damaged or of
 * another network, before any work, and `wallet/wrong-passphrase`. The caller erases the seed.
 */
export function openBackup(
  bytes: Uint8Array,
  { network, passphrase }: { readonly network: string; readonly passphrase: Secret },
  argon2id: Argon2id,
): BackupContents {
  const { version, header, kdf, sealed, ...found } = readFile(bytes);
  if (found.network !== network) throw bad(`it is of another network, ${found.networkName}`);
  using key = passphraseKey(kdf, passphrase, argon2id, INFO);
  const opened = openWith(key, contextOf(header), decodeHex(sealed));
  if (opened === null) throw new SvcError("wallet/wrong-passphrase", {});
  using plain = opened;
  return plain.reveal((content) => {
    const json = parsedJson(new TextDecoder().decode(content.subarray(SEED)));
    const { facts, annotations } = readContent(version, json);
    return { seed: new Secret(content.slice(0, SEED)), facts, annotations };
  });
}

function readContent(version: number, json: unknown): Omit<BackupContents, "seed"> {
  const form = version === BARE_VERSION ? backupFactsForm : contentForm;
  const read = v.safeParse(form, json);
  if (!read.success) throw bad("what it holds cannot be read");
  const { birthday, birthdayGuessed } = read.output;
  const annotations = "annotations" in read.output ? read.output.annotations : NO_ANNOTATIONS;
  return { facts: { birthday, birthdayGuessed }, annotations };
}

/** JSON with blanks behind it up to a whole step: the length of a file tells little of what its owner wrote. */
function filledUp(text: Uint8Array): Uint8Array {
  const step = PAGE_LIMITS.backupStepBytes;
  const filled = new Uint8Array(Math.ceil(text.length / step) * step).fill(BLANK);
  filled.set(text);
  return filled;
}

function readFile(bytes: Uint8Array) {
  if (bytes.length > PAGE_LIMITS.backupFileBytes) throw bad("it is too large");
  const json = parsedJson(new TextDecoder().decode(bytes));
  const magic: unknown = Reflect.get(Object(json), "magic");
  if (magic === DAEMON_MAGIC) throw bad("it is one of the wallet daemon, svc walletd");
  if (magic !== MAGIC) throw bad("it is no backup of this wallet");
  const file = v.safeParse(fileForm, json);
  if (!file.success || file.output.check !== checkOf(file.output.header, file.output.sealed)) {
    throw bad("it is damaged");
  }
  const parsed = parsedJson(file.output.header);
  const version: unknown = Reflect.get(Object(parsed), "version");
  if (version !== VERSION && version !== BARE_VERSION) throw bad("a newer program wrote it");
  const header = v.safeParse(headerForm, parsed);
  if (!header.success) throw bad(`its header cannot be read`);
  return { ...header.output, header: file.output.header, sealed: file.output.sealed };
}

function checkOf(header: string, sealed: string): string {
  return encodeHex(sha256(concatBytes(utf8(header), utf8(sealed))).subarray(0, CHECK_BYTES));
}

function contextOf(header: string): Uint8Array {
  return concatBytes(utf8("backup"), Uint8Array.of(0), utf8(header));
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function bad(reason: string): SvcError {
  return new SvcError("wallet/bad-backup", { reason });
}
