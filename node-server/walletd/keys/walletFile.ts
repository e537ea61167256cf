/**
 * Wallet file, version 1: what stands in clear about a wallet, and its key, sealed under the wallet secret or plain.
 *
 * The clear part is authenticated as it stands: changing its birthday, or the cost of its key derivation, keeps the file shut.
 * Content: length u32 and key (seed 32, or full viewing key 96) ‖ length u32 and data key (32, or nothing) ‖ count u32 and
 * addresses handed out, u32 each. Sealed: nonce 24 ‖ ciphertext ‖ tag 16. Plain: content ‖ CRC-32C over clear part and content.
 */
import * as v from "valibot";
import { asDaaScore, type DaaScore } from "@svc/shared/base/brand.ts";
import { ByteReader, ByteWriter, concatBytes } from "@svc/shared/base/bytes.ts";
import { crc32c } from "@svc/shared/base/crc32c.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { kdfForm, type Kdf } from "./derivedKeys.ts";
import { openBytes, sealBytes, sealContext } from "./sealedBytes.ts";
import type { WalletToken } from "./walletToken.ts";

const MAGIC = "svc-wallet-file";
const VERSION = 1;
const KEY_BYTES = { seed: 32, watch: 96 } as const;
const DATA_KEY_BYTES = 32;
const CRC_BYTES = 4;

/** What a wallet holds: a seed, or a full viewing key alone. */
export type WalletKind = "seed" | "watch";

/** What stands in clear about a wallet. */
export type WalletFacts = {
  /** 16 random bytes of this file as hex: a scan names the wallet that it belongs to by them. */
  readonly id: string;
  readonly network: string;
  readonly kind: WalletKind;
  /** Where its scan begins. */
  readonly birthday: DaaScore;
  /** The day from which it may have received, in days since 1970; null when only the score is known. */
  readonly bornOn: number | null;
  /** Whether payments carry an outgoing viewing key, so that the wallet can read them again. */
  readonly recoverableHistory: boolean;
  /** Unix seconds; null in a file of the reference. */
  readonly createdUnix: number | null;
};

/** A wallet file that was read and not opened. */
export type ParsedWallet = {
  /** `reference`: the form of the reference implementation, see `referenceFile.ts`. */
  readonly form: "own" | "reference";
  readonly facts: WalletFacts;
  /** Parameters of the key that it is sealed under; null for a plain one. */
  readonly sealing: Kdf | null;
  readonly content: Uint8Array<ArrayBuffer>;
};

/** The private part of a wallet. */
export type WalletContent = {
  /** The seed, 32 bytes, or the full viewing key, 96. */
  readonly key: Secret;
  /** The key under which the wallet's `.scan` is sealed; null in plaintext. */
  readonly dataKey: Secret | null;
  /** Indices of the addresses that were handed out beside the first one, ascending. */
  readonly addresses: readonly number[];
};

const birthdayForm = v.pipe(
  v.string(),
  v.regex(/^(0|[1-9][0-9]{0,15})$/),
  v.check((text) => Number.isSafeInteger(Number(text))),
  v.transform((text) => asDaaScore(BigInt(text))),
);

const fileForm = v.strictObject({
  magic: v.literal(MAGIC),
  version: v.literal(VERSION),
  id: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
  network: v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,32}$/)),
  kind: v.picklist(["seed", "watch"]),
  birthday: birthdayForm,
  bornOn: v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  recoverableHistory: v.boolean(),
  createdUnix: v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  sealing: v.nullable(kdfForm),
  content: v.pipe(v.string(), v.regex(/^(?:[0-9a-f]{2})*$/)),
});

const markForm = v.object({ magic: v.literal(MAGIC), version: v.number() });

/** Whether parsed JSON claims to be a wallet file of our own, of whatever version. */
export function isOwnWallet(json: unknown): boolean {
  return v.is(markForm, json);
}

/**
 * Reads parsed JSON; `text` is what it was parsed from. Throws `wallet/file-damaged`, `wallet/file-version`.
 * Only the one text that this program writes is read: a file in which any byte was changed is refused.
 */
export function readOwnWallet(json: unknown, text: string, file: string): ParsedWallet {
  const mark = v.safeParse(markForm, json);
  if (mark.success && mark.output.version > VERSION) {
    throw new SvcError("wallet/file-version", {
      file,
      expected: VERSION,
      found: mark.output.version,
    });
  }
  const read = v.safeParse(fileForm, json);
  if (!read.success) {
    throw damaged(file, `field ${v.getDotPath(read.issues[0]) ?? "unknown"} is not as written`);
  }
  const { sealing, content, magic: _magic, version: _version, ...facts } = read.output;
  if (writeText(facts, sealing, content) !== text) throw damaged(file, "its text was changed");
  return { form: "own", facts, sealing, content: decodeHex(content) };
}

/** Opens the content of a file of our own; null when the key is another or the file was changed. Throws `wallet/file-damaged`. */
export function openOwnWallet(
  parsed: ParsedWallet,
  token: WalletToken,
  file: string,
  key: Secret | null,
): WalletContent | null {
  const context = contextOf(token, parsed.facts, parsed.sealing);
  if (key === null) return readContent(checkedPlain(parsed.content, context, file), parsed, file);
  const plain = openBytes(key, context, parsed.content);
  if (plain === null) return null;
  try {
    return readContent(plain, parsed, file);
  } finally {
    plain.fill(0);
  }
}

/** The text of a file, sealed when there is a key. Throws `codec/count-too-large` for too many addresses. */
export function writeOwnWallet(
  wallet: { readonly facts: WalletFacts; readonly content: WalletContent },
  token: WalletToken,
  sealing: { readonly kdf: Kdf; readonly key: Secret } | null,
): string {
  const { facts } = wallet;
  const context = contextOf(token, facts, sealing?.kdf ?? null);
  const plain = writeContent(wallet.content);
  try {
    const content =
      sealing === null ? withCrc(context, plain) : sealBytes(sealing.key, context, plain);
    return writeText(facts, sealing?.kdf ?? null, encodeHex(content));
  } finally {
    plain.fill(0);
  }
}

function writeText(facts: WalletFacts, sealing: Kdf | null, content: string): string {
  return `${JSON.stringify({ ...clearPart(facts, sealing), content }, null, 2)}\n`;
}

/** The clear part with its fields in their one order. */
function clearPart(facts: WalletFacts, sealing: Kdf | null): object {
  return {
    magic: MAGIC,
    version: VERSION,
    id: facts.id,
    network: facts.network,
    kind: facts.kind,
    birthday: facts.birthday.toString(),
    bornOn: facts.bornOn,
    recoverableHistory: facts.recoverableHistory,
    createdUnix: facts.createdUnix,
    sealing: sealing === null ? null : orderedKdf(sealing),
  };
}

function orderedKdf({ algorithm, memoryKib, passes, salt }: Kdf): Kdf {
  return { algorithm, memoryKib, passes, salt };
}

/** Token, network, kind of the wallet and version of the file, and all else that stands in clear. */
function contextOf(token: WalletToken, facts: WalletFacts, sealing: Kdf | null): Uint8Array {
  return sealContext("wallet", VERSION, token, JSON.stringify(clearPart(facts, sealing)));
}

function writeContent({ key, dataKey, addresses }: WalletContent): Uint8Array<ArrayBuffer> {
  const most = WALLETD_LIMITS.walletFileAddresses;
  if (addresses.length > most) {
    throw new SvcError("codec/count-too-large", { count: addresses.length, max: most });
  }
  // Large enough from the beginning: a writer that grows would leave a copy of the key behind.
  const length = 3 * 4 + KEY_BYTES.watch + DATA_KEY_BYTES + addresses.length * 4;
  const writer = new ByteWriter(length);
  key.reveal((bytes) => writer.block(bytes));
  if (dataKey === null) writer.u32(0);
  else dataKey.reveal((bytes) => writer.block(bytes));
  writer.u32(addresses.length);
  for (const index of addresses) writer.u32(index);
  return writer.toBytes();
}

function readContent(plain: Uint8Array, { facts }: ParsedWallet, file: string): WalletContent {
  try {
    const reader = new ByteReader(plain);
    const key = reader.block();
    const dataKey = reader.block();
    const count = reader.checkCount(reader.u32(), WALLETD_LIMITS.walletFileAddresses, 4);
    const addresses = Array.from({ length: count }, () => reader.u32());
    reader.finish();
    const fits = key.length === KEY_BYTES[facts.kind];
    if (!fits || ![0, DATA_KEY_BYTES].includes(dataKey.length)) throw damaged(file, "its keys");
    return {
      key: new Secret(key.slice()),
      dataKey: dataKey.length === 0 ? null : new Secret(dataKey.slice()),
      addresses,
    };
  } catch (error) {
    if (SvcError.is(error, "wallet/file-damaged")) throw error;
    throw damaged(file, "its content does not decode");
  }
}

function withCrc(context: Uint8Array, plain: Uint8Array): Uint8Array<ArrayBuffer> {
  const crc = crc32c(plain, crc32c(context));
  return concatBytes(plain, new ByteWriter(CRC_BYTES).u32(crc).toBytes());
}

function checkedPlain(content: Uint8Array, context: Uint8Array, file: string): Uint8Array {
  const plain = content.subarray(0, Math.max(0, content.length - CRC_BYTES));
  const expected = withCrc(context, plain);
  if (encodeHex(expected) !== encodeHex(content)) throw damaged(file, "its checksum differs");
  return plain;
}

function damaged(file: string, reason: string): SvcError {
  return new SvcError("wallet/file-damaged", { file, reason });
}
