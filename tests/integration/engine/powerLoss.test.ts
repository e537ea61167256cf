/**
 * Power cuts while a store is written: random disk states that the flushes of a recorded run allow are opened. All
 * acknowledged data is there, no record is torn, and the store can be written again.
 */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { holdDataFolder } from "@svc/node-server/app/folder/dataFolder.ts";
import { Settings } from "@svc/node-server/app/folder/settings.ts";
import { verifyStore } from "@svc/node-server/app/verify/verifyStore.ts";
import { kvHostStore } from "@svc/node-server/engine/host/kvHostStore.ts";
import {
  CONSENSUS_LAYOUT,
  largeTables,
  META_LAYOUT,
  type DatabaseLayout,
} from "@svc/node-server/storage/layout.ts";
import { LmdbKv } from "@svc/node-server/storage/lmdbKv.ts";
import { openStore } from "@svc/node-server/storage/openStore.ts";
import { auditSegments } from "@svc/node-server/storage/testkit/auditSegments.ts";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { batchOf, findTorn, lastBatch } from "../../contract/kv/kvBatches.ts";
import { seededRandom } from "../../testkit/seededRandom.ts";
import { drawCut, writeDisk, type PowerCut } from "../../powerloss/diskAfter.ts";
import type { Recording } from "../../powerloss/fileOps.ts";
import { recordFiles, whyNoRecording } from "../../powerloss/recordFiles.ts";
import { SMALL_FILES, STORE_NETWORK } from "../../powerloss/smallFiles.ts";
import { core, simnet } from "./engineFixture.ts";
import { networkFolderOf, verifyOptions } from "./verifyFixture.ts";
import { LONG_HANG_MS } from "../../testkit/hangMs.ts";

const reason = whyNoRecording();
const random = seededRandom("power cuts");
const pathOf = (name: string): string =>
  fileURLToPath(new URL(`../../powerloss/${name}.ts`, import.meta.url));

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

/** Shown with the tests where they cannot run. */
const leftOut = reason === null ? "" : ` (left out: ${reason})`;

describe.skipIf(reason !== null)(`the power is cut${leftOut}`, () => {
  const CUTS = IS_FULL ? 800 : 70;

  test(`${CUTS} times while batches are committed`, { timeout: LONG_HANG_MS }, async () => {
    SMALL_FILES.use();
    const recording = recordFiles(pathOf("storeRun"), ["40"]);
    for (let count = 0; count < CUTS; count += 1) {
      const cut = drawCut(recording, random);
      await withDisk(recording, cut, (folder) =>
        checkStore(folder, Number(saidBefore(recording, cut).at(-1) ?? 0)),
      );
    }
  });
});

describe.skipIf(reason !== null)(`the power is cut in a node${leftOut}`, () => {
  const CUTS = IS_FULL ? 200 : 30;
  /** Of so many disks one is held against its own blocks. */
  const VERIFIED = 10;

  test(
    `${CUTS} times while an engine runs and is replaced`,
    { timeout: LONG_HANG_MS },
    async () => {
      SMALL_FILES.use();
      const recording = recordFiles(pathOf("engineRun"));
      for (let count = 0; count < CUTS; count += 1) {
        const cut = drawCut(recording, random);
        await withDisk(recording, cut, async (folder) => {
          await checkNode(folder, saidBefore(recording, cut));
          if (count % VERIFIED === 0)
            await verifyStore(verifyOptions(folder, { assumeProofs: true }));
        });
      }
    },
  );
});

async function checkNode(folder: string, said: readonly string[]): Promise<void> {
  const name = basename(networkFolderOf(folder));
  const { path, lock } = holdDataFolder(folder, name, { reset: false, archival: true });
  const meta = await openStore(path, META_LAYOUT);
  const settings = new Settings(meta.store);
  if (said.includes("archival")) expect(settings.wasArchival()).toBe(true);
  const miner = said.findLast((line) => line.startsWith("miner"));
  if (miner !== undefined)
    expect(settings.minerAddress()?.localeCompare(miner)).toBeGreaterThanOrEqual(0);
  await meta.store.close();
  await checkBlocks(path, CONSENSUS_LAYOUT, said);
  const archived = said.indexOf("archived");
  const archive = { ...CONSENSUS_LAYOUT, name: `${CONSENSUS_LAYOUT.name}.archive-1` };
  if (archived !== -1) {
    expect(existsSync(join(path, archive.name))).toBe(true);
    await checkBlocks(path, archive, said.slice(0, archived));
  }
  lock.release();
}

/** Opens the engine and looks for the blocks that were said to be there. */
async function checkBlocks(
  root: string,
  layout: DatabaseLayout,
  said: readonly string[],
): Promise<void> {
  const { store } = await openStore(root, layout);
  const engine = new core.Engine(kvHostStore(store), simnet);
  for (const line of said) {
    const [kind, hash = ""] = line.split(" ");
    if (kind === "block") expect(engine.blockFacts(hash), hash).toBeDefined();
  }
  engine.free();
  await store.close();
}

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
  expect(auditSegments(inner, { folder: segments, large: largeTables(CONSENSUS_LAYOUT) })).toEqual(
    [],
  );
  await inner.close();
  lock.release();
}
