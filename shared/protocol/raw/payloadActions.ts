/** Reads how many actions a payment has from the head of its payload, without its proof (specification shielded 5). */

/** Flags, value balance, anchor, binding signature and its length stand before it; it is big-endian. */
const COUNT_AT = 109;
const COUNT_END = 113;
/** Bytes of an action and of its part of the proof. */
const ACTION_BYTES = 884 + 2_272;

/** The number of actions; 0 for a payload that is too short, or claims more than it has bytes. */
export function payloadActions(payload: Uint8Array): number {
  if (payload.length < COUNT_END) return 0;
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  const count = view.getUint32(COUNT_AT, false);
  return count * ACTION_BYTES <= payload.length ? count : 0;
}
