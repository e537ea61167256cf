/**
 * Child process of the reader test: opens a snapshot and says which; on a line of input reads all of it; ends
 * with its input. Argument: folder.
 */
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { findTorn, lastBatch } from "./kvBatches.ts";
import { openForReading } from "./kvFixtures.ts";

const [folder = ""] = process.argv.slice(2);
const store = openForReading(folder);
const snapshot = store.snapshot();
writeSync(1, `holds ${lastBatch(snapshot)}\n`);
for await (const _ of createInterface({ input: process.stdin })) {
  const torn = findTorn(snapshot);
  if (torn !== null) throw new Error(torn);
  writeSync(1, `read ${lastBatch(snapshot)}\n`);
}
snapshot.close();
await store.close();
