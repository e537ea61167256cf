/** kHeavyHash (specification consensus 4): the value of a header, targets, work and levels. */
import { customShake, joined, numbered } from "./domains.ts";

const SIZE = 64;
const MASK = (1n << 64n) - 1n;
const ALL = 1n << 256n;
/** Below it an entry counts as zero while the rank is computed. */
const TINY = 1e-9;

const rotated = (value: bigint, by: bigint): bigint =>
  ((value << by) | (value >> (64n - by))) & MASK;

/** A hash as a number, little endian. */
export function asNumber(bytes: Uint8Array): bigint {
  return bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}

/** Xoshiro256++ over the words of a hash. */
function* words(seed: Uint8Array): Generator<bigint, never> {
  const word = (at: number) => asNumber(seed.slice(8 * at, 8 * at + 8));
  let [s0, s1, s2, s3] = [word(0), word(1), word(2), word(3)];
  for (;;) {
    const result = (rotated((s0 + s3) & MASK, 23n) + s0) & MASK;
    const t = (s1 << 17n) & MASK;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = rotated(s3, 45n);
    yield result;
  }
}

type Matrix = readonly (readonly number[])[];

/** The first matrix of full rank that the generator gives. */
export function matrixOf(seed: Uint8Array): Matrix {
  if (seed.every((byte) => byte === 0)) {
    return Array.from({ length: SIZE }, () => Array.from({ length: SIZE }, () => 0));
  }
  const generator = words(seed);
  for (;;) {
    const matrix = Array.from({ length: SIZE }, () => rowOf(generator));
    if (rankOf(matrix) === SIZE) return matrix;
  }
}

function rowOf(generator: Generator<bigint, never>): number[] {
  return Array.from({ length: SIZE / 16 }, () => {
    const word = generator.next().value;
    return Array.from({ length: 16 }, (_, at) => Number((word >> BigInt(4 * at)) & 15n));
  }).flat();
}

/** The rank over the reals, in double precision and in the order of the rule. */
function rankOf(matrix: Matrix): number {
  const rows = matrix.map((row) => Float64Array.from(row));
  const used = new Set<number>();
  for (let column = 0; column < SIZE; column += 1) {
    const pivot = rows.findIndex((row, at) => !used.has(at) && Math.abs(row[column] ?? 0) > TINY);
    if (pivot < 0) continue;
    used.add(pivot);
    eliminate(rows, pivot, column);
  }
  return used.size;
}

function eliminate(rows: readonly Float64Array[], pivot: number, column: number): void {
  const own = rows[pivot] ?? new Float64Array(SIZE);
  const divisor = own[column] ?? 1;
  for (let at = column + 1; at < SIZE; at += 1) own[at] = (own[at] ?? 0) / divisor;
  for (const [place, row] of rows.entries()) {
    const factor = row[column] ?? 0;
    if (place === pivot || Math.abs(factor) <= TINY) continue;
    for (let at = column + 1; at < SIZE; at += 1) {
      row[at] = (row[at] ?? 0) - (own[at] ?? 0) * factor;
    }
  }
}

/** The value of a header, by its hash without time and nonce. */
export function powValue(pre: Uint8Array, timestamp: bigint, nonce: bigint): bigint {
  const input = joined(pre, numbered(timestamp, 8), new Uint8Array(32), numbered(nonce, 8));
  const inner = customShake("ProofOfWorkHash", input);
  const nibbles = Array.from(inner).flatMap((byte) => [byte >> 4, byte & 15]);
  const sums = matrixOf(pre).map((row) =>
    row.reduce((sum, entry, at) => sum + entry * (nibbles[at] ?? 0), 0),
  );
  const product = inner.map((byte, at) => {
    const [a, b] = [sums[2 * at] ?? 0, sums[2 * at + 1] ?? 0];
    return byte ^ (((a >> 10) << 4) | (b >> 10));
  });
  return asNumber(customShake("HeavyHash", product));
}

/** The target of bits in compact form. */
export function targetOf(bits: number): bigint {
  const [exponent, mantissa] = [bits >>> 24, bits & 0xff_ffff];
  if (exponent > 34) return 0n;
  if (exponent <= 3) {
    const shifted = mantissa >> (8 * (3 - exponent));
    return shifted <= 0x7f_ffff ? BigInt(shifted) : 0n;
  }
  if (mantissa > 0x7f_ffff) return 0n;
  return (BigInt(mantissa) << BigInt(8 * (exponent - 3))) % ALL;
}

/** Hashes that a block of these bits takes on average. */
export function workOf(bits: number): bigint {
  const target = targetOf(bits);
  return (ALL - 1n - target) / (target + 1n) + 1n;
}

/** The block level of a value. */
export function levelOf(value: bigint, maxLevel: number): number {
  const bits = value === 0n ? 0 : value.toString(2).length;
  return Math.max(0, maxLevel - bits);
}

/** Hashes that a header of a level counts for (specification consensus 18.3); none at level 0. */
export function levelWork(level: number, maxLevel: number): bigint {
  if (level === 0) return 0n;
  return 1n << BigInt(Math.min(128, Math.max(0, level + 256 - maxLevel)));
}
