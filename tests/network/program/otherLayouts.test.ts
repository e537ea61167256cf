/**
 * The program started on folders of other builds: what an older one left is brought to the present layout and goes on, what a
 * newer one left is refused with what to do, and stays as it is.
 */
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { EXIT_STATUS } from "@svc/node-server/app/program/exitStatus.ts";
import { HOST_TABLE, VERSION_KEY } from "@svc/node-server/storage/hostTable.ts";
import {
  consensusTable,
  CONSENSUS_LAYOUT,
  META_LAYOUT,
  type DatabaseLayout,
} from "@svc/node-server/storage/layout.ts";
import { LmdbKv } from "@svc/node-server/storage/lmdbKv.ts";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { fileBytes } from "../testkit/fileBytes.ts";
import { PATIENCE_MS } from "../testkit/networkSizes.ts";
import { mineAt, payAddressOf } from "../testkit/nodeMiner.ts";
import type { NodeProcess } from "../testkit/nodeProcess.ts";
import { expectSoundStore } from "../testkit/nodeStore.ts";
import { oldChain, u32, writeOldFolder, type OldChain, type OldLayout } from "./oldFolders.ts";
import { ProgramRun } from "../testkit/programRun.ts";
import { Scene } from "../testkit/scene.ts";
import { startOutcome } from "../testkit/startedNode.ts";

/** Of the engine, in its own table. */
const ENGINE_VERSION_KEY = new TextEncoder().encode("version");
/** What this build's engine writes. */
const ENGINE_LAYOUT = 5;
/** Those of the fixture. */
const ADDRESSES = ["1.2.3.4:16811", "5.6.7.8:1", "[2001:db8::1]:16811"];
const NEW_LAYOUT = /was brought to a new layout/;
const MINED = 3n;

/** What is started on a folder of a newer build. */
const COMMANDS = [["node"], ["node", "--archival"], ["verify", "--assume-proofs"]] as const;

type Place = {
  readonly layout: DatabaseLayout;
  readonly table: number;
  readonly key: Uint8Array;
  /** What is there in a folder of this build. */
  readonly version: number;
};

const PLACES: Readonly<Record<string, Place>> = {
  "the chain's files": {
    layout: CONSENSUS_LAYOUT,
    table: HOST_TABLE,
    key: VERSION_KEY,
    version: CONSENSUS_LAYOUT.version,
  },
  "the engine": {
    layout: CONSENSUS_LAYOUT,
    table: consensusTable("meta"),
    key: ENGINE_VERSION_KEY,
    version: ENGINE_LAYOUT,
  },
  "the node's own facts": {
    layout: META_LAYOUT,
    table: HOST_TABLE,
    key: VERSION_KEY,
    version: META_LAYOUT.version,
  },
};

async function storedVersion(root: string, { layout, table, key }: Place): Promise<Buffer> {
  const store = new LmdbKv({ path: join(root, layout.name), readOnly: true });
  const value = Buffer.from(store.get(table, key) ?? []);
  await store.close();
  return value;
}

async function writeVersion(root: string, place: Place, version: number): Promise<void> {
  const { layout, table, key } = place;
  const store = new LmdbKv({ path: join(root, layout.name) });
  store.commit([{ table, key, value: u32(version) }]);
  await store.close();
}

/** What a node shows of its chain and of the peers that it knows. */
async function shownBy(node: NodeProcess) {
  const { sink, blockCount } = await node.tip();
  const { addresses } = await node.grpc.call({ $case: "getPeerAddresses", value: {} });
  return { sink, blockCount, addresses: addresses.map(({ addr }) => addr).toSorted() };
}

describe("a folder of an older build", () => {
  test.each<OldLayout>([1, 2])(
    "with layout %i of the engine is brought up to date once, serves its chain and goes on",
    async (layout) => {
      const chain = oldChain(layout);
      const scene = new Scene(chain.profile);
      const spec = { name: "old", watched: [NEW_LAYOUT] };
      const root = join(scene.appdir(spec.name), chain.networkName);
      await writeOldFolder(scene.appdir(spec.name), chain);
      const first = await scene.node(spec);
      const { sink, blocks: blockCount } = chain;
      expect(await shownBy(first)).toEqual({ sink, blockCount, addresses: ADDRESSES });
      // What the engine does to its own tables is not told.
      expect(first.countOf(NEW_LAYOUT)).toBe(layout === 1 ? 2 : 1);
      await mineAt(first, Number(MINED), payAddressOf(1));
      const after = await shownBy(first);
      expect(after).toMatchObject({ blockCount: blockCount + MINED, addresses: ADDRESSES });
      await first.stop();
      for (const [name, place] of Object.entries(PLACES))
        expect(await storedVersion(root, place), name).toEqual(u32(place.version));
      await expectSoundStore(scene, spec.name);

      const second = await scene.node(spec);
      await mineAt(second, 1, payAddressOf(1));
      expect(await shownBy(second)).toMatchObject({ blockCount: after.blockCount + 1n });
      await second.stop();
      expect(second.countOf(NEW_LAYOUT)).toBe(0);
      await expectSoundStore(scene, spec.name);
    },
  );
});

describe("a folder of a newer build", () => {
  let made: TemporaryFolder;
  let chain: OldChain;
  beforeAll(async () => {
    made = temporaryFolder();
    chain = oldChain(2);
    writeFileSync(join(made.path, "network.json"), chain.profile);
    await writeOldFolder(appdir(), chain);
    const { served, status, said } = await startOutcome({
      profileFile: join(made.path, "network.json"),
      appdir: appdir(),
      limitMs: PATIENCE_MS,
    });
    expect({ served, status }, said).toEqual({ served: true, status: EXIT_STATUS.fine });
  }, 2 * PATIENCE_MS);
  afterAll(() => made.remove());
  const appdir = (): string => join(made.path, "node");

  const commands = Object.entries(PLACES).flatMap(([name, place]) =>
    COMMANDS.map((command) => ({ name, place, command })),
  );
  // Facts of a node are none of what is verified.
  const concerned = commands.filter(
    ({ place, command: [first] }) => first !== "verify" || place.layout === CONSENSUS_LAYOUT,
  );

  test.each(concerned)(
    "newer in $name is left as it is by svc $command",
    async ({ place, command }) => {
      const [first = "", ...more] = command;
      const folder = temporaryFolder();
      onTestFinished(() => folder.remove());
      cpSync(appdir(), folder.path, { recursive: true });
      await writeVersion(join(folder.path, chain.networkName), place, place.version + 1);
      const before = fileBytes(folder.path);
      const where = [`--profile=${join(made.path, "network.json")}`, `--appdir=${folder.path}`];
      const servers = ["--rpclisten=0", "--httplisten=0", "--listen=127.0.0.1:0", "--outpeers=0"];
      const options = first === "node" ? [...where, ...servers] : where;
      const run = ProgramRun.svc([first, ...options, ...more]);
      const { status, signal, out, err } = await run.ended();
      const [found, known] = [place.version + 1, place.version];
      expect({ status, signal, out, err }).toEqual({
        status: EXIT_STATUS.failed,
        signal: null,
        out: "",
        err: `svc ${first}: The stored data has format ${found}; this program reads ${known}. A higher format is a newer program's: run that one. A lower one is brought up to date when a node or wallet of this program starts on it. [store/version]\n`,
      });
      expect(fileBytes(folder.path)).toEqual(before);
    },
  );
});
