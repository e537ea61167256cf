/** A wallet daemon killed at each commit of a payment: a step is there as a whole, or nothing of it is. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { inTemporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { MemoryKv } from "@svc/node-server/storage/memoryKv.ts";
import { openStore } from "@svc/node-server/storage/openStore.ts";
import { WalletStore } from "@svc/node-server/walletd/store/walletStore.ts";
import { WALLET_STORE_LAYOUT } from "@svc/node-server/walletd/store/walletStoreLayout.ts";
import { contentOf, STEPS } from "./walletStoreSteps.ts";

const writer = fileURLToPath(new URL("walletStoreWriter.ts", import.meta.url));

/** What a store holds before any step and after each, if nothing goes wrong. */
function wholeContents(): readonly (readonly string[])[] {
  const kv = new MemoryKv();
  const store = new WalletStore(kv, null);
  const contents = STEPS.map((step) => {
    store.commit((batch) => step(store, batch));
    return contentOf(kv);
  });
  return [[], ...contents];
}

/** What the store of a folder holds after a process went on with it and was killed. */
async function killed(folder: string, moment: "before" | "after"): Promise<readonly string[]> {
  const { signal, stdout } = spawnSync(process.execPath, [writer, folder, moment], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  expect(signal).toBe("SIGKILL");
  expect(stdout.toString()).toBe("");
  const { store } = await openStore(folder, WALLET_STORE_LAYOUT);
  const content = contentOf(store);
  await store.close();
  return content;
}

test("each step is whole or absent", async () => {
  const contents = wholeContents();
  expect(new Set(contents.map((rows) => rows.join())).size).toBe(STEPS.length + 1);
  await inTemporaryFolder(async (folder) => {
    for (let step = 0; step < STEPS.length; step += 1) {
      expect(await killed(folder, "before"), `before step ${step}`).toEqual(contents[step]);
      expect(await killed(folder, "after"), `after step ${step}`).toEqual(contents[step + 1]);
    }
  });
});
