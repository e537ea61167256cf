/** The document of miners over made-up blocks: known tags, many addresses, and what a name is worth. */
import { beforeEach, expect, test } from "vitest";
import { asBlockHash, asBlueScore, asDaaScore, asTimestampMs } from "@svc/shared/base/brand.ts";
import { MemoryKv } from "../../storage/memoryKv.ts";
import { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { OpenBlocks } from "../follow/openBlocks.ts";
import { INDEXER_LIMITS } from "../indexerLimits.ts";
import type { BlockRow } from "../tables/blockRow.ts";
import { putBlock } from "../tables/derivedTables.ts";
import type { AnswerView } from "./answerView.ts";
import { minersDocument, type MinerNames } from "./minersDocument.ts";
import { POOL_TAGS, poolOf } from "./poolTags.ts";

const NOW_MS = 1_800_000_000_000n;
const HOUR_MS = 3_600_000n;
const names: MinerNames = {
  tags: [{ id: "pool", name: "A Pool", text: "/a-pool/" }],
  addressOf: (script) => (script.length === 43 ? `svc:q${"x".repeat(20)}${script[0]}` : null),
};

let kv: MemoryKv;
let count: number;
beforeEach(() => {
  kv = new MemoryKv();
  count = 0;
});

function mine(script: number, over: Partial<BlockRow> = {}): void {
  count += 1;
  const hash = asBlockHash(count.toString(16).padStart(64, "0"));
  const batch = new StoreBatch(kv, 0n);
  putBlock(batch, {
    hash,
    parents: [],
    selectedParent: hash,
    daaScore: asDaaScore(BigInt(count)),
    blueScore: asBlueScore(BigInt(count)),
    timestamp: asTimestampMs(NOW_MS - BigInt(count)),
    difficulty: 10,
    work: "native",
    minerScript: new Uint8Array(43).fill(script & 0xff).fill(script >> 8, 1),
    extraData: new Uint8Array(),
    coinbase: [],
    transactions: [],
    color: "blue",
    mergedBy: hash,
    ...over,
  });
  kv.commit(batch.end());
}

function documentNow() {
  const view: AnswerView = {
    reader: kv,
    first: null,
    head: null,
    isCurrent: true,
    open: new OpenBlocks(),
    nowMs: asTimestampMs(NOW_MS),
    signal: new AbortController().signal,
  };
  return minersDocument(view, names);
}

const text = (words: string): Uint8Array => new TextEncoder().encode(words);

test("blocks with a known tag are one pool, whatever addresses it has; the others go by address", async () => {
  mine(1, { extraData: text("0.1.0/a-pool/7") });
  mine(2, { extraData: text("0.1.0/a-pool/8"), color: "red" });
  mine(3, { work: "merge-mined" });
  mine(3);
  mine(3, { timestamp: asTimestampMs(NOW_MS - HOUR_MS - 1n) });
  const { miners, ...document } = await documentNow();
  expect(document).toMatchObject({ totalBlocks: 4, red: 1, distinctAddresses: 3 });
  expect(document.networkHashrate).toBeCloseTo((2 * 10 * 4) / 3_600, 9);
  expect(miners).toHaveLength(2);
  expect(miners.find(({ source }) => source === "payload-tag")).toMatchObject({
    ...{ id: "pool", label: "A Pool", blocks: 2, red: 1, distinctAddresses: 2 },
  });
  expect(miners.find(({ source }) => source === "address")).toMatchObject({
    ...{ label: "svc:qxxxxx…xxxxx3", blocks: 2, red: 0, share: 0.5, mergeMinedBlocks: 1 },
  });
});

test("a miner with a new address for each block fills no list", async () => {
  const most = INDEXER_LIMITS.indexMiners;
  for (let block = 0; block < most + 30; block += 1) mine(1_000 + block);
  const { miners, totalBlocks } = await documentNow();
  expect(miners).toHaveLength(most + 1);
  expect(miners.at(-1)).toMatchObject({ id: "others", label: "others", blocks: 30 });
  expect(miners.reduce((sum, { blocks }) => sum + Number(blocks), 0)).toBe(totalBlocks);
});

test("an hour without blocks has no miners and no rate", async () => {
  expect(await documentNow()).toMatchObject({ totalBlocks: 0, networkHashrate: 0, miners: [] });
});

test("the table of tags is read, and a tag is only found whole", () => {
  expect(new Set(POOL_TAGS.map(({ id }) => id)).size).toBe(POOL_TAGS.length);
  expect(poolOf(text("x/a-pool/"), names.tags)?.id).toBe("pool");
  expect(poolOf(text("x/a-poo"), names.tags)).toBeNull();
  expect(poolOf(Uint8Array.of(0xff, 0xfe), names.tags)).toBeNull();
});
