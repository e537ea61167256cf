/**
 * Recorded program of the power-loss tests: an engine takes in blocks, a second one is made aside with more of them and
 * takes its place, twice, the second time as in an archival node; the node's own settings are written in between. Prints
 * what a node would acknowledge, when it would. Argument: the data folder.
 */
import { writeSync } from "node:fs";
import { basename } from "node:path";
import { holdDataFolder } from "@svc/node-server/app/folder/dataFolder.ts";
import { Settings } from "@svc/node-server/app/folder/settings.ts";
import { readInsertOutcome } from "@svc/node-server/engine/calls/engineFacts.ts";
import { kvHostStore } from "@svc/node-server/engine/host/kvHostStore.ts";
import { CONSENSUS_LAYOUT, META_LAYOUT } from "@svc/node-server/storage/layout.ts";
import { openStore } from "@svc/node-server/storage/openStore.ts";
import {
  clearStaging,
  removeLeftovers,
  stagingFolder,
  swapStaged,
} from "@svc/node-server/storage/storeFolders.ts";
import { readPaymentFixture } from "../fixtures/payments/paymentFixture.ts";
import { core, NOW_MS, simnet } from "../integration/engine/engineFixture.ts";
import { networkFolderOf, trust } from "../integration/engine/verifyFixture.ts";
import { SMALL_FILES } from "./smallFiles.ts";

const [top = ""] = process.argv.slice(2);
const { trunk } = readPaymentFixture();
const network = basename(networkFolderOf(top));
const say = (line: string): number => writeSync(1, `${line}\n`);

/** Takes blocks from the trunk into the engine's database below a folder, and says each when `isHeard`. */
async function take(folder: string, count: number, isHeard: boolean): Promise<void> {
  const { store } = await openStore(folder, CONSENSUS_LAYOUT);
  const engine = new core.Engine(kvHostStore(store), simnet);
  for (const raw of trunk.slice(0, count)) {
    trust({ engine }, raw);
    // A second time it is known, with its hash.
    const { hash } = readInsertOutcome(engine.insertBlock(raw, NOW_MS));
    if (isHeard) say(`block ${hash}`);
  }
  engine.free();
  await store.close();
}

SMALL_FILES.use();
const { path: root, lock } = holdDataFolder(top, network, { reset: false, archival: true });
const meta = await openStore(root, META_LAYOUT);
const settings = new Settings(meta.store);
settings.setArchival(true);
say("archival");
const third = Math.floor(trunk.length / 3);
await take(root, third, true);
for (const [index, keepsOld] of [false, true].entries()) {
  clearStaging(root);
  await take(stagingFolder(root), third * (index + 2), false);
  swapStaged(root, { keepsOld });
  say(keepsOld ? "archived" : "swapped");
  await take(root, third * (index + 2), true);
  await removeLeftovers(root);
  settings.setMinerAddress(`miner ${index}`);
  say(`miner ${index}`);
}
await meta.store.close();
lock.release();
