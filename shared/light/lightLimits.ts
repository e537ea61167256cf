/** Limits of evidence and receipts: a unit, then what each bounds and what happens beyond it. `LIMITS.md` shows them. */

/** The limits by name; unit, reason and what happens beyond each are in its comment. */
export const LIGHT_LIMITS = {
  /** halvings. How far the work of a block may fall below what is known of the network: a crash of its work, and no more. */
  workHalvings: 3,
  /** ms. One more of them for each such time since it was known, by the own clock. */
  workHalvingMs: 604_800_000n,
  /** checkpoints. That whoever runs a program gives it, one for each network that he uses; more are refused at the start. */
  givenCheckpoints: 16,
  /** blocks. Between a payment and the header that its receipt stands on, and above that, where there are as many: no branch is so long by chance. */
  receiptSureBlocks: 100n,
  /** blocks. Between the tip and the lowest header that a receipt is made at: nearly as many as one run shows, two hours at a block a second. */
  receiptHeaderBlocks: 7_000n,
  /** bytes. Text that a receipt is made for, as UTF-8; the core refuses a longer one. */
  receiptChallengeBytes: 256,
  /** blocks. Of work above the state that anchors a receipt: some ten minutes of a network of one block a second. */
  receiptTipBlocks: 500n,
  /** characters. Of one datum of the fault that a scanner tells of its node; longer ones are cut. */
  nodeFaultChars: 128,
  /** data. Of such a fault; further ones are left out. */
  nodeFaultFields: 8,
} as const;
