/**
 * Child process of the reader test: reads all of one snapshot after the other and prints the number of its last
 * batch, until its input ends; at least one snapshot after that. Any gap ends it with an error. Argument: folder.
 */
import { writeSync } from "node:fs";
import { findTorn, lastBatch } from "./kvBatches.ts";
import { openForReading } from "./kvFixtures.ts";

const [folder = ""] = process.argv.slice(2);
const store = openForReading(folder);
let ended = false;
process.stdin.on("end", () => (ended = true)).resume();

function readAll(): void {
  const last = ended;
  const snapshot = store.snapshot();
  const torn = findTorn(snapshot);
  if (torn !== null) throw new Error(torn);
  writeSync(1, `${lastBatch(snapshot)}\n`);
  snapshot.close();
  if (last) void store.close();
  else setImmediate(readAll);
}

readAll();
