/** Selects mempool transactions for a block template, greedy by fee rate. */
import type { TxId } from "@svc/shared/base/brand.ts";
import type { MassLimits, PoolEntry } from "./poolEntry.ts";

/**
 * Takes entries in the given order while both masses fit, skipping those in `skipped` and those that do not
 * fit any more. `byRate` is best first, so this is greedy by fee rate.
 */
export function selectForTemplate(
  byRate: Iterable<PoolEntry>,
  limits: MassLimits,
  skipped: Pick<ReadonlySet<TxId>, "has">,
): PoolEntry[] {
  const chosen: PoolEntry[] = [];
  let { compute, transient } = limits;
  for (const entry of byRate) {
    if (skipped.has(entry.txid)) continue;
    if (entry.computeMass > compute || entry.transientMass > transient) continue;
    compute -= entry.computeMass;
    transient -= entry.transientMass;
    chosen.push(entry);
    // Nothing smaller than this exists: an envelope alone weighs more.
    if (compute < SMALLEST_COMPUTE || transient < SMALLEST_TRANSIENT) break;
  }
  return chosen;
}

/** Grams of compute mass of a transaction without payload: 94 bytes (specification shielded 13.1). */
const SMALLEST_COMPUTE = 94n;
const SMALLEST_TRANSIENT = 4n * SMALLEST_COMPUTE;
