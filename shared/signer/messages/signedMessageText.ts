/** Text form of a signed message: the JSON that the wallet daemon answers and checks, `{address, message, signature}`. */
import * as v from "valibot";
import type { SignedMessage } from "../addressControl.ts";
import { SIGNER_LIMITS } from "../signerLimits.ts";
import { WALLET_LIMITS } from "../../wallet/walletLimits.ts";

const form = v.object({ address: v.string(), message: v.string(), signature: v.string() });

/** The text, of one line for each field. */
export function signedMessageText({ address, message, signature }: SignedMessage): string {
  return `${JSON.stringify({ address, message, signature }, null, 2)}\n`;
}

/**
 * Reads such a text; null for any other text and for a longer one. Other fields, such as the daemon's note, are left out. Nothing is
 * judged: `addressRefusal` does that.
 */
export function readSignedMessage(text: string): SignedMessage | null {
  if (text.length > SIGNER_LIMITS.signedMessageTextChars) return null;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  const read = v.safeParse(form, json);
  return read.success ? read.output : null;
}

/** Whether a text is short enough to be signed and checked. */
export function fitsMessage(text: string): boolean {
  return text.length <= WALLET_LIMITS.signedMessageChars;
}
