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
 * The work of a run (hexadecimal) in blocks of its tip's difficulty, or of the floor's where that is greater: whoever mined easy blocks
 * shows less time of the network, not as much. Rounded down.
 */
export function blocksOfWork(
  { work, bits }: { readonly work: string; readonly bits: number },
  floorBits: number | null,
): bigint {
  const each = harderWork(bits, floorBits);
  return each === 0n ? 0n : BigInt(`0x${work}`) / each;
}

/** Hashes of a block by the harder of two bits; 0 where neither is known. */
export function harderWork(bits: number | null, others: number | null): bigint {
  const one = bits === null ? 0n : workOfBits(bits);
  const other = others === null ? 0n : workOfBits(others);
  return one > other ? one : other;
}
