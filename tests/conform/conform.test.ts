/** The committed part of the recorded chain against the engine, and that a wrong value would be noticed. */
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { loadCoreFile } from "@svc/node-server/platform/wasmFiles.ts";
import {
  Corpus,
  type RecordedBlock,
  type RecordedChainBlock,
  type RecordedState,
  type Witnesses,
} from "./corpus.ts";
import { runConformance } from "./runConformance.ts";

const folder = fileURLToPath(new URL("../vectors/reference/p1000", import.meta.url));
const mergeMined = fileURLToPath(new URL("../vectors/reference/w", import.meta.url));
const simulated = fileURLToPath(new URL("../vectors/simulated", import.meta.url));
const RUN_MS = 240_000;

async function parts() {
  const verifier = () => Promise.reject(new Error("this part of the chain carries no payment"));
  return { core: await loadCoreFile(), verifier, progress: () => {} };
}

test("the first thousand blocks come out as recorded", { timeout: RUN_MS }, async () => {
  const { differences, ...report } = await runConformance(new Corpus(folder), await parts(), false);
  expect(differences).toEqual([]);
  expect(report).toMatchObject({ blocks: 1000, chainBlocks: 408, states: 17, mismatches: 0 });
});

test("a chain with merge-mined blocks comes out as recorded", { timeout: RUN_MS }, async () => {
  const corpus = new Corpus(mergeMined);
  expect((await corpus.witnesses()).size).toBe(172);
  const { differences, ...report } = await runConformance(corpus, await parts(), true);
  expect(differences).toEqual([]);
  expect(report).toMatchObject({ blocks: 366, chainBlocks: 257, mismatches: 0 });
});

test(
  "a simulated chain with a healed partition comes out as made",
  { timeout: RUN_MS },
  async () => {
    const { differences, ...report } = await runConformance(
      new Corpus(simulated),
      await parts(),
      true,
    );
    expect(differences).toEqual([]);
    expect(report).toMatchObject({ blocks: 901, chainBlocks: 342, mismatches: 0 });
  },
);

class WithoutWitnesses extends Corpus {
  override witnesses(): Promise<Witnesses> {
    return Promise.resolve(new Map());
  }

  /** None of a chain that does not come about. */
  override async *states(): AsyncGenerator<RecordedState> {}
}

test("no merge-mined block is taken without its witness", { timeout: RUN_MS }, async () => {
  const report = runConformance(new WithoutWitnesses(mergeMined), await parts(), false);
  await expect(report.then(({ mismatches }) => mismatches)).resolves.toBeGreaterThan(172);
});

/** The first blocks of a chain, and nothing that is said of the rest. */
class Few extends Corpus {
  override async *blocks(): AsyncGenerator<RecordedBlock> {
    let left = 3;
    for await (const block of super.blocks()) {
      if (left === 0) return;
      left -= 1;
      yield block;
    }
  }

  override async *chain(): AsyncGenerator<RecordedChainBlock> {}

  override async *states(): AsyncGenerator<RecordedState> {}
}

test("a block whose bytes are gone is a mismatch", { timeout: RUN_MS }, async () => {
  const whole = await parts();
  const hashes: string[] = [];
  for await (const { header } of new Few(folder).blocks()) hashes.push(header.hash);
  const [, lost = ""] = hashes;
  class Forgetful extends whole.core.Engine {
    override blockBytes(hash: string): Uint8Array | undefined {
      return hash === lost ? undefined : super.blockBytes(hash);
    }
  }
  const core = { ...whole.core, Engine: Forgetful };
  const { mismatches, differences } = await runConformance(
    new Few(folder),
    { ...whole, core },
    false,
  );
  expect(differences).toEqual([`${lost} stored bytes: null, recorded "present"`]);
  expect(mismatches).toBe(1);
});

class Altered extends Corpus {
  override async *blocks(): AsyncGenerator<RecordedBlock> {
    let left = 3;
    for await (const block of super.blocks()) {
      if (left === 0) return;
      left -= 1;
      yield { ...block, header: { ...block.header, blueWork: `${block.header.blueWork}1` } };
    }
  }
}

test("a changed value is a mismatch", { timeout: RUN_MS }, async () => {
  const report = runConformance(new Altered(folder), await parts(), false);
  await expect(
    report.then(
      ({ mismatches }) => mismatches,
      () => 1,
    ),
  ).resolves.toBeGreaterThan(0);
});
