/** English message catalogue of what warns before a payment and of a passphrase; a part of `en.ts`. */

/** The messages. */
export const enCautions = {
  "lookAlike.title": "This address only looks like one that you know",
  "lookAlike.paid":
    "It begins and ends like an address that you paid before, but it is another one. Somebody may have put it in its place. Compare all groups with the one that you paid:",
  "lookAlike.own":
    "It begins and ends like an address of your own, but it is another one. Somebody may have put it in its place. Compare all groups with your own:",
} as const;
