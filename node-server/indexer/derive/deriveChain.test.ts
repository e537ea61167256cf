/** The reducers of the derived tables over made-up chains: what was removed leaves nothing behind, whatever way the chain took. */
import { expect, test } from "vitest";
import {
  asBlockHash,
  asBlueScore,
  asChainIndex,
  asDaaScore,
  asTimestampMs,
  asTxId,
  type BlockHash,
} from "@svc/shared/base/brand.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { KEYS_END } from "../../storage/kv.ts";
import { MemoryKv } from "../../storage/memoryKv.ts";
import { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { placedTransaction } from "../documents/transactionDocuments.ts";
import { OpenBlocks } from "../follow/openBlocks.ts";
import { INDEXER_LIMITS } from "../indexerLimits.ts";
import {
  appliedPlace,
  binAt,
  chainEnd,
  chainRowAt,
  highestRanks,
  lastPlace,
  transactionRowOf,
} from "../tables/derivedTables.ts";
import { DERIVED_LAYOUT, DERIVED_TABLES } from "../tables/indexLayout.ts";
import type { ChainContent, WholeBlock } from "./chainContent.ts";
import { addChainBlock, addFirst, removeChainBlock } from "./deriveChain.ts";
import { trimChainBlock } from "./trimChain.ts";

/** A block a second, all of them in the first minutes of 1970. */
const BLOCK_MS = 1_000n;

function hashOf(name: string): BlockHash {
  return asBlockHash(encodeHex(new TextEncoder().encode(name.padEnd(32, "-"))));
}

type BlockWish = { readonly name: string; readonly height: number; readonly payments?: string[] };

function block({ name, height, payments = [] }: BlockWish): WholeBlock {
  const coinbase = {
    txid: asTxId(hashOf(`c ${name}`)),
    kind: "coinbase",
    actions: 0,
    fee: null,
    size: 200,
  } as const;
  const contents = [
    coinbase,
    ...payments.map((payment) => ({
      txid: asTxId(hashOf(`p ${payment}`)),
      kind: "payment" as const,
      actions: 2,
      fee: 7n,
      size: 7_000,
    })),
  ];
  return {
    hash: hashOf(name),
    parents: [],
    selectedParent: hashOf("none"),
    daaScore: asDaaScore(BigInt(height)),
    blueScore: asBlueScore(BigInt(height)),
    timestamp: asTimestampMs(BigInt(height) * BLOCK_MS),
    difficulty: 1 / 3,
    work: height % 2 === 0 ? "native" : "merge-mined",
    minerScript: new Uint8Array(43).fill(height % 3),
    extraData: new Uint8Array(),
    coinbase: [50n],
    transactions: contents.map(({ txid, actions }) => ({ txid, actions })),
    contents,
  };
}

/** The chain block of a branch at a height. It merges a blue and a red block, and judges what its parent carries. */
function chainBlock(branch: string, height: number, parent: WholeBlock): ChainContent {
  const merged = [
    {
      block: block({ name: `blue ${branch}${height}`, height, payments: [`x${height}`] }),
      color: "blue" as const,
    },
    {
      block: block({ name: `red ${branch}${height}`, height, payments: [`x${height}`] }),
      color: "red" as const,
    },
  ];
  const carried = parent.contents.slice(1).map(({ txid }) => ({ txid, block: parent.hash }));
  const [blue, red] = merged.map((one) => ({
    txid: asTxId(hashOf(`p x${height}`)),
    block: one.block.hash,
  }));
  return {
    block: block({
      name: `${branch}${height}`,
      height,
      payments: [`${branch}${height}`, `both${height}`],
    }),
    parent,
    minted: [50n, 3n],
    merged,
    applied: [...carried, ...(blue ? [blue] : [])],
    dropped: red ? [{ ...red, reason: "tx/nullifier-spent" }] : [],
  };
}

const AGAIN = asTxId(hashOf("p again"));
/** Where the payment that all blocks carry is applied: its place has no room in the row. */
const APPLIED_AT = 25;

/** A chain block that carries the payment of all others. It drops what its parent carries, except at one height. */
function chainBlockAgain(branch: string, height: number, parent: WholeBlock): ChainContent {
  const content = chainBlock(branch, height, parent);
  const again = parent.contents.some(({ txid }) => txid === AGAIN);
  const isDropped = again && height !== APPLIED_AT;
  const dropped = { txid: AGAIN, block: parent.hash, reason: "tx/nullifier-spent" };
  return {
    ...content,
    block: block({ name: `${branch}${height}`, height, payments: ["again", "again-2"] }),
    applied: content.applied.filter(({ txid }) => txid !== AGAIN || !isDropped),
    dropped: [...content.dropped, ...(isDropped ? [dropped] : [])],
  };
}

class Tables {
  readonly kv = new MemoryKv();
  readonly #tips: WholeBlock[] = [];

  constructor() {
    const first = block({ name: "first", height: 0, payments: ["early"] });
    const totals = { coinbase: 0n, fees: 0n, notes: 0n, nullifiers: 0n };
    this.#change((batch) => addFirst(batch, { index: asChainIndex(0n), block: first, totals }));
    this.#tips.push(first);
  }

  add(branch: string, count: number, make = chainBlock): void {
    for (let at = 0; at < count; at += 1) {
      const parent = this.#tips.at(-1);
      if (parent === undefined) throw new Error("no tip");
      const content = make(branch, this.#tips.length, parent);
      this.#change((batch) => addChainBlock(batch, content));
      this.#tips.push(content.block);
    }
  }

  remove(count: number): void {
    for (let at = 0; at < count; at += 1) {
      this.#change((batch) => {
        const last = chainEnd(batch, "last");
        if (last !== undefined) removeChainBlock(batch, last);
      });
      this.#tips.pop();
    }
  }

  trim(count: number): void {
    for (let at = 0; at < count; at += 1) {
      this.#change((batch) => {
        const first = chainEnd(batch, "first");
        const next = first && chainRowAt(batch, asChainIndex(first.index + 1n));
        if (first !== undefined && next !== undefined) trimChainBlock(batch, first, next);
      });
    }
  }

  rows(): string[] {
    return DERIVED_LAYOUT.tables.flatMap(({ number }) =>
      this.kv
        .range({ table: number, from: new Uint8Array(), to: KEYS_END, limit: 100_000 })
        .map(({ key, value }) => `${number} ${encodeHex(key)} ${encodeHex(value)}`),
    );
  }

  #change(change: (batch: StoreBatch) => void): void {
    const batch = new StoreBatch(this.kv, 0n);
    change(batch);
    this.kv.commit(batch.end());
  }
}

test.each([1, 2, 3, 8, 30])(
  "a reorganisation of depth %d and back leaves the same bytes",
  (depth) => {
    const tables = new Tables();
    tables.add("a", 40);
    const before = tables.rows();
    tables.remove(depth);
    tables.add("b", depth + 1);
    expect(tables.rows()).not.toEqual(before);
    tables.remove(depth + 1);
    tables.add("a", depth);
    expect(tables.rows()).toEqual(before);
  },
);

test("the way that a chain took leaves no trace", () => {
  const straight = new Tables();
  straight.add("a", 5);
  straight.add("b", 12);
  const crooked = new Tables();
  crooked.add("a", 9);
  crooked.remove(4);
  crooked.add("c", 3);
  crooked.remove(3);
  crooked.add("b", 12);
  expect(crooked.rows()).toEqual(straight.rows());
});

test("what is removed to the end leaves nothing", () => {
  const tables = new Tables();
  tables.add("a", 10);
  tables.remove(11);
  expect(tables.rows()).toEqual([]);
});

test("bins count each block once, and what was applied at its chain block", () => {
  const tables = new Tables();
  tables.add("a", 59);
  const minute = binAt(tables.kv, 60, 0n);
  expect(minute).toMatchObject({ blocks: 1 + 59 * 3, reds: 59, applied: 1 + 58 * 2 + 59 });
  expect(minute.actions).toBe(minute.applied * 2);
  expect(minute.fees).toBe(BigInt(minute.applied) * 7n);
  const shorter = [0n, 1n, 2n, 3n].map((number) => binAt(tables.kv, 15, number).blocks);
  expect(shorter.reduce((sum, count) => sum + count, 0)).toBe(minute.blocks);
  expect(binAt(tables.kv, 3_600, 0n)).toEqual(minute);
  expect(highestRanks(tables.kv, "blocks", 5)).toEqual([{ minute: 0n, count: minute.blocks }]);
});

test("a transaction has its places in the order of judgement, and loses those of a chain block that is gone", () => {
  const tables = new Tables();
  tables.add("a", 3);
  const both = asTxId(hashOf("p x3"));
  expect(transactionRowOf(tables.kv, both)?.places).toMatchObject([
    { block: hashOf("blue a3"), by: hashOf("a3"), effect: "applied" },
    { block: hashOf("red a3"), by: hashOf("a3"), effect: "dropped", reason: "tx/nullifier-spent" },
  ]);
  const coinbase = asTxId(hashOf("c red a3"));
  expect(transactionRowOf(tables.kv, coinbase)?.places).toMatchObject([
    { effect: "dropped", reason: "chain/not-on-chain" },
  ]);
  tables.remove(1);
  expect(transactionRowOf(tables.kv, both)).toBeUndefined();
  tables.add("b", 1);
  expect(transactionRowOf(tables.kv, both)?.places).toHaveLength(2);
});

test("a payment that every block carries has a bounded row and answer, and is taken away as it came", () => {
  const tables = new Tables();
  tables.add("a", 3);
  const bytes: string[][] = [];
  for (let height = 4; height < 60; height += 1) {
    bytes.push(tables.rows());
    tables.add("a", 1, chainBlockAgain);
  }
  const row = transactionRowOf(tables.kv, AGAIN);
  if (row === undefined) throw new Error("no row");
  expect(row.placeCount).toBe(55);
  expect(row.places).toHaveLength(INDEXER_LIMITS.indexPlaces);
  expect(appliedPlace(tables.kv, row)).toMatchObject({ by: hashOf(`a${APPLIED_AT}`) });
  expect(lastPlace(tables.kv, row)).toMatchObject({ block: hashOf("a58"), by: hashOf("a59") });
  const key = decodeHex(AGAIN);
  const stored = tables.kv.get(DERIVED_TABLES.transactions, key)?.length ?? Infinity;
  expect(stored).toBeLessThan(64 + INDEXER_LIMITS.indexPlaces * 128);
  const never = new AbortController().signal;
  const nowMs = asTimestampMs(0n);
  const open = new OpenBlocks();
  const view = { ...{ reader: tables.kv, first: null, head: null }, isCurrent: true, open, nowMs };
  const placed = placedTransaction({ ...view, signal: never }, new MemoryKv(), AGAIN);
  expect(placed?.outcome).toEqual({ status: "applied", by: hashOf(`a${APPLIED_AT}`) });
  expect(placed?.blocks).toHaveLength(INDEXER_LIMITS.indexPlaces + 2);
  expect(placed?.blocks).toContain(hashOf(`a${APPLIED_AT - 1}`));
  for (const before of bytes.toReversed()) {
    tables.remove(1);
    expect(tables.rows()).toEqual(before);
  }
});

test("of a payment that every block carries the old places go, and the one where it was applied stays", () => {
  const tables = new Tables();
  tables.add("a", 3);
  tables.add("a", 57, chainBlockAgain);
  tables.trim(50);
  const row = transactionRowOf(tables.kv, AGAIN);
  if (row === undefined) throw new Error("no row");
  expect(appliedPlace(tables.kv, row)).toMatchObject({ by: hashOf(`a${APPLIED_AT}`) });
  expect(lastPlace(tables.kv, row)).toMatchObject({ by: hashOf("a60") });
  const places = tables.rows().filter((line) => line.startsWith(`${DERIVED_TABLES.places} `));
  // Those of the ten blocks that are left and have been judged, and the applied one, of each of the two payments.
  expect(places.length).toBeLessThanOrEqual(2 * 11);
  // It goes with the last block that carries it.
  tables.add("b", 3);
  tables.trim(11);
  expect(transactionRowOf(tables.kv, AGAIN)).toBeUndefined();
  expect(tables.rows().filter((line) => line.startsWith(`${DERIVED_TABLES.places} `))).toEqual([]);
});

test("a payment whose old places are gone can be carried once more by a block that the chain leaves", () => {
  const tables = new Tables();
  tables.add("a", 3);
  tables.add("a", 37, chainBlockAgain);
  tables.add("a", 20);
  const before = new Tables();
  before.add("a", 3);
  before.add("a", 37, chainBlockAgain);
  before.add("a", 20);
  before.trim(52);
  // The last place of the payment is in the block that the chain leaves.
  tables.add("b", 1, chainBlockAgain);
  tables.add("b", 2);
  tables.trim(52);
  expect(transactionRowOf(tables.kv, AGAIN)).toBeDefined();
  tables.remove(3);
  expect(tables.rows()).toEqual(before.rows());
});

test("what came before is taken away in any order with what comes", () => {
  const [before, after] = [new Tables(), new Tables()];
  before.add("a", 20);
  before.trim(12);
  before.add("b", 9);
  after.add("a", 20);
  after.add("c", 5);
  after.trim(7);
  after.remove(5);
  after.add("b", 9);
  after.trim(5);
  expect(before.rows()).toEqual(after.rows());
});

test("a chain block that does not follow is refused", () => {
  const tables = new Tables();
  tables.add("a", 2);
  const batch = new StoreBatch(tables.kv, 0n);
  const stranger = block({ name: "stranger", height: 9 });
  expect(() => addChainBlock(batch, chainBlock("z", 3, stranger))).toThrow("store/corrupt");
});
