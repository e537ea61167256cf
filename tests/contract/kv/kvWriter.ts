/**
 * Child process of the kill tests: commits numbered batches as fast as it can and prints each number after
 * its commit returned. Arguments: store kind, folder, and, to die by itself, a point of `DEADLY_POINTS` and how
 * many commits of that kind it survives.
 */
import { writeSync } from "node:fs";
import { DEADLY_POINTS, DyingKv } from "./dyingKv.ts";
import { storeKind } from "./kvFixtures.ts";
import { batchOf, lastBatch } from "./kvBatches.ts";

const [kindName = "", folder = "", pointName = "", spared = "0"] = process.argv.slice(2);
const point = DEADLY_POINTS.get(pointName);
const store = storeKind(kindName).open(folder, (inner) =>
  point === undefined ? inner : new DyingKv(inner, point, Number(spared)),
);
for (let number = lastBatch(store) + 1; ; number += 1) {
  store.commit(batchOf(number));
  writeSync(1, `${number}\n`);
}
