/** Assertion that balances become equal. */
import { expect } from "vitest";

/** Waits until all of these sums are equal: those of two wallets, or the total and the spendable part. */
export async function expectOneSum(sums: () => Promise<readonly string[]>): Promise<void> {
  const count = async () => new Set(await sums()).size;
  await expect.poll(count, { interval: 250 }).toBe(1);
}
