/**
 * Address control: a signed message proves that somebody has the key of an address, without a payment (specification shielded
 * 19). The signature shows the full viewing key, and with it every payment of the key.
 */
import { decodeHex, encodeHex } from "../base/hex.ts";
import type { Secret } from "../base/secret.ts";
import { SvcError } from "../base/svcError.ts";
import { readProfile } from "../chain/profile.ts";
import { callCore } from "../core/callCore.ts";
import type { CoreGlue } from "../core/generated/coreGlue.ts";

/** Why a signature does not show control of an address, in the words that all daemons use. */
export const ADDRESS_REFUSALS = ["BadFvk", "AddressMismatch", "BadKey", "BadSignature"] as const;

/** One of those words. */
export type AddressRefusal = (typeof ADDRESS_REFUSALS)[number];

/** What signs a message. */
export type AddressKey = {
  readonly core: Pick<CoreGlue, "signMessage">;
  /** The network's own profile. */
  readonly profileJson: string;
  readonly seed: Secret;
};

/** Signs a message for a raw address of the seed, at any index: 320 hex digits. Throws `keys/address-mismatch`, `keys/bad-seed`. */
export function signAddressMessage(key: AddressKey, raw: Uint8Array, message: string): string {
  const { core, profileJson, seed } = key;
  const signature = seed.reveal((bytes) =>
    callCore(() => core.signMessage(bytes, profileJson, raw, message)),
  );
  return encodeHex(signature);
}

/** A message, the address in whose name it is, and the signature as 320 hex digits. */
export type SignedMessage = {
  readonly address: string;
  readonly message: string;
  readonly signature: string;
};

/**
 * Says why a signed message does not show control of its address; null when it does. Malformed input is an error instead:
 * `address/*`, `codec/*`.
 */
export function addressRefusal(
  core: Pick<CoreGlue, "decodeAddress" | "verifyMessage">,
  profileJson: string,
  { address, message, signature }: SignedMessage,
): AddressRefusal | null {
  const { hrp } = readProfile(profileJson);
  const raw = callCore(() => core.decodeAddress(hrp, address));
  const blob = decodeHex(signature);
  const reason = callCore(() => core.verifyMessage(profileJson, raw, message, blob));
  if (reason === "") return null;
  const known = ADDRESS_REFUSALS.find((word) => word === reason);
  if (known === undefined) throw new SvcError("internal/unexpected", { message: reason });
  return known;
}
