/**
 * Recorded program of the power-loss tests: makes the engine's database in a folder, commits numbered batches, closes and
 * opens it in between, and prints each number when its commit has returned. Arguments: folder, number of batches.
 */
import { writeSync } from "node:fs";
import { holdDataFolder } from "@svc/node-server/app/folder/dataFolder.ts";
import { CONSENSUS_LAYOUT } from "@svc/node-server/storage/layout.ts";
import { openStore } from "@svc/node-server/storage/openStore.ts";
import { batchOf } from "../contract/kv/kvBatches.ts";
import { SMALL_FILES, STORE_NETWORK } from "./smallFiles.ts";

const [top = "", batches = "0"] = process.argv.slice(2);
/** Batches between two starts. */
const RUN = 15;

SMALL_FILES.use();
for (let number = 1; number <= Number(batches);) {
  const { path, lock } = holdDataFolder(top, STORE_NETWORK, { reset: false, archival: false });
  const { store } = await openStore(path, CONSENSUS_LAYOUT);
  for (let left = RUN; left > 0 && number <= Number(batches); left -= 1) {
    store.commit(batchOf(number));
    writeSync(1, `${number}\n`);
    number += 1;
  }
  await store.close();
  lock.release();
}
