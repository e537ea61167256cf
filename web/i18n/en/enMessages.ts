/** English message catalogue of signed messages. A part of `en.ts`. */

/** The messages. */
export const enMessages = {
  "messages.title": "Signed messages",
  "messages.text":
    "A signature shows that somebody has the key of an address, without a payment. Here you sign a text, and check what others signed.",
  "messages.open": "Signed messages",
  "messages.back": "Back to the settings",

  "sign.title": "Sign a message",
  "sign.address": "Address",
  "sign.addressOf": "Address {number}: {address}",
  "sign.named": "{name}: {address}",
  "sign.message": "Text",
  "sign.messageHint":
    "Take the asker's words with the day in them: a text without a day can be shown again later.",
  "sign.tooLong": "At most {max} characters.",
  "sign.warningTitle": "A signature gives away the full viewing key",
  "sign.warning":
    "Whoever gets it sees everything that this seed ever receives and spends, for ever: amounts, memos, balance. Nobody can spend with it, and nothing takes it back. To prove an address, use a wallet of its own.",
  "sign.agree":
    "I want to sign, and know that whoever gets the signature sees all payments of this wallet.",
  "sign.submit": "Sign",
  "sign.done": "The message is signed. Give it to nobody else than the asker.",
  "sign.copy": "Copy the signed message",
  "sign.file": "Save as a file",
  "sign.signature": "Signature",
  "sign.another": "Sign another",

  "verify.title": "Check a message",
  "verify.text":
    "Paste the three parts, or a whole signed message into any field. It is checked in this browser, and nobody hears of it.",
  "verify.file": "File of a signed message",
  "verify.fileWrong": "This file holds no signed message.",
  "verify.address": "Address of the signer",
  "verify.message": "Text that was signed",
  "verify.messageHint": "Each character counts, blanks and line breaks too.",
  "verify.signature": "Signature",
  "verify.signatureWrong": "A signature has 320 hexadecimal digits.",
  "verify.submit": "Check",
  "verify.good": "The signature fits",
  "verify.goodText": "Whoever made it has the key of this address, and signed this text.",
  "verify.limits":
    "It does not prove who that is, when it was signed, or that whoever shows it to you made it: a signature can be handed on. Ask for a text of your own.",
  "verify.bad": "This proves nothing",
  "verify.BadFvk": "The first part of the signature is no viewing key.",
  "verify.AddressMismatch": "The signature is of another key than that of the address.",
  "verify.BadKey": "The key in the signature cannot be used.",
  "verify.BadSignature":
    "The signature is not of this text and this address: one of them was changed.",
} as const;
