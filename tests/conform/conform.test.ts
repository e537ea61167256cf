/** The committed part of the recorded chain against the engine, and that a wrong value would be noticed. */
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { expect, test } from "vitest";
import { fields } from "@svc/shared/base/fields.ts";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
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

async function parts() {
  const verifier = () => Promise.reject(new Error("this part of the chain carries no payment"));
  return { core: await loadCoreFile(), verifier, progress: () => {} };
}

test("the first thousand blocks come out as recorded", async () => {
  const { differences, ...report } = await runConformance(new Corpus(folder), await parts(), false);
  expect(differences).toEqual([]);
  expect(report).toMatchObject({ blocks: 1000, chainBlocks: 408, states: 17, mismatches: 0 });
  expect(report.evidencePieces).toBeGreaterThan(2 * 400);
});

test("a chain with merge-mined blocks comes out as recorded", async () => {
  const corpus = new Corpus(mergeMined);
  expect((await corpus.witnesses()).size).toBe(172);
  const { differences, ...report } = await runConformance(corpus, await parts(), true);
  expect(differences).toEqual([]);
  expect(report).toMatchObject({ blocks: 366, chainBlocks: 257, mismatches: 0 });
  expect(report.evidencePieces).toBeGreaterThan(2 * 250);
});

test("a simulated chain with a healed partition comes out as made", async () => {
  const { differences, ...report } = await runConformance(
    new Corpus(simulated),
    await parts(),
    true,
  );
  expect(differences).toEqual([]);
  expect(report).toMatchObject({ blocks: 901, chainBlocks: 342, mismatches: 0 });
  // Openings, runs, memberships, and openings again of what they prove.
  expect(report.evidencePieces).toBeGreaterThan(4 * 330);
});

class WithoutWitnesses extends Corpus {
  override witnesses(): Promise<Witnesses> {
    return Promise.resolve(new Map());
  }

  /** None of a chain that does not come about. */
  override async *states(): AsyncGenerator<RecordedState> {}
}

test("no merge-mined block is taken without its witness", async () => {
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

test("a block whose bytes are gone is a mismatch", async () => {
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

/** A block of the chain, and what is said of it. */
const CHANGED = 1;
const ONE = "f".repeat(64);
type Change = {
  readonly block?: (recorded: RecordedBlock) => RecordedBlock;
  readonly chain?: (recorded: RecordedChainBlock) => RecordedChainBlock;
  readonly state?: (recorded: RecordedState) => RecordedState;
};

/** The first blocks and what is said of them, one value changed. A block that is not what it was has no place in the chain. */
class Altered extends Few {
  readonly #whole = new Corpus(folder);
  readonly #change: Change;
  readonly #hashes: string[] = [];

  constructor(change: Change) {
    super(folder);
    this.#change = change;
  }

  override async *blocks(): AsyncGenerator<RecordedBlock> {
    for await (const block of super.blocks()) {
      const isChanged = this.#hashes.push(block.header.hash) - 1 === CHANGED;
      yield isChanged ? (this.#change.block?.(block) ?? block) : block;
    }
  }

  override async *chain(): AsyncGenerator<RecordedChainBlock> {
    if (this.#change.block !== undefined) return;
    for await (const block of this.#whole.chain()) {
      if (block.hash === this.#hashes[CHANGED]) yield this.#change.chain?.(block) ?? block;
    }
  }

  override async *states(): AsyncGenerator<RecordedState> {
    if (this.#change.block !== undefined) return;
    for await (const state of this.#whole.states()) {
      if (state.blockHash === this.#hashes[CHANGED]) yield this.#change.state?.(state) ?? state;
    }
  }
}

const header = (change: Partial<RecordedBlock["header"]>): Change => ({
  block: (block) => ({ ...block, header: { ...block.header, ...change } }),
});
const verbose = (change: Partial<RecordedBlock["verboseData"]>): Change => ({
  block: (block) => ({ ...block, verboseData: { ...block.verboseData, ...change } }),
});
const onChain = (change: Partial<RecordedChainBlock>): Change => ({
  chain: (block) => ({ ...block, ...change }),
});
const withState = (change: Partial<RecordedState>): Change => ({
  state: (state) => ({ ...state, ...change }),
});
const coinbase = (
  change: Partial<RecordedBlock["transactions"][number]["verboseData"]>,
): Change => ({
  block: (block) => ({
    ...block,
    transactions: block.transactions.map((transaction) => ({
      ...transaction,
      verboseData: { ...transaction.verboseData, ...change },
    })),
  }),
});

test("the first three blocks come out as recorded", async () => {
  const report = await runConformance(new Altered({}), await parts(), false);
  expect(report).toMatchObject({ blocks: 3, chainBlocks: 1, states: 1, differences: [] });
});

test.each<readonly [value: string, change: Change]>([
  ["selected parent", verbose({ selectedParentHash: v.parse(fields.blockHash, ONE) })],
  ["blues", verbose({ mergeSetBluesHashes: [] })],
  ["reds", verbose({ mergeSetRedsHashes: [v.parse(fields.blockHash, ONE)] })],
  ["stored bytes", coinbase({ hash: v.parse(fields.hash32, ONE) })],
  ["applied set", onChain({ acceptedTxids: [v.parse(fields.txId, ONE)] })],
  ["coinbaseTxid", onChain({ coinbaseTxid: v.parse(fields.txId, ONE) })],
  ["size", withState({ size: "12" })],
  ["leaf", withState({ leaf: ONE })],
])("a changed %s is a mismatch, and the only one", async (value, change) => {
  const corpus = new Altered(change);
  const { differences, mismatches } = await runConformance(corpus, await parts(), false);
  const named = differences.filter((line) => line.includes(` ${value}: `));
  expect(named.length, differences.join("\n")).toBe(1);
  // The ids of applied payments are in the row too.
  expect(mismatches).toBe(value === "applied set" ? 2 : 1);
});

test.each<readonly [value: string, change: Change]>([
  ["blue work", header({ blueWork: "796af" })],
  ["blue score", header({ blueScore: v.parse(fields.blueScore, "7") })],
  ["DAA score", header({ daaScore: v.parse(fields.daaScore, "7") })],
])("a header with another %s is refused as the block that it was", async (_, change) => {
  const corpus = new Altered(change);
  const { differences } = await runConformance(corpus, await parts(), false);
  expect(differences).toContainEqual(expect.stringMatching(/ outcome: .*, recorded "accepted"$/));
  expect(differences).toContainEqual(expect.stringMatching(/ hash: "[0-9a-f]{64}", recorded /));
});

test("evidence that does not hold ends the run", async () => {
  const whole = await parts();
  class Liar extends whole.core.Engine {
    override evidenceOpening(hash: string, withProduct: boolean): Uint8Array {
      const opening = super.evidenceOpening(hash, withProduct);
      // What was minted and paid, which the state root covers.
      return opening.fill(7, opening.length - 20, opening.length - 10);
    }
  }
  const core = { ...whole.core, Engine: Liar };
  const run = runConformance(new Corpus(mergeMined), { ...whole, core }, true);
  await expect(run).rejects.toThrow("evidence/other-state");
});
