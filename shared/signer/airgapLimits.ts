/** Limits of the air gap: a unit, then what each bounds and what happens beyond it. `LIMITS.md` shows them. */

/** The limits by name; unit, reason and what happens beyond each are in its comment. */
export const AIRGAP_LIMITS = {
  /** bytes. A message over the air gap: a payment with as many actions, payees and bytes of memos as fit; longer is refused. */
  airgapMessageBytes: 59_400,
  /** bytes. Part of a message in one frame; what a phone reads from another phone's screen at arm's length. */
  airgapFrameBytes: 200,
  /** frames. Parts a message may be cut into, so that a false count costs no memory or time; more are refused. */
  airgapFramesMax: 1_200,
  /** characters. Text of one frame, the most that a QR code holds; longer is not looked at. */
  airgapFrameChars: 4_296,
  /** characters. Text of a receipt: two a byte of the longest, and its head; longer is refused. */
  airgapReceiptChars: 131_200,
} as const;
