/** A mempool entry, and the order by fee rate in which entries are preferred. */
import type {
  BlockHash,
  BlueScore,
  DaaScore,
  Nullifier,
  Sompi,
  TxId,
} from "@svc/shared/base/brand.ts";

/** An unconfirmed transaction in the pool. */
export type PoolEntry = {
  readonly txid: TxId;
  /** RawTransaction. */
  readonly raw: Uint8Array;
  /** Form of the bundle in which its proof was judged. */
  readonly format: number;
  readonly fee: Sompi;
  /** Grams of compute mass. */
  readonly computeMass: bigint;
  /** Grams of transient mass, 4 × size. */
  readonly transientMass: bigint;
  /** Serialized size in bytes, as fees are counted. */
  readonly size: number;
  readonly nullifiers: readonly Nullifier[];
  readonly anchorBlock: BlockHash | null;
  readonly anchorBlueScore: BlueScore | null;
  /** DAA score of virtual when it came in. */
  readonly addedAtDaa: DaaScore;
  /** Order of arrival. */
  readonly sequence: number;
};

/** A block's limits of both kinds of mass; they give the exchange rate between them. */
export type MassLimits = { readonly compute: bigint; readonly transient: bigint };

/**
 * The larger of both masses on the compute scale, in grams: max(compute, ⌈transient · Lc / Lt⌉)
 * (specification shielded 13.1).
 */
export function normalizedMass(
  entry: Pick<PoolEntry, "computeMass" | "transientMass">,
  limits: MassLimits,
): bigint {
  const scaled = (entry.transientMass * limits.compute + limits.transient - 1n) / limits.transient;
  return entry.computeMass > scaled ? entry.computeMass : scaled;
}

/** Compares two entries; negative when `a` is preferred: higher fee per normalized gram, then earlier arrival. Exact. */
export function compareEntries(a: PoolEntry, b: PoolEntry, limits: MassLimits): number {
  const left = a.fee * normalizedMass(b, limits);
  const right = b.fee * normalizedMass(a, limits);
  if (left !== right) return left > right ? -1 : 1;
  return a.sequence - b.sequence;
}
