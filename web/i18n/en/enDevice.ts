/** English message catalogue of the unlock with this device, a part of `en.ts`. */

/** The messages. */
export const enDevice = {
  "device.text":
    "This device can open the wallet, too, with its fingerprint, face or PIN. The passphrase stays.",
  "device.textSet":
    "This device opens the wallet with its fingerprint, face or PIN. The passphrase opens it, too.",
  "device.add": "Set up this device",
  "device.remove": "Remove this device",
  "device.removed":
    "This device no longer opens the wallet. Copies of its data from before still open with the passkey: delete it among the passkeys of this device.",
  "device.title": "Unlock with this device",
  "device.askText":
    "First the passphrase; then the device asks for your fingerprint, face or PIN and makes a passkey. Whoever can unlock this device can then open the wallet and pay. A passkey that your browser or system synchronises is kept by its maker, too.",
  "device.askSubmit": "Ask this device",
  "device.done":
    "This device opens the wallet from now on. Keep the passphrase: it is needed for backups and for changes, and where the passkey gets lost.",
  "device.unlock": "Unlock with this device",
  "device.waiting": "Waiting for this device…",
  "device.passkeyName": "Wallet on {network}",
  "device.cancelled":
    "The device did not open the wallet: it was cancelled, or its passkey is not there any more. The passphrase opens it.",
  "device.cancelledSetUp": "No passkey was made: it was cancelled. Nothing has changed.",
  "device.noSecret":
    "The passkeys of this device cannot hold a key for the wallet. Only the passphrase opens it. If one was just made, you can delete it among the passkeys of this device.",
  "device.mismatch":
    "The passkey of this device does not open the wallet. Use the passphrase; then remove this device in the settings and set it up again.",
  "device.unavailable":
    "The browser does not let this page use passkeys of this device. The passphrase opens the wallet.",
} as const;
