/** English message catalogue of receipts that the wallet makes, a part of `en.ts`. */

/** The messages. */
export const enReceipt = {
  "receipt.open": "Make a receipt",
  "receipt.title": "Receipt",
  "receipt.text":
    "A receipt shows who was paid how much, and that the payment stands in the chain. Anybody can check it, also without a connection. Whoever has it learns your address and the amount.",
  "receipt.challenge": "For whom (optional)",
  "receipt.challengeHint":
    "A text that somebody gave you, such as “for the tax office, 7 March”. Your wallet signs it.",
  "receipt.textSent":
    "A receipt shows who was paid how much, and that the payment stands in the chain. Anybody can check it, also without a connection. Whoever has it learns the payee’s address and the amount. It does not say who paid.",
  "receipt.challengeSent":
    "A text that somebody gave you, such as “order 7”. The receipt carries it unsigned: only the payee’s wallet can sign a text.",
  "receipt.challengeLong": "This text is too long for a receipt.",
  "receipt.make": "Make the receipt",
  "receipt.made": {
    one: "The receipt is made, and it holds.",
    other: "The payment came in {count} parts. Each has a receipt, and each holds.",
  },
  "receipt.madeSent": {
    one: "The receipt is made, and it holds.",
    other: "The payment went to {count} payees. Each has a receipt, and each holds.",
  },
  "receipt.payee": "{amount} to {address}",
  "receipt.file": "Save the file",
  "receipt.filePart": "Save file {part}",
  "receipt.copy": "Copy as text",
  "receipt.copyPart": "Copy text {part}",
  "receipt.before":
    "The receipt names a block that many wallets name, at or after the one that paid: so this node does not learn which block that was.",
  "receipt.young": {
    one: "This payment is too young. A receipt can be made after one more block.",
    other: "This payment is too young. A receipt can be made after {count} more blocks.",
  },
  "receipt.forgotten":
    "These coins were spent so long ago that this wallet no longer has what a receipt needs. Make a receipt before the coins are spent.",
  "receipt.undisclosed":
    "This wallet does not have what shows the payee. The payment was made from another device, before the wallet was restored from its seed, or with an older version of this page. The payee can make a receipt.",
} as const;
