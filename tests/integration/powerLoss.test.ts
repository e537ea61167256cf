/**
 * The power cut while a store is written: of a recorded run, states of the disk are drawn that its flushes allow, and
 * opened. What had been acknowledged is there, nothing is torn, and the store goes on.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { holdDataFolder } from "@svc/node-server/app/dataFolder.ts";
import { CONSENSUS_LAYOUT, largeTables } from "@svc/node-server/storage/layout.ts";
import { LmdbKv } from "@svc/node-server/storage/lmdbKv.ts";
import { openStore } from "@svc/node-server/storage/openStore.ts";
import { auditSegments } from "@svc/node-server/storage/testkit/auditSegments.ts";
import { batchOf, findTorn, lastBatch } from "../contract/kvBatches.ts";
import { temporaryFolder } from "../contract/kvFixtures.ts";
import { seededRandom } from "../contract/seededRandom.ts";
import { drawCut, writeDisk, type PowerCut } from "../powerloss/diskAfter.ts";
import type { Recording } from "../powerloss/fileOps.ts";
import { recordFiles, whyNoRecording } from "../powerloss/recordFiles.ts";
import { SMALL_FILES, STORE_NETWORK } from "../powerloss/smallFiles.ts";

const IS_FULL = process.env["SVC_TEST_SIZE"] === "full";
const reason = whyNoRecording();
const random = seededRandom("power cuts");
const pathOf = (name: string): string =>
  fileURLToPath(new URL(`../powerloss/${name}.ts`, import.meta.url));

/** Lines that were printed before the cut. */
function saidBefore({ ops }: Recording, { at }: PowerCut): readonly string[] {
  return ops.slice(0, at).flatMap((op) => (op.kind === "said" ? [op.line] : []));
}

/** Makes the disk of a cut, and removes it when it has been looked at. */
async function withDisk(
  recording: Recording,
  cut: PowerCut,
  look: (folder: string) => Promise<void>,
): Promise<void> {
  const outer = temporaryFolder();
  try {
    const folder = join(outer.path, "disk");
    writeDisk(recording, cut, { random, folder });
    await look(folder).catch((error: unknown) => {
      throw new Error(`after ${JSON.stringify(cut)}`, { cause: error });
    });
  } finally {
    outer.remove();
  }
}

const title = (name: string): string => (reason === null ? name : `${name} (left out: ${reason})`);

describe.skipIf(reason !== null)(title("the power is cut"), () => {
  const CUTS = IS_FULL ? 800 : 80;

  test(`${CUTS} times while batches are committed`, { timeout: 1_800_000 }, async () => {
    SMALL_FILES.use();
    const recording = recordFiles(pathOf("storeRun"), ["40"]);
    for (let count = 0; count < CUTS; count += 1) {
      const cut = drawCut(recording, random, 0);
      await withDisk(recording, cut, (folder) =>
        checkStore(folder, Number(saidBefore(recording, cut).at(-1) ?? 0)),
      );
    }
  });
});

async function checkStore(folder: string, acknowledged: number): Promise<void> {
  const { path, lock } = holdDataFolder(folder, STORE_NETWORK, { reset: false, archival: false });
  const isThere = existsSync(join(path, CONSENSUS_LAYOUT.name));
  if (acknowledged > 0) expect(isThere).toBe(true);
  const { store } = await openStore(path, CONSENSUS_LAYOUT);
  const last = lastBatch(store);
  expect(last).toBeGreaterThanOrEqual(acknowledged);
  expect(findTorn(store)).toBeNull();
  store.commit(batchOf(last + 1));
  await store.close();
  const again = await openStore(path, CONSENSUS_LAYOUT);
  expect(lastBatch(again.store)).toBe(last + 1);
  expect(findTorn(again.store)).toBeNull();
  await again.store.close();
  const inner = new LmdbKv({ path: join(path, CONSENSUS_LAYOUT.name), readOnly: true });
  const segments = join(path, CONSENSUS_LAYOUT.name, "segments");
  expect(auditSegments(inner, { folder: segments, large: largeTables(CONSENSUS_LAYOUT) })).toEqual([]);
  await inner.close();
  lock.release();
}
