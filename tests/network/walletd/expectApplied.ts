/** Check that the chain has applied each answered payment once, and no other. */
import { expect } from "vitest";
import type { InsistentClient } from "./insistentClient.ts";
import type { WalletdScene } from "./walletdScene.ts";

/** Each transaction of the answers is applied once, and no other payment. */
export async function expectApplied(
  of: WalletdScene,
  { answers }: Pick<InsistentClient, "answers">,
): Promise<void> {
  const txids = [...answers.values()].flatMap((answer) => answer.txids);
  expect((await of.applied()).toSorted()).toEqual(txids.toSorted());
}
