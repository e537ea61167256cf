/** Judgement of a signed message that somebody pasted: bounded, without the blanks around it, by the core alone. */
import { SvcError } from "../../base/svcError.ts";
import { addressRefusal, type AddressRefusal, type SignedMessage } from "../addressControl.ts";
import { fitsMessage } from "./signedMessageText.ts";
import { WALLET_LIMITS } from "../../wallet/walletLimits.ts";

type Core = Parameters<typeof addressRefusal>[0];

/** The message as it is judged: capitals of the signature and blanks around address and signature do not matter; the text is taken as it is. */
export function pastedMessage({ address, message, signature }: SignedMessage): SignedMessage {
  const digits = signature.replaceAll(/\s/g, "").toLowerCase();
  return { address: address.trim(), message, signature: digits };
}

/**
 * Says why a pasted message does not show control of its address; null when it does. Throws `address/*`, `codec/*`, and
 * `codec/count-too-large` for a field that is too long, which nothing looks at.
 */
export function judgeSignedMessage(
  core: Core,
  profileJson: string,
  pasted: SignedMessage,
): AddressRefusal | null {
  for (const text of [pasted.address, pasted.message, pasted.signature]) {
    if (fitsMessage(text)) continue;
    const max = String(WALLET_LIMITS.signedMessageChars);
    throw new SvcError("codec/count-too-large", { count: String(text.length), max });
  }
  return addressRefusal(core, profileJson, pastedMessage(pasted));
}
