/** Limits of the device signer: a unit, then what each bounds and what happens beyond it. `LIMITS.md` shows them. */

/** The limits by name; unit, reason and what happens beyond each are in its comment. */
export const SIGNER_LIMITS = {
  /** characters. A prepared payment as text: 38 actions take 500,000 where the bundle comes twice; longer is not read. */
  preparedTextChars: 1_048_576,
  /** bytes. A bundle of 38 actions with its proof and the block of its anchor; longer is not read. */
  preparedBundleBytes: 122_797,
  /** transactions. Parts of one payment that a device signs in a row, where its owner lets it be split; more are refused. */
  paymentPartsMax: 24,
  /** calls. Times that a device hands one session in where no answer comes; then it says that the outcome is unknown. */
  submitTriesMax: 4,
  /** ms. Wait before the second of these calls; each later wait is twice as long. A daemon or a line comes back in these seconds. */
  submitPauseMs: 500,
  /** times. The wallet's fee that a device pays at most unless its owner names a maximum. */
  defaultFeeFactor: 2n,
  /** characters. A signed message as text, with every letter of the longest one escaped; longer is not read. */
  signedMessageTextChars: 32_768,
} as const;
