/** The store in memory, on which other tests stand, keeps the contract of every store. `tests/e2e/storage/walletStore.test.ts` has the browser's. */
import { expect, it } from "vitest";
import { MemoryStore } from "../testkit/ports.ts";
import { STORE_CASES } from "../testkit/storeContract.ts";

it.each(STORE_CASES)("a store in memory $name", async ({ run }) => {
  const store = new MemoryStore();
  await expect(run(() => store)).resolves.toBeUndefined();
});
