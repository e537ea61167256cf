/**
 * Child process of the full disk tests: commits numbered batches until one is refused, and says as a line of JSON which was
 * the last before it, and how it was refused, with its code. Then it tries so many more, closes the store, and ends.
 * Arguments: store kind, folder, what no commit may take in bytes (empty: what a node leaves), how many more.
 */
import { writeSync } from "node:fs";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { batchOf, lastBatch } from "./kvBatches.ts";
import { storeKind } from "./kvFixtures.ts";

/** More than any disk of these tests has room for. */
const MOST_BATCHES = 5_000;

const [kindName = "", folder = "", reserve = "", more = "0"] = process.argv.slice(2);
const reserveBytes = reserve === "" ? undefined : Number(reserve);
const store = storeKind(kindName).open(folder, undefined, reserveBytes);
let number = lastBatch(store);
let refusals = 0;
while (refusals <= Number(more) && number < MOST_BATCHES) {
  try {
    store.commit(batchOf(number + 1));
    number += 1;
  } catch (thrown) {
    const { code, data } = SvcError.from(thrown);
    refusals += 1;
    writeSync(1, `${JSON.stringify({ acknowledged: number, code, data })}\n`);
  }
}
await store.close();
