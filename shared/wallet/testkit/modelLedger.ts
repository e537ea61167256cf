/** Stand-in for the core's products of nullifiers in tests of the reducers: a sum, which commutes as they do. */

/** The sum of numbers in hex, 256 bits; empty for none. */
export function modelMultiply(factors: readonly string[]): string {
  if (factors.length === 0) return "";
  const sum = factors.reduce((total, factor) => total + BigInt(`0x${factor || "0"}`), 0n);
  return BigInt.asUintN(256, sum).toString(16).padStart(64, "0");
}
