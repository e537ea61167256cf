/** Nodes of a network whose pruning point moves every 25 blocks: what they delete, keep and say. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { loadNetwork } from "@svc/node-server/app/program/network.ts";
import type { NodeOptions, RunningNode } from "@svc/node-server/app/node/node.ts";
import { verifyStore } from "@svc/node-server/app/verify/verifyStore.ts";
import type { Log } from "@svc/node-server/platform/log/log.ts";
import { CONSENSUS_LAYOUT, consensusTable, tableName } from "@svc/node-server/storage/layout.ts";
import { KEYS_END, type Kv } from "@svc/node-server/storage/kv.ts";
import { openReadOnly, openStore } from "@svc/node-server/storage/openStore.ts";
import { kvHostStore } from "@svc/node-server/engine/host/kvHostStore.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import type { TipFacts } from "@svc/shared/protocol/facts/tipFacts.ts";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { seededRandom } from "../../testkit/seededRandom.ts";
import { BlockMaker, core, recipient } from "../engine/engineFixture.ts";
import { never, startTestNode, tipOf as tip } from "./nodeFixture.ts";
import { DEPTH, FINALITY, smallNetwork } from "./smallNetwork.ts";
import { changed, trust, verifyOptions } from "../engine/verifyFixture.ts";

let folder: TemporaryFolder;
let running: RunningNode[];
beforeEach(() => {
  folder = temporaryFolder();
  running = [];
  writeFileSync(profileFile(), smallNetwork());
});
afterEach(async () => {
  for (const node of running) await node.stop();
  folder.remove();
});

const profileFile = (): string => join(folder.path, "network.json");

/**
 * Hears in the log of what was swept, which begins before the node has started; `upTo` resolves when everything below
 * a pruning point is gone.
 */
class Sweeps {
  readonly #swept = new Set<unknown>();
  #waiting: (() => void)[] = [];
  readonly log: Log = {
    debug: () => {},
    warn: () => {},
    error: () => {},
    info: (fields: unknown) => {
      if (typeof fields !== "object" || fields === null || !("point" in fields)) return;
      this.#swept.add(fields.point);
      for (const resolve of this.#waiting.splice(0)) resolve();
    },
  };

  async upTo(point: string): Promise<void> {
    while (!this.#swept.has(point)) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
}

async function start(over: Partial<NodeOptions> = {}): Promise<RunningNode> {
  const network = { file: profileFile() };
  const node = await startTestNode(folder.path, { network, grpc: null, http: null, ...over });
  running.push(node);
  return node;
}

/** Makes the blocks of this network; never prunes. */
function maker(): BlockMaker {
  return new BlockMaker(core.canonicalProfile(smallNetwork()));
}

async function submit(node: RunningNode, blocks: readonly Uint8Array[]): Promise<void> {
  for (const block of blocks) {
    expect((await node.api.submitBlock(block, never)).kind).toBe("accepted");
  }
}

/** The pruning point that the store has and the one below which it was swept. */
async function storedPoints(): Promise<{ point: string; swept: string }> {
  const store = openReadOnly(join(folder.path, "svc-prune"), CONSENSUS_LAYOUT);
  const key = new TextEncoder().encode("pruning");
  const record = Buffer.from(store.get(consensusTable("meta"), key) ?? new Uint8Array());
  await store.close();
  const hash = (at: number): string => record.toString("hex", at, at + 32);
  return { point: hash(0), swept: hash(40) };
}

function verified(assumeProofs = true) {
  const profile = loadNetwork(core, { file: profileFile() });
  return verifyStore(verifyOptions(folder.path, { profile, assumeProofs }));
}

/** A store that was pruned, changed by `change`. */
async function withStore(change: (store: Kv) => void): Promise<void> {
  const root = join(folder.path, "svc-prune");
  mkdirSync(root, { recursive: true });
  const { store } = await openStore(root, CONSENSUS_LAYOUT);
  change(store);
  await store.close();
}

/**
 * Tables of which every byte follows from other records of a pruned store; what others say cannot be known without the blocks.
 * The first byte of a header's record is its level, which its work shows: the check of a pruned store does not hash it again.
 */
const HELD_AGAINST_OTHERS: readonly string[] = [
  ...["headers", "bodies", "status", "chain_by_index", "chain_by_hash", "lanes", "lane_nodes"],
];

describe("a pruned store", () => {
  test("is checked to an end whatever byte is damaged, which is named wherever other records tell", async () => {
    const profile = core.canonicalProfile(smallNetwork());
    const source = maker();
    const blocks = Array.from({ length: 240 }, () => source.next(recipient(1)));
    const rows: { table: number; key: Uint8Array; value: Uint8Array }[] = [];
    await withStore((store) => {
      const engine = new core.Engine(kvHostStore(store), profile);
      for (const block of blocks) trust({ engine }, block);
      while (!engine.prune(64).includes('"done":true'));
      engine.free();
      for (const { number } of CONSENSUS_LAYOUT.tables) {
        const all = { table: number, from: new Uint8Array(), to: KEYS_END, limit: 1_000 };
        for (const row of store.range(all)) rows.push({ table: number, ...row });
      }
    });
    expect((await verified()).notes.map(({ code }) => code)).toEqual(["verify/pruned"]);
    const random = seededRandom("damaged pruned stores");
    const seen = new Set<string>();
    const rounds = IS_FULL ? 500 : 10;
    const wellFound = HELD_AGAINST_OTHERS.map((name) =>
      rows.filter(({ table }) => table === consensusTable(name)),
    );
    const pools = [...wellFound, ...Array.from({ length: rounds }, () => rows)];
    for (const [round, pool] of pools.entries()) {
      const row = pool[random.below(pool.length)];
      if (row === undefined || row.value.length === 0) continue;
      const name = tableName(row.table);
      const unseen = name === "headers" ? 1 : 0;
      const value = changed(row.value, unseen + random.below(row.value.length - unseen));
      await withStore((store) => store.commit([{ ...row, value }]));
      const outcome = await rejectionCode(verified(), "same");
      const note = `round ${round}, ${name} ${encodeHex(row.key)}`;
      if (HELD_AGAINST_OTHERS.includes(name)) expect(outcome, note).toBe("verify/difference");
      seen.add(outcome);
      await withStore((store) => store.commit([row]));
    }
    expect(wellFound.every((pool) => pool.length > 0)).toBe(true);
    const known = ["same", "verify/difference", "store/version", "store/profile-mismatch"];
    expect([...seen].filter((code) => !known.includes(code))).toEqual([]);
  });
});

describe("a node that prunes", () => {
  test("deletes what is below the pruning point and goes on as if nothing were missing", async () => {
    const source = maker();
    const blocks = Array.from({ length: 260 }, () => source.next(recipient(1)));
    const genesis = source.engine.chainHashAt(0n) ?? "";
    const first = source.engine.chainHashAt(1n) ?? "";
    const sweeps = new Sweeps();
    const node = await start({ log: sweeps.log });
    const told: unknown[] = [];
    node.api.onEvent((event) => void (event.type === "pruned" && told.push(event)));
    await submit(node, blocks);
    await sweeps.upTo((await tip(node)).pruningPoint);
    const facts = await tip(node);
    expect(facts).toMatchObject({ genesis, sink: source.sink(), historyComplete: true });
    expect(facts.historyFromDaaScore).toBe(0n);
    expect(facts.pruningPoint).not.toBe(genesis);
    expect(Number(facts.blockCount)).toBeLessThan(blocks.length - 2 * FINALITY);
    expect(await node.api.ask("blockBytes", [first])).toBeUndefined();
    await submit(node, [source.next(recipient(1))]);
    expect((await tip(node)).sink).toBe(source.sink());
    expect(told).toContainEqual({
      type: "pruned",
      point: facts.pruningPoint,
      historyFromDaaScore: 0n,
    });
    // Notes are kept for ever, and the chain's index with them.
    expect(await node.api.ask("chainHashAt", [1n])).toBe(first);
    for (let after = genesis, at = 0n; at < facts.chainIndex; at += 100n) {
      expect(await node.api.ask("records", [after, 100])).toEqual(
        source.engine.records(after, 100),
      );
      after = source.engine.chainHashAt(at + 100n) ?? "";
    }
    expect(await failures(node, facts)).toEqual([]);
    await node.stop();
    const { notes } = await verified();
    expect(notes.map(({ code }) => code)).toEqual(["verify/pruned"]);
  });

  test("goes on in the middle of a sweep after a restart, without a new block", async () => {
    const source = maker();
    // The last block moves the pruning point for the first time.
    const blocks = Array.from({ length: DEPTH + FINALITY + 1 }, () => source.next(recipient(1)));
    await withStore((store) => {
      const engine = new core.Engine(kvHostStore(store), core.canonicalProfile(smallNetwork()));
      for (const block of blocks) trust({ engine }, block);
      // One step of a sweep, as when the process is killed right after it.
      expect(engine.prune(4)).toContain('"done":false');
      engine.free();
    });
    const before = await storedPoints();
    expect(before.point).not.toBe(before.swept);
    // Whoever starts it hears of the end of the sweep in one of these logs.
    const sweeps = new Sweeps();
    await (await start({ log: sweeps.log })).stop();
    const last = await start({ log: sweeps.log });
    await sweeps.upTo(before.point);
    await last.stop();
    expect(await storedPoints()).toEqual({ point: before.point, swept: before.point });
    expect((await verified()).notes.map(({ code }) => code)).toEqual(["verify/pruned"]);
  });

  test("an archival node keeps every body, has the same pruning point, and sweeps when it may", async () => {
    const source = maker();
    const blocks = Array.from({ length: 240 }, () => source.next(recipient(1)));
    const first = source.engine.chainHashAt(1n) ?? "";
    const node = await start({ archival: true });
    await submit(node, blocks);
    const facts = await tip(node);
    expect(node.api.status().isArchival).toBe(true);
    expect(facts.pruningPoint).not.toBe(facts.genesis);
    expect(facts.blockCount).toBe(241n);
    expect(await node.api.ask("blockBytes", [first])).toEqual(blocks[0]);
    await node.stop();
    expect(await verified(false)).toEqual({ blocks: 241, notes: [] });
    const sweeps = new Sweeps();
    const other = await start({ confirmed: true, log: sweeps.log });
    await sweeps.upTo(facts.pruningPoint);
    expect((await tip(other)).blockCount).toBeLessThan(241n);
    expect(await other.api.ask("blockBytes", [first])).toBeUndefined();
    expect(await tip(other)).toMatchObject({ historyFromDaaScore: 0n, historyComplete: true });
  });
});

/** Every question about a block. */
function questionsAbout(
  { api }: RunningNode,
  hash: string,
): Readonly<Record<string, () => Promise<unknown>>> {
  return {
    blockBytes: () => api.ask("blockBytes", [hash]),
    transactionBytes: () => api.ask("transactionBytes", [hash, 0]),
    blockFacts: () => api.ask("blockFacts", [hash]),
    chainFacts: () => api.ask("chainFacts", [hash]),
    recordOf: () => api.ask("recordOf", [hash]),
    records: () => api.ask("records", [hash, 10]),
    treeState: () => api.ask("treeState", [hash]),
    shieldedFacts: () => api.ask("shieldedFacts", [hash]),
    blocksFrom: () => api.ask("blocksFrom", [hash, 10]),
    virtualChainFrom: () => api.ask("virtualChainFrom", [hash, 10]),
    anchors: () => api.ask("anchors", [0n, 1_000]),
  };
}

/** What fails with anything but a refusal, asked about blocks that are gone, that just stay, and that are there. */
async function failures(node: RunningNode, facts: TipFacts): Promise<string[]> {
  const point = (await node.api.ask("chainIndexOf", [facts.pruningPoint])) ?? 0n;
  const about = [0n, 1n, 7n, point - 50n, point - 1n, point, point + 1n, facts.chainIndex];
  const failed: string[] = [];
  for (const index of about.filter((number) => number >= 0n)) {
    const hash = (await node.api.ask("chainHashAt", [index])) ?? "";
    for (const [name, ask] of Object.entries(questionsAbout(node, hash))) {
      const code = await rejectionCode(ask(), "answered");
      if (/^(?:store|internal|engine)\//.test(code)) failed.push(`${index} ${name} ${code}`);
    }
  }
  return failed;
}
