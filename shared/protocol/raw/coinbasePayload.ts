/** Reads the payload of a coinbase: whom its miner asks to be paid, and what the miner wrote behind that (specification consensus 10). */

/** Blue score, subsidy and state root stand before the script. */
const SCRIPT_VERSION_AT = 48;
const SCRIPT_LENGTH_AT = 50;
const SCRIPT_AT = 51;

/** What the miner of a block says in its coinbase. */
export type CoinbaseMiner = {
  /** Version of the script. */
  readonly scriptVersion: number;
  /** 43 bytes of a shielded address where the network pays to these. */
  readonly script: Uint8Array;
  /** Free bytes. */
  readonly extra: Uint8Array;
};

/** Reads it; null for a payload that is too short, as that of genesis is. Views of the payload. */
export function coinbaseMiner(payload: Uint8Array): CoinbaseMiner | null {
  const length = payload[SCRIPT_LENGTH_AT];
  if (length === undefined || payload.length < SCRIPT_AT + length) return null;
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  return {
    scriptVersion: view.getUint16(SCRIPT_VERSION_AT, true),
    script: payload.subarray(SCRIPT_AT, SCRIPT_AT + length),
    extra: payload.subarray(SCRIPT_AT + length),
  };
}
