/** Signing of a text in the name of an own address, with the seed of an open vault. */
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { readProfile } from "@svc/shared/chain/profile.ts";
import { signAddressMessage, type SignedMessage } from "@svc/shared/signer/addressControl.ts";
import { fitsMessage } from "@svc/shared/signer/messages/signedMessageText.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import type { MessageRequest } from "../wallet-api/keyringApi.ts";
import type { OpenVault } from "./vault.ts";

/** The core, as far as a message needs it. */
export type MessageCore = Pick<
  CoreGlue,
  "addressAt" | "encodeAddress" | "fullViewingKey" | "profileDigest" | "signMessage"
>;

/**
 * Signs for the network of the vault alone: a signature for another one would disclose the key there, too. Throws
 * `codec/count-too-large` and `store/profile-mismatch`.
 */
export function signOwnMessage(
  core: MessageCore,
  { seed, network }: Pick<OpenVault, "seed" | "network">,
  { profileJson, index, message }: Omit<MessageRequest, "passphrase">,
): SignedMessage {
  if (!fitsMessage(message)) {
    const max = String(WALLET_LIMITS.signedMessageChars);
    throw new SvcError("codec/count-too-large", { count: String(message.length), max });
  }
  const found = callCore(() => core.profileDigest(profileJson));
  if (found !== network) {
    throw new SvcError("store/profile-mismatch", { expected: network, found });
  }
  const key = seed.reveal((bytes) => callCore(() => core.fullViewingKey(bytes)));
  const raw = callCore(() => core.addressAt(key, index));
  key.fill(0);
  const { hrp } = readProfile(profileJson);
  const address = callCore(() => core.encodeAddress(hrp, raw));
  return {
    address,
    message,
    signature: signAddressMessage({ core, profileJson, seed }, raw, message),
  };
}
