/** English message catalogue of the consolidation of notes; a part of `en.ts`. */

/** The messages. */
export const enMerging = {
  "merge.title": "Many notes",
  "merge.text": {
    one: "Your coins lie in {count} note, and a transaction spends 38 at most.",
    other:
      "Your coins lie in {count} notes, and a transaction spends 38 at most. Merged into few large ones they pay large sums at once, and the fee of merging is paid only once.",
  },
  "merge.look": "See what merging takes",
  "merge.notes": "Merges",
  "merge.notesCount": { one: "{count} note", other: "{count} notes" },
  "merge.takes": "Takes",
  "merge.takesCount": {
    one: "{count} transaction, confirmed once",
    other: "{count} transactions, confirmed once",
  },
  "merge.fee": "Fee",
  "merge.back": "Comes back to you",
  "merge.wait": "Cannot be spent for",
  "merge.now": "To send everything now",
  "merge.after": "To send everything afterwards",
  "merge.payment": {
    one: "{count} transaction, fee {fee}",
    other: "{count} transactions, fee {fee}",
  },
  "merge.shows":
    "Only the fee leaves your wallet. Anybody can read on the chain that somebody spends many notes at once, but not who, nor how much.",
  "merge.none": "There is nothing worth merging at the moment.",
  "merge.cancel": "Not now",
  "merge.confirm": { one: "Merge {count} note", other: "Merge {count} notes" },
  "merge.row": "Consolidation",
  "merge.settings": "Notes",
  "merge.auto": "Merge notes in the background",
  "merge.autoText":
    "While it is open and up to date, and more than {above} notes can be spent, the wallet now and then merges its smallest ones: 38 at most, for {fee} at most, one transaction at a time. You are not asked before each. What was merged can be spent again after some minutes. A payment of yours goes first.",
  "merge.autoPrivacy":
    "Chance draws when the wallet looks. That a transaction leaves all the same tells your node, and everybody who reads the chain, that somebody with many notes has a wallet open. It can pay nobody but you.",
} as const;
