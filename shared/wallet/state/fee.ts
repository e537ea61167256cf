/**
 * Fees: what a payment costs, by its size alone, since there is no fee market (specification shielded 13.2).
 *
 * The wallet plans with an envelope of 128 bytes and the bundle length of before the security
 * fork; the node's minimum is always a little lower, on both sides of the fork (specification shielded 13.2).
 */
import { asSompi, type Sompi } from "../../base/brand.ts";

/** Sompi for each byte: 100,000 per 1,000 units of mass, two units a byte. */
const SOMPI_PER_BYTE = 200n;
/** Bytes that the wallet allows for the transaction around the bundle. */
const PLANNED_ENVELOPE = 128n;
/** Bytes of the transaction around the bundle as the node counts them. */
const EXACT_ENVELOPE = 94n;
/** A bundle is padded to at least this many actions. */
const MIN_ACTIONS = 2;

/** The length in bytes of a bundle of `actions` actions without the fields that forks add. */
export function bundleLength(actions: number): bigint {
  return 2_837n + 3_156n * BigInt(actions);
}

/** The number of actions of a bundle with so many spends and outputs, change included. */
export function actionCount(spends: number, outputs: number): number {
  return Math.max(MIN_ACTIONS, spends, outputs);
}

/** The fee a wallet pays for a bundle of `actions` actions. */
export function walletFee(actions: number): Sompi {
  const length = bundleLength(Math.max(MIN_ACTIONS, actions));
  return asSompi(SOMPI_PER_BYTE * (length + PLANNED_ENVELOPE));
}

/** The least fee a node relays for a payload of `payloadLength` bytes. */
export function nodeMinimumFee(payloadLength: number): Sompi {
  return asSompi(SOMPI_PER_BYTE * (EXACT_ENVELOPE + BigInt(payloadLength)));
}
