/** The documents that the index makes, over a chain with reorganisations, held against what the engine says of every block. */
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asTxId } from "@svc/shared/base/brand.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { readBlockFacts, type BlockFacts } from "@svc/shared/protocol/facts/blockFacts.ts";
import { readChainFacts, type ChainFacts } from "@svc/shared/protocol/facts/chainFacts.ts";
import { jsonText } from "@svc/shared/base/jsonText.ts";
import { REST_ROUTES, type RestRouteName } from "@svc/shared/protocol/rest/restRoutes.ts";
import { asBlockHash } from "@svc/shared/base/brand.ts";
import { seededRandom } from "../../testkit/seededRandom.ts";
import { START_MS } from "../engine/engineFixture.ts";
import { hashOf } from "../engine/importFixture.ts";
import { SPECIFIED_ROWS, unlikeDocument } from "../../testkit/restDocuments.ts";
import { ForkingChain } from "./indexFixture.ts";
import { relayNotes } from "@svc/node-server/app/node/startIndex.ts";
import { OBSERVED_LAYOUT } from "@svc/node-server/indexer/tables/indexLayout.ts";
import { relaysIn } from "@svc/node-server/indexer/tables/observedTables.ts";
import { KEYS_END } from "@svc/node-server/storage/kv.ts";
import { IndexScene } from "./indexScene.ts";

const ROUNDS = 110;
const MINUTE_MS = 60_000n;

let scene: IndexScene;
let facts: BlockFacts[];
let chain: ChainFacts[];
const hashes: string[] = [];

/** The document as it goes over the wire, held against its row, and key by key against the specification. */
async function wire<R extends RestRouteName>(
  name: R,
  document: Promise<unknown>,
): Promise<v.InferOutput<(typeof REST_ROUTES)[R]["answer"]>> {
  const parsed: unknown = JSON.parse(jsonText(await document));
  if (SPECIFIED_ROWS.includes(name)) expect(unlikeDocument(name, parsed)).toEqual([]);
  const { answer }: { readonly answer: (typeof REST_ROUTES)[R]["answer"] } = REST_ROUTES[name];
  return v.parse(answer, parsed);
}

beforeAll(async () => {
  const source = new ForkingChain(seededRandom("index documents"));
  scene = await new IndexScene({}).start();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const block of source.round()) {
      hashes.push(hashOf(block));
      scene.take(block);
      await scene.settle();
    }
  }
  const { engine } = scene.node;
  facts = hashes.map((hash) => readBlockFacts(callCore(() => engine.blockFacts(hash)) ?? ""));
  chain = facts
    .filter(({ isChainBlock }) => isChainBlock)
    .map(({ hash }) => readChainFacts(callCore(() => engine.chainFacts(hash)) ?? ""));
  // The last block's own minute is not over.
  const last = facts.reduce(
    (newest, { timestamp }) => (timestamp > newest ? timestamp : newest),
    0n,
  );
  scene.clock.advance(Number(last + 1_000n - scene.clock.nowMs()));
});
afterAll(async () => {
  await scene?.index.stop();
});

/** Colours as the merging chain blocks tell. */
function colors(): Map<string, string> {
  const merged = chain.flatMap((one) =>
    one.merged.map(({ hash, color }) => [hash, color] as const),
  );
  return new Map([...merged, ...chain.map(({ hash }) => [hash, "blue"] as const)]);
}

describe("blocks", () => {
  it("are listed by DAA score, a page behind the other, each once", async () => {
    const seen: { block_hash: string; daaScore: string; color: string; txs: { kind: string }[] }[] =
      [];
    let before: string | undefined;
    for (;;) {
      const page: typeof seen = await wire(
        "recentBlocks",
        scene.index.recentBlocks({ limit: 37, before }, scene.never),
      );
      seen.push(...page);
      const last = page.at(-1);
      if (last === undefined) break;
      before = `${last.daaScore}-${last.block_hash}`;
    }
    const listed = seen.map(({ block_hash }) => block_hash);
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed.toSorted()).toEqual([...hashes, scene.node.tip().genesis].toSorted());
    const scores = seen.map(({ daaScore }) => BigInt(daaScore));
    expect(scores).toEqual(scores.toSorted((a, b) => (a > b ? -1 : Number(a < b))));
    const told = colors();
    for (const { block_hash, color } of seen.slice(0, -1)) {
      expect([block_hash, color]).toEqual([block_hash, told.get(block_hash) ?? "none"]);
    }
    expect(seen.filter(({ color }) => color === "red").length).toBeGreaterThan(10);
  });

  it("at a DAA score are all that have it, merged or not", async () => {
    const told = colors();
    const chainScores = new Map(chain.map(({ hash, blueScore }) => [hash as string, blueScore]));
    for (const score of new Set(facts.map(({ daaScore }) => daaScore))) {
      const { blocks, mergedAt } = await scene.index.blocksAt(score, scene.never);
      const listed = await wire("blocksAt", Promise.resolve(blocks));
      const { genesis } = scene.node.tip();
      const rows = listed.filter(({ block_hash: hash }) => hash !== genesis);
      const expected = facts.filter(({ daaScore }) => daaScore === score);
      expect(rows.map(({ block_hash: hash }) => hash).toSorted()).toEqual(
        expected.map(({ hash }) => hash).toSorted(),
      );
      for (const { block_hash: hash, color } of rows) expect(color).toBe(told.get(hash) ?? "none");
      const merging = rows.map(({ mergedBy }) => chainScores.get(mergedBy ?? "") ?? null);
      const whole = merging.flatMap((blueScore) => (blueScore === null ? [] : [blueScore]));
      const highest = whole.reduce((most, one) => (one > most ? one : most), 0n);
      expect(mergedAt).toBe(whole.length < rows.length ? null : highest);
    }
    for (const none of [1_000_000n, (1n << 64n) - 1n]) {
      expect(await scene.index.blocksAt(none, scene.never)).toEqual({ blocks: [], mergedAt: null });
    }
  });

  it("of a minute are all there, with parents and colour, and stay the same", async () => {
    const told = colors();
    const first = START_MS / MINUTE_MS;
    const last = scene.clock.nowMs() / MINUTE_MS;
    const found: string[] = [];
    for (let minute = first; minute <= last; minute += 1n) {
      const document: {
        isComplete: boolean;
        blocks: { block_hash: string; parents: string[]; color: string; work: string }[];
      } = await wire("blockWindow", scene.index.blockWindow(minute, scene.never));
      expect(document.isComplete).toBe(true);
      for (const { block_hash, parents, color, work } of document.blocks) {
        const engine = facts.find(({ hash }) => hash === block_hash);
        expect({ parents, color, work }).toEqual({
          parents: engine?.parents,
          color: told.get(block_hash) ?? "none",
          work: "skipped",
        });
        expect((engine?.timestamp ?? 0n) / MINUTE_MS).toBe(minute);
        found.push(block_hash);
      }
    }
    expect(found.toSorted()).toEqual(hashes.toSorted());
  });
});

describe("transactions", () => {
  it("are applied where a chain block applied them, and nowhere else", async () => {
    const applied = new Map(
      chain.flatMap((one) => one.applied.map(({ txid }) => [txid as string, one.hash as string])),
    );
    const dropped = chain.flatMap((one) => one.dropped);
    expect(applied.size).toBeGreaterThan(5);
    expect(dropped.length).toBeGreaterThan(2);
    const all = facts.flatMap(({ txids }) => txids.slice(1));
    for (const txid of new Set(all)) {
      const place = await scene.index.transactionPlace(txid, scene.never);
      const by = applied.get(txid);
      if (by !== undefined) expect(place?.outcome).toEqual({ status: "applied", by });
      else expect(["dropped", "included"]).toContain(place?.outcome.status);
      const carriers = facts.filter((one) => one.txids.includes(txid)).map(({ hash }) => hash);
      expect([...(place?.blocks ?? [])].toSorted()).toEqual(carriers.toSorted());
      expect(place).toMatchObject({ kind: "payment", fee: 20_000n });
      expect(place?.actions).toBeGreaterThan(0);
    }
    const lost = dropped.find(({ txid }) => !applied.has(txid));
    if (lost === undefined) throw new Error("no payment was lost for good");
    expect((await scene.index.transactionPlace(lost.txid, scene.never))?.outcome).toMatchObject({
      status: "dropped",
      reason: lost.reason,
    });
  });

  it("that were never seen are none, and a search finds the applied ones alone, each once", async () => {
    const [some] = chain.flatMap(({ applied }) => applied);
    const gone = chain.flatMap(({ dropped }) => dropped);
    const stranger = asTxId("00".repeat(32));
    expect(await scene.index.transactionPlace(stranger, scene.never)).toBeNull();
    if (some === undefined) throw new Error("nothing is applied");
    const wanted = [some.txid, stranger, some.txid, ...gone.map(({ txid }) => txid)];
    const found: { transaction_id: string; is_accepted: boolean }[] = await wire(
      "transactionSearch",
      scene.index.transactionSearch(wanted, scene.never),
    );
    const known = new Set(
      chain.flatMap(({ applied }) => applied.map(({ txid }) => txid as string)),
    );
    expect(found.every(({ transaction_id }) => known.has(transaction_id))).toBe(true);
    expect(new Set(found.map((one) => one.transaction_id)).size).toBe(found.length);
  });

  it("are counted by the applied list", async () => {
    expect(await wire("transactionCount", scene.index.transactionCount(scene.never))).toMatchObject(
      {
        coinbase: chain.length + 1,
        regular: chain.reduce((sum, { applied }) => sum + applied.length, 0),
        dropped: chain.reduce((sum, { dropped }) => sum + dropped.length, 0),
        isComplete: true,
      },
    );
  });
});

describe("history", () => {
  it("has the pulse of the last quarter of an hour, block by block", async () => {
    const now = scene.clock.nowMs();
    const pulse: {
      blockBins: number[];
      transactionBins: number[];
      difficultyBins: number[];
      hashrateBins: number[];
      bps15m: number;
      blocks15m: number;
      transactions1h: number;
    } = await wire("pulse", scene.index.pulse("15m", scene.never));
    const merged = facts.filter(({ hash }) => colors().has(hash));
    const bin = (timestamp: bigint): number => 59 - Number(now / 15_000n - timestamp / 15_000n);
    for (const [at, count] of pulse.blockBins.entries()) {
      const inside = merged.filter(({ timestamp }) => bin(timestamp) === at);
      expect(count).toBe(inside.length);
      expect(pulse.transactionBins[at]).toBe(
        inside.reduce((sum, { txids }) => sum + txids.length, 0),
      );
      const mean = inside.reduce((sum, one) => sum + one.difficulty, 0) / (inside.length || 1);
      expect(pulse.difficultyBins[at]).toBeCloseTo(mean, 6);
      // By the measured rate of the bin, and nothing in an empty one.
      expect(pulse.hashrateBins[at]).toBeCloseTo((2 * mean * inside.length) / 15, 6);
    }
    expect(pulse.bps15m).toBeCloseTo(pulse.blocks15m / 900, 9);
    expect(pulse.blocks15m).toBeGreaterThan(0);
  });

  it.each(["15m", "1h", "12h", "24h", "7d", "30d"] as const)(
    "has bins for %s that add up",
    async (window) => {
      const pulse: {
        workBinSeconds: number;
        workWindowSeconds: number;
        workDifficultyBins: number[];
      } = await wire("pulse", scene.index.pulse(window, scene.never));
      expect(pulse.workBinSeconds * pulse.workDifficultyBins.length).toBe(pulse.workWindowSeconds);
      expect(Math.max(...pulse.workDifficultyBins)).toBeGreaterThan(0);
    },
  );

  it.each(["24h", "7d", "30d", "1y"] as const)(
    "has the work of %s with every merged block",
    async (window) => {
      const history: { points: { blocks: number; reds: number; transactions: number }[] } =
        await wire("workHistory", scene.index.workHistory(window, scene.never));
      const merged = facts.filter(({ hash }) => colors().has(hash));
      const sum = (of: "blocks" | "reds" | "transactions"): number =>
        history.points.reduce((total, point) => total + point[of], 0);
      expect(sum("blocks")).toBe(merged.length);
      expect(sum("transactions")).toBe(
        merged.reduce((total, { txids }) => total + txids.length - 1, 0),
      );
      expect(sum("reds")).toBe([...colors().values()].filter((color) => color === "red").length);
    },
  );

  it("has each reorganisation that was told of, and the fullest minutes", async () => {
    const log: {
      count: number;
      maxDepth: number;
      histogram: Record<string, number>;
      recent: { depth: number; forkPoint: string | null; oldTip: string }[];
    } = await wire("reorgs", scene.index.reorgs(200, scene.never));
    expect(log.count).toBeGreaterThan(5);
    expect(log.recent).toHaveLength(log.count);
    const depths = log.recent.map(({ depth }) => depth);
    expect(Math.max(...depths)).toBe(log.maxDepth);
    for (const [depth, count] of Object.entries(log.histogram)) {
      expect(depths.filter((one) => String(one) === depth)).toHaveLength(count);
    }
    for (const { forkPoint, oldTip, depth } of log.recent) {
      let at = oldTip;
      for (let step = 0; step < depth; step += 1) {
        at = facts.find(({ hash }) => hash === at)?.selectedParent ?? "";
      }
      expect(at).toBe(forkPoint);
    }
    const extremes: {
      widest: { minute: number; count: number }[];
      reddest: { minute: number; count: number }[];
      deepest: { depth: number }[];
    } = await wire("extremes", scene.index.extremes(scene.never));
    expect(extremes.deepest[0]?.depth).toBe(log.maxDepth);
    const told = colors();
    const count = (minute: number, color: string | null): number =>
      facts.filter(
        ({ hash, timestamp }) =>
          Number(timestamp / MINUTE_MS) === minute &&
          told.has(hash) &&
          (color === null || told.get(hash) === color),
      ).length;
    const minutes = new Set(facts.map(({ timestamp }) => Number(timestamp / MINUTE_MS)));
    for (const [list, color] of [
      [extremes.widest, null],
      [extremes.reddest, "red"],
    ] as const) {
      const [top] = list;
      expect(top?.count).toBe(Math.max(...[...minutes].map((minute) => count(minute, color))));
      for (const one of list.slice(0, 3)) expect(one.count).toBe(count(one.minute, color));
    }
  });
});

describe("miners", () => {
  it("are grouped by address, red blocks counted, addresses with their middle left out", async () => {
    const document: {
      totalBlocks: number;
      red: number;
      networkHashrate: number;
      miners: {
        label: string;
        blocks: number;
        red: number;
        share: number;
        hashrate: number;
        source: string;
      }[];
    } = await wire("miners", scene.index.miners(scene.never));
    const since = scene.clock.nowMs() - 3_600_000n;
    const inside = facts.filter(({ hash, timestamp }) => colors().has(hash) && timestamp >= since);
    expect(document.totalBlocks).toBe(inside.length);
    expect(document.miners.length).toBe(2);
    const sum = (of: "blocks" | "red" | "share" | "hashrate"): number =>
      document.miners.reduce((total, miner) => total + miner[of], 0);
    expect(sum("blocks")).toBe(document.totalBlocks);
    expect(sum("red")).toBe(document.red);
    expect(sum("share")).toBeCloseTo(1, 9);
    expect(sum("hashrate")).toBeCloseTo(document.networkHashrate, 9);
    for (const { label, source } of document.miners) {
      expect(label).toMatch(/^svcsim:\w{6}…\w{6}$/);
      expect(source).toBe("address");
    }
  });
});

it("tells of merged mining that there is none where no work is asked for", async () => {
  const document = await wire("mergedMining", scene.index.mergedMining(scene.never));
  expect(document).toMatchObject({ mergeMined: 0, share: 0, peers: 2, nodes: [], probing: false });
  const inside = facts.filter(({ hash }) => colors().has(hash));
  expect(document.checked).toBe(inside.length);
});

describe("the search by prefix", () => {
  /** All entries of a bucket: the beginning of the hash, and what it is. */
  function entriesOf(text: string): { hash: string; kind: number; daaScore: number }[] {
    const bytes = Buffer.from(text, "base64");
    return Array.from({ length: bytes.length / 14 }, (_, at) => ({
      hash: bytes.toString("hex", at * 14, at * 14 + 8),
      kind: bytes[at * 14 + 8] ?? 0,
      daaScore: bytes.readUIntBE(at * 14 + 9, 5),
    }));
  }

  it("gives every hash that begins so, with what it is, and no other", async () => {
    const index: { hashes: number } = await wire("index", scene.index.index(scene.never));
    const ids = new Set([
      ...hashes,
      scene.node.tip().genesis,
      ...facts.flatMap(({ txids }) => txids),
    ]);
    // The coinbase of genesis is no transaction of these blocks.
    expect(index.hashes - ids.size).toBeLessThanOrEqual(1);
    const bits = Math.floor(Math.log2(index.hashes / 350));
    expect(bits).toBeGreaterThan(0);
    for (let bucket = 0; bucket < 2 ** bits; bucket += 1) {
      const prefix = (bucket << (4 - bits)).toString(16);
      const answer: { entries: string } = await wire(
        "searchBucket",
        scene.index.searchBucket(bits, prefix, scene.never),
      );
      const entries = entriesOf(answer.entries);
      expect(entries.length).toBeGreaterThanOrEqual(256);
      expect(answer.entries.length).toBeLessThanOrEqual(16_384 * 2);
      const listed = new Set(entries.map(({ hash }) => hash));
      const isInside = (hash: string): boolean =>
        parseInt(hash.slice(0, 1), 16) >> (4 - bits) === bucket;
      for (const hash of ids)
        expect([hash, listed.has(hash.slice(0, 16))]).toEqual([hash, isInside(hash)]);
      expect(entries.map(({ hash }) => hash)).toEqual([...listed].toSorted());
    }
  });

  it("says what each is", async () => {
    const told = colors();
    const chainHashes = new Set(chain.map(({ hash }) => hash as string));
    const applied = new Set(
      chain.flatMap((one) => one.applied.map(({ txid }) => txid.slice(0, 16))),
    );
    const kinds = new Map<string, number>();
    for (const prefix of ["0", "8"]) {
      const { entries }: { entries: string } = await wire(
        "searchBucket",
        scene.index.searchBucket(1, prefix, scene.never),
      );
      for (const { hash, kind } of entriesOf(entries)) kinds.set(hash, kind);
    }
    for (const hash of hashes) {
      const color = told.get(hash);
      const kind = chainHashes.has(hash) ? 0 : color === "blue" ? 1 : color === "red" ? 2 : 3;
      expect([hash, kinds.get(hash.slice(0, 16))]).toEqual([hash, kind]);
    }
    for (const id of applied) expect(kinds.get(id)).toBe(4);
  });

  it("refuses a bucket that is too small to hide in, and one that is too large", async () => {
    const refusal = (bits: number, prefix: string): Promise<string> =>
      rejectionCode(scene.index.searchBucket(bits, prefix, scene.never), "answered");
    expect(await refusal(8, "ab")).toBe("api/bad-field");
    expect(await refusal(40, "abcdef0123")).toBe("api/bad-field");
    expect(await refusal(1, "4")).toBe("api/bad-field");
    expect(await refusal(1, "80")).toBe("api/bad-field");
    expect(await refusal(0, "-")).toBe("api/bad-field");
    expect(await refusal(1, "8")).toBe("answered");
  });
});

it("keeps of a peer's address the subnetwork alone, in its documents and on its disk", async () => {
  const note = relayNotes(scene.index);
  const { sink } = scene.node.tip();
  for (const ip of ["203.0.113.77", "2001:db8:7:1::2", "abc.onion"]) note(asBlockHash(sink), ip);
  await scene.index.writer.written();
  const { observed } = scene.index.writer;
  const nets = relaysIn(observed, scene.clock.nowMs() / 3_600_000n, 10).map(({ net }) => net);
  expect(nets.toSorted()).toEqual(["2001:db8:7::/48", "203.0.113.x", "name"]);
  const rows = OBSERVED_LAYOUT.tables.flatMap(({ number: table }) =>
    observed.range({ table, from: new Uint8Array(), to: KEYS_END, limit: 10_000 }),
  );
  const bytes = Buffer.concat(rows.flatMap(({ key, value }) => [key, value])).toString("latin1");
  expect(bytes).toContain("203.0.113.x");
  expect(bytes).not.toMatch(/203\.0\.113\.77|2001:db8:7:1|onion/);
});

it("says what it covers", async () => {
  const { coveredFrom, isComplete, head } = scene.index.coverage();
  expect([coveredFrom?.daaScore, isComplete]).toEqual([0n, true]);
  expect(head?.hash).toBe(asBlockHash(scene.node.tip().sink));
  expect(await wire("index", scene.index.index(scene.never))).toMatchObject({
    sink: scene.node.tip().sink,
    behind: 0,
    isRebuilding: false,
    progress: 1,
    isComplete: true,
  });
});
