/** Sums that come to the same. */
import { expect } from "vitest";

/** Waits until all of these sums are one: of two wallets, or what is there and what of it can be spent. */
export async function expectOneSum(sums: () => Promise<readonly string[]>): Promise<void> {
  const count = async () => new Set(await sums()).size;
  await expect.poll(count, { timeout: 60_000, interval: 250 }).toBe(1);
}
