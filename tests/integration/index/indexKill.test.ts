/** An index killed while the chain grows and changes its mind: its tables and its reorganisations are those of one that never died. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { reorgs } from "@svc/node-server/indexer/tables/reorgTable.ts";
import { chainEnd } from "@svc/node-server/indexer/tables/derivedTables.ts";
import { DERIVED_LAYOUT, OBSERVED_LAYOUT } from "@svc/node-server/indexer/tables/indexLayout.ts";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import type { KvReader } from "@svc/node-server/storage/kv.ts";
import { openStore } from "@svc/node-server/storage/openStore.ts";
import { killsOf, reportKills } from "../../testkit/killCount.ts";
import { seededRandom } from "../../testkit/seededRandom.ts";
import { packBlocks } from "../../testkit/packedBlocks.ts";
import { hashOf } from "../engine/importFixture.ts";
import { derivedRows, ForkingChain } from "./indexFixture.ts";
import { IndexScene } from "./indexScene.ts";
import { rowsFrom } from "./keptRows.ts";
import { LONG_HANG_MS } from "../../testkit/hangMs.ts";

const KILLS = killsOf({ reduced: 12, full: 100 });
const KEEPING_KILLS = Math.ceil(KILLS / 2);
/** Less than what the chain can still leave, which stays. */
const KEPT_MS = 10_000n;
/** Lines between two kills at most. */
const MOST_LINES = 14;
const child = fileURLToPath(new URL("killedIndex.ts", import.meta.url));

/** Runs the index with the arguments of the child and kills it after so many lines; null lets it come to its end. Returns all it said. */
async function run(args: readonly string[], lines: number | null): Promise<string[]> {
  const index = spawn(process.execPath, [child, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(index, "exit");
  const said: string[] = [];
  for await (const line of createInterface({ input: index.stdout })) {
    said.push(line);
    // It works on while the signal travels, so it dies somewhere inside a later step.
    if (said.length === lines) index.kill("SIGKILL");
  }
  const [, signal] = await exited;
  expect(signal).toBe(lines === null ? null : "SIGKILL");
  return said;
}

/** What the chain left and came to, each time. */
function changesIn(
  observed: Pick<KvReader, "get" | "range">,
): (readonly [string, string | null, number])[] {
  return reorgs(observed, { order: "time", limit: 1_000_000 })
    .map(({ oldTip, forkPoint, removed }) => [oldTip, forkPoint, removed] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : Number(a > b)));
}

/** A chain that an index has followed to its end, killed again and again. */
type Killed = {
  readonly folder: TemporaryFolder;
  /** Folder of the index. */
  readonly root: string;
  /** One that never died and keeps everything. */
  readonly never: IndexScene;
  /** Tips that were left, as the killed ones said. */
  readonly noted: readonly string[];
};

async function killed(name: string, kills: number, keptMs: bigint | null): Promise<Killed> {
  const random = seededRandom(name);
  const chain = new ForkingChain(random);
  const folder = temporaryFolder();
  const blocks: Uint8Array[] = [];
  while (blocks.length < kills * MOST_LINES) blocks.push(...chain.round());
  const file = join(folder.path, "blocks");
  const root = join(folder.path, "net");
  writeFileSync(file, packBlocks(blocks));
  writeFileSync(`${file}.hashes`, blocks.map(hashOf).join("\n"));
  const args = [root, file, ...(keptMs === null ? [] : [String(keptMs)])];
  const noted: string[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    for (const line of await run(args, 1 + random.below(MOST_LINES))) {
      const [kind, hash = ""] = line.split(" ");
      if (kind === "reorg") noted.push(hash);
    }
  }
  expect((await run(args, null)).at(-1)).toBe("done");
  const never = await new IndexScene({}).start();
  for (const block of blocks) {
    never.take(block);
    await never.settle();
  }
  return { folder, root: join(root, "index"), never, noted };
}

test(
  `an index killed ${KILLS} times loses nothing and notes nothing twice`,
  { timeout: LONG_HANG_MS },
  async () => {
    const { folder, root, never, noted } = await killed("index kill", KILLS, null);
    const { store } = await openStore(root, DERIVED_LAYOUT);
    expect(derivedRows(store)).toEqual(derivedRows(never.index.writer.derived.kv));
    await store.close();
    const { store: observed } = await openStore(root, OBSERVED_LAYOUT);
    const kept = changesIn(observed);
    expect(noted.length).toBeGreaterThan(0);
    expect(kept.map(([oldTip]) => oldTip)).toEqual(expect.arrayContaining([...noted]));
    expect(kept).toEqual(changesIn(never.index.writer.observed));
    await never.index.stop();
    await observed.close();
    folder.remove();
    reportKills("index", KILLS);
  },
);

test(
  `an index that keeps little, killed ${KEEPING_KILLS} times, keeps that whole`,
  { timeout: LONG_HANG_MS },
  async () => {
    const { folder, root, never } = await killed("index kill keeping", KEEPING_KILLS, KEPT_MS);
    const { store } = await openStore(root, DERIVED_LAYOUT);
    const first = chainEnd(store, "first")?.index ?? 0n;
    expect(first).toBeGreaterThan(0n);
    expect(derivedRows(store)).toEqual(rowsFrom(never.index.writer.derived.kv, first));
    await store.close();
    const { store: observed } = await openStore(root, OBSERVED_LAYOUT);
    expect(changesIn(observed)).toEqual(changesIn(never.index.writer.observed));
    await never.index.stop();
    await observed.close();
    folder.remove();
  },
);
