/**
 * Child process of the kill test: commits numbered batches as fast as it can and prints each number after
 * its commit returned. Arguments: store kind, folder.
 */
import { writeSync } from "node:fs";
import { storeKind } from "./kvFixtures.ts";
import { batchOf, lastBatch } from "./kvBatches.ts";

const [kindName = "", folder = ""] = process.argv.slice(2);
const store = storeKind(kindName).open(folder);
for (let number = lastBatch(store) + 1; ; number += 1) {
  store.commit(batchOf(number));
  writeSync(1, `${number}\n`);
}
