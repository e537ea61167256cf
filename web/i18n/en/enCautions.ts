/** English message catalogue of warnings before a payment and of passphrase strength; a part of `en.ts`. */

/** The messages. */
export const enCautions = {
  "lookAlike.title": "This address only looks like one that you know",
  "lookAlike.paid":
    "It begins and ends like an address that you paid before, but it is another one. Somebody may have put it in its place. Compare all groups with the one that you paid:",
  "lookAlike.own":
    "It begins and ends like an address of your own, but it is another one. Somebody may have put it in its place. Compare all groups with your own:",
  "lookAlike.contact":
    "It begins and ends like the address of a contact, but it is another one. Somebody may have put it in its place. Compare all groups with the contact's:",
  "request.validity": "Valid for",
  "request.validityHint":
    "The payer is warned when it has ended. Nothing keeps a late payment from reaching you.",
  "request.validityNone": "No end",
  "request.validityHour": "1 hour",
  "request.validityDay": "1 day",
  "request.until": "Until {date}",
  "request.ended": "It ended on {date}. Choose again how long it is valid.",
  "expired.title": "This request has ended",
  "expired.text":
    "The payee wanted to be paid until {date}. Ask for a new one: a late payment may not count, and cannot be taken back.",
  "passphrase.weak": "Easy to guess: it repeats itself, or is a row such as abc or 123.",
  "passphrase.fair": "It will do. One more unrelated word makes it much harder to guess.",
  "passphrase.strong": "Long enough to be strong, if its words have nothing to do with each other.",
} as const;
