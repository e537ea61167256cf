/** English message catalogue of the wallet's keys: passphrase, automatic lock, backups. A part of `en.ts`. */

/** The messages. */
export const enKeys = {
  "keys.passphraseText":
    "Another passphrase for this wallet in this browser. Copies of its data from before still open with the old one.",
  "keys.passphraseChange": "Change passphrase",
  "keys.passphraseNow": "Passphrase now",
  "keys.passphraseNew": "New passphrase",
  "keys.passphraseDone": "The passphrase is changed.",
  "keys.close": "Close",
  "keys.lockAfter": "Locks itself without input after",
} as const;
