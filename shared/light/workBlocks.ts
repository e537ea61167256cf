/** Work told in blocks, which a person reads as time of the whole network (specification consensus 4). */

/** Hashes that a block of these compact bits takes on average: 2^256 / (target + 1). 0 for bits without a target. */
export function workOfBits(bits: number): bigint {
  const size = bits >>> 24;
  const mantissa = BigInt(bits & 0x7f_ff_ff);
  const target =
    size <= 3 ? mantissa >> BigInt(8 * (3 - size)) : mantissa << BigInt(8 * (size - 3));
  if (target === 0n || (bits & 0x80_00_00) !== 0) return 0n;
  return 2n ** 256n / (target + 1n);
}

/**
 * The work of a run (hexadecimal) in blocks of its tip's difficulty, or of the unit that is known of the network where that is greater:
 * whoever mined easy blocks shows less time of the network, not as much. Rounded down.
 */
export function blocksOfWork(
  { work, bits }: { readonly work: string; readonly bits: number },
  unit: bigint,
): bigint {
  return blocksOfHashes(BigInt(`0x${work}`), bits, unit);
}

/** Hashes in blocks of these compact bits, or of `unit` hashes where that is greater. Rounded down; 0 where neither asks for work. */
export function blocksOfHashes(hashes: bigint, bits: number, unit: bigint): bigint {
  const own = workOfBits(bits);
  const each = own > unit ? own : unit;
  return each === 0n ? 0n : hashes / each;
}

/** One part in so many of a network's work: the miner by whom pages say what a lucky day makes. */
const MINER_PART = 20n;
const DAY_MS = 86_400_000;

/** What so many blocks' worth of work takes a miner with 5 % of the network. */
export type MinerOdds = {
  /** Milliseconds on average. */
  readonly ms: bigint;
  /** The chance that one day is enough where one solution is all that is needed, from 0 to 1. */
  readonly dayChance: number;
};

/** Of work in blocks of the network's difficulty, at least one; solutions come at random, so that a day's number of them is Poisson's. */
export function minerOdds(blocks: bigint, blockTimeMs: bigint): MinerOdds {
  const ms = (blocks > 0n ? blocks : 1n) * blockTimeMs * MINER_PART;
  return { ms, dayChance: -Math.expm1(-DAY_MS / Number(ms > 0n ? ms : 1n)) };
}
