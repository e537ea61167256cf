/**
 * The vault's second slot: the data-encryption key sealed for a passkey of the device (specification wallet 4.8).
 *
 *   slot key = HKDF-SHA256(PRF output, salt of the slot, info "svc/slot/device"), 32 bytes
 * Its associated data are the vault's identity (id, network, what it holds) and the slot's own header. A slot of another vault,
 * with another salt or for another passkey does not open. The vault's header is not among them: another passphrase changes it, and
 * no passkey is there to seal the slot anew. What opens the seed authenticates that header.
 */
import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import * as v from "valibot";
import { PAGE_LIMITS } from "../pageLimits.ts";
import type { DeviceAnswer, DeviceQuestion, DeviceSlot } from "../wallet-api/deviceSlot.ts";
import { openWith, sealWith } from "./passphraseKey.ts";
import { parsedJson } from "./parsedJson.ts";

const VERSION = 1;
const INFO = "svc/slot/device";
const SALT = 32;
/** Bytes of a secret: the PRF output is an HMAC-SHA256. */
const SECRET = 32;

const slotForm = v.object({ header: v.string(), sealed: v.instance(Uint8Array) });
const versionForm = v.object({ version: v.number() });
const saltForm = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const headerForm = v.strictObject({
  version: v.literal(VERSION),
  /** The passkey's id. */
  credential: v.pipe(
    v.string(),
    v.regex(/^([0-9a-f]{2})+$/),
    v.maxLength(2 * PAGE_LIMITS.deviceCredentialBytes),
  ),
  /** What the authenticator makes its secret of. */
  prfSalt: saltForm,
  kdf: v.strictObject({ algorithm: v.literal("hkdf-sha256"), salt: saltForm }),
});

/** What of a vault never changes: it is the same under every passphrase. */
export type VaultIdentity = {
  readonly id: string;
  readonly network: string;
  readonly holds: string;
};

/**
 * Seals the DEK for a device. The caller erases the secret. Throws `internal/unexpected` for a secret that is none of a passkey.
 */
export function sealDeviceSlot(
  vault: VaultIdentity,
  { credential, prfSalt, secret }: Omit<DeviceAnswer, "secret"> & { readonly secret: Secret },
  dek: Secret,
): DeviceSlot {
  const length = secret.reveal((bytes) => bytes.length);
  if (length !== SECRET) {
    throw new SvcError("internal/unexpected", { message: `a device's secret of ${length} bytes` });
  }
  const salt = encodeHex(crypto.getRandomValues(new Uint8Array(SALT)));
  const header = JSON.stringify({
    version: VERSION,
    credential: encodeHex(credential),
    prfSalt: encodeHex(prfSalt),
    kdf: { algorithm: "hkdf-sha256", salt },
  });
  using key = slotKey(secret, salt);
  return { header, sealed: sealWith(key, contextOf(vault, header), dek) };
}

/**
 * Opens a slot: null when the secret, the vault or a byte is another. The caller erases the secret and the DEK. Throws
 * `store/version` and `store/corrupt` for a slot that cannot be read.
 */
export function openDeviceSlot(
  vault: VaultIdentity,
  slot: DeviceSlot,
  secret: Secret,
): Secret | null {
  const { header, sealed, kdf } = readSlot(slot);
  using key = slotKey(secret, kdf.salt);
  return openWith(key, contextOf(vault, header), sealed);
}

/** What the authenticator is to be asked for a slot. Throws `store/version` and `store/corrupt`. */
export function deviceQuestion(slot: DeviceSlot): DeviceQuestion {
  const { credential, prfSalt } = readSlot(slot);
  return {
    credential: new Uint8Array(decodeHex(credential)),
    prfSalt: new Uint8Array(decodeHex(prfSalt)),
  };
}

/** The slot is stored beside the vault, where anybody who can write to the store may have put anything. */
function readSlot(slot: unknown) {
  const whole = v.safeParse(slotForm, slot);
  if (!whole.success) throw corrupt("it is no slot");
  const json = parsedJson(whole.output.header);
  const named = v.safeParse(versionForm, json);
  if (!named.success) throw corrupt("version");
  const { version } = named.output;
  if (version !== VERSION) {
    throw new SvcError("store/version", { expected: VERSION, found: version });
  }
  const header = v.safeParse(headerForm, json);
  if (!header.success) throw corrupt(v.getDotPath(header.issues[0]) ?? "header");
  return { ...header.output, ...whole.output };
}

function slotKey(secret: Secret, salt: string): Secret {
  const info = new TextEncoder().encode(INFO);
  return secret.reveal((bytes) => new Secret(hkdf(sha256, bytes, decodeHex(salt), info, 32)));
}

/** No JSON text holds a zero byte, so the parts cannot run into each other. */
function contextOf({ id, network, holds }: VaultIdentity, header: string): Uint8Array {
  const [text, zero] = [new TextEncoder(), Uint8Array.of(0)];
  const vault = text.encode(JSON.stringify({ id, network, holds }));
  return concatBytes(text.encode("device"), zero, vault, zero, text.encode(header));
}

function corrupt(reason: string): SvcError {
  return new SvcError("store/corrupt", { table: "vault", reason: `slot of the device: ${reason}` });
}
