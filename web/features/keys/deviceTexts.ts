/** Sentences of the unlock with this device. */
import type { PlainKey } from "../../i18n/translate.ts";
import type { PasskeyRefusal } from "../../state/device/passkey.ts";

const SENTENCES: { readonly [R in PasskeyRefusal]: PlainKey } = {
  cancelled: "device.cancelled",
  "no-secret": "device.noSecret",
  mismatch: "device.mismatch",
  unavailable: "device.unavailable",
};

/** Why the device did not open the wallet, and what helps. */
export function unlockRefusal(why: PasskeyRefusal): PlainKey {
  return SENTENCES[why];
}

/** Why the device was not set up. */
export function setUpRefusal(why: PasskeyRefusal): PlainKey {
  return why === "cancelled" ? "device.cancelledSetUp" : SENTENCES[why];
}
