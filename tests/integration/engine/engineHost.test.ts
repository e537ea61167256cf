/** The engine's host with a real thread, a real core and LMDB on disk. */
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { VirtualChanged } from "@svc/node-server/engine/calls/engineFacts.ts";
import type { NodeEvent } from "@svc/node-server/engine/host/engineHost.ts";
import { BlockIngest } from "@svc/node-server/engine/ingest/blockIngest.ts";
import { WorkRateLimiter } from "@svc/node-server/engine/verify/workRateLimiter.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { CONSENSUS_LAYOUT } from "@svc/node-server/storage/layout.ts";
import { META_BYTES, newerMeta, readMeta } from "@svc/node-server/storage/lmdbMeta.ts";
import { databaseFile } from "@svc/node-server/storage/openStore.ts";
import { decodeRawBlock } from "@svc/shared/protocol/raw/rawBlock.ts";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { BlockMaker, NOW_MS, recipient, simnet, core, sinkOf, startHost } from "./engineFixture.ts";
import { askFacts } from "@svc/node-server/engine/calls/askFacts.ts";

let folder: TemporaryFolder;

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** How many commits the database on disk has seen. */
function commitsIn(root: string): number {
  const file = readFileSync(databaseFile(root, CONSENSUS_LAYOUT.name));
  const first = readMeta(file.subarray(0, META_BYTES), 0);
  const second = readMeta(file.subarray(first.pageBytes, first.pageBytes + META_BYTES), 1);
  return Number(newerMeta(first, second).transaction);
}

async function sink(host: Awaited<ReturnType<typeof startHost>>): Promise<string> {
  return sinkOf(await host.engine.ask("tip", []));
}

describe("engine host", () => {
  test("blocks in, facts out, and the sink survives stop and start", async () => {
    const maker = new BlockMaker();
    const first = await startHost(folder.path);
    expect(await sink(first)).toBe(core.genesisHash(simnet));
    const events: NodeEvent[] = [];
    first.engine.onEvent((event) => events.push(event));
    for (let i = 0; i < 20; i += 1) {
      const outcome = await first.engine.insertBlock(maker.next(recipient(1)), NOW_MS);
      expect(outcome.kind).toBe("accepted");
    }
    expect(await sink(first)).toBe(maker.sink());
    expect(events.map((event) => event.type)).toEqual(
      Array.from({ length: 20 }, () => ["blockAdded", "virtualChanged"]).flat(),
    );
    await first.engine.stop();
    await first.engine.stop();
    await expect(first.engine.ask("tip", [])).rejects.toThrow("node/stopping");

    const second = await startHost(folder.path);
    expect(await sink(second)).toBe(maker.sink());
    const again = await second.engine.insertBlock(maker.next(recipient(1)), NOW_MS);
    expect(again.kind).toBe("accepted");
    expect(await sink(second)).toBe(maker.sink());
    await second.engine.stop();
  });

  test("the same blocks give the same store and answers in memory and on disk", async () => {
    const maker = new BlockMaker();
    const onDisk = await startHost(folder.path);
    const inMemory = await startHost(null);
    for (let i = 0; i < 30; i += 1) {
      const block = maker.next(recipient(i % 3));
      await onDisk.engine.insertBlock(block, NOW_MS);
      await inMemory.engine.insertBlock(block, NOW_MS);
    }
    const genesis = core.genesisHash(simnet);
    for (const host of [onDisk, inMemory]) {
      expect(await host.engine.ask("tip", [])).toBe(maker.engine.tip());
      expect(await host.engine.ask("records", [genesis, 100])).toEqual(
        maker.engine.records(genesis, 100),
      );
      expect(await host.engine.ask("blockBytes", [maker.sink()])).toEqual(
        maker.engine.blockBytes(maker.sink()),
      );
      await host.engine.stop();
    }
  });

  test("bulk loading shares commits; answers and events wait for them", async () => {
    const maker = new BlockMaker();
    const blocks = Array.from({ length: 60 }, () => maker.next(recipient(1)));
    const host = await startHost(folder.path);
    let added = 0;
    host.engine.onEvent((event) => {
      if (event.type === "virtualChanged") added += event.added.length;
    });
    host.engine.setGroupCommit(true);
    const before = commitsIn(folder.path);
    const outcomes = await Promise.all(blocks.map((raw) => host.engine.insertBlock(raw, NOW_MS)));
    expect(outcomes.every((outcome) => outcome.kind === "accepted")).toBe(true);
    expect(added).toBe(60);
    expect(commitsIn(folder.path) - before).toBeLessThan(blocks.length / 2);
    host.engine.setGroupCommit(false);
    await host.engine.stop();
    // Gathering proofs has begun a thread that writes below the folder.
    await host.verifiers.stop();
    const reopened = await startHost(folder.path);
    expect(await sink(reopened)).toBe(maker.sink());
    await reopened.engine.stop();
  });

  test("a deep change comes in pages, each of them a whole chain", async () => {
    const [left, right] = [new BlockMaker(), new BlockMaker()];
    const host = await startHost(folder.path);
    for (let i = 0; i < 100; i += 1) {
      await host.engine.insertBlock(left.next(recipient(1)), NOW_MS);
    }
    const branch = Array.from({ length: 101 }, () => right.next(recipient(2)));
    const pages: VirtualChanged[] = [];
    host.engine.onEvent((event) => {
      if (event.type === "virtualChanged") pages.push(event);
    });
    const outcomes = branch.map((raw) => host.engine.insertBlock(raw, NOW_MS));
    await Promise.all(outcomes);
    expect(await sink(host)).toBe(right.sink());
    // Level branches are told apart by their hashes, so the last block may come as a change of its own.
    const end = pages.findIndex(({ last }) => last);
    expect(end).toBeGreaterThan(1);
    expect(pages.slice(end).every(({ last }) => last)).toBe(true);
    for (const { removed, added } of pages) {
      expect(Math.max(removed.length, added.length)).toBeLessThanOrEqual(64);
    }
    expect(pages.flatMap(({ removed }) => removed).length).toBe(100);
    expect(pages.flatMap(({ added }) => added).length).toBeGreaterThanOrEqual(100);
    expect(pages.at(-1)?.sink).toBe(right.sink());
    await host.engine.stop();
  });

  test("questions are answered between blocks, foreign bytes get their own error", async () => {
    const maker = new BlockMaker();
    const host = await startHost(folder.path);
    await expect(host.engine.insertBlock(new Uint8Array([1, 2, 3]), NOW_MS)).rejects.toThrow(
      "codec/",
    );
    await expect(host.engine.checkTransaction(new Uint8Array(5))).rejects.toThrow("codec/");
    await expect(host.engine.ask("treeState", ["zz"])).rejects.toThrow("engine/bad-call");
    expect(await host.engine.ask("blockBytes", ["00".repeat(32)])).toBeUndefined();
    await expect(host.engine.ask("records", ["00".repeat(32), 5])).rejects.toThrow(
      "chain/unknown-block",
    );
    const waiting = Array.from({ length: 10 }, () =>
      host.engine.insertBlock(maker.next(recipient(1)), NOW_MS),
    );
    const tip = host.engine.ask("tip", []);
    expect(sinkOf(await tip)).not.toBe(maker.sink());
    await Promise.all(waiting);
    expect(await sink(host)).toBe(maker.sink());
    await host.engine.stop();
  });

  test("a wait can be cancelled; the block is taken in all the same", async () => {
    const maker = new BlockMaker();
    const host = await startHost(folder.path);
    const cancel = new AbortController();
    const inserted = host.engine.insertBlock(maker.next(recipient(1)), NOW_MS, {
      signal: cancel.signal,
    });
    cancel.abort();
    await expect(inserted).rejects.toThrow("run/aborted");
    expect((await host.engine.insertBlock(maker.next(recipient(1)), NOW_MS)).kind).toBe("accepted");
    expect(await sink(host)).toBe(maker.sink());
    await host.engine.stop();
  });

  test("headers come first: they are durable, move nothing, and their bodies follow", async () => {
    const maker = new BlockMaker();
    const blocks = Array.from({ length: 12 }, () => maker.next(recipient(1)));
    const headers = blocks.map((raw) => ({ header: decodeRawBlock(raw).header }));
    const host = await startHost(folder.path);
    const { engine, clock } = host;
    const work = new WorkRateLimiter(clock);
    const ingest = new BlockIngest({ engine, work, clock, log: createLog("silent") });
    const before = await askFacts(engine, "tip", []);
    const outcomes = await ingest.submitHeaders(headers, { source: "a" });
    expect(outcomes.map(({ kind }) => kind)).toEqual(blocks.map(() => "accepted"));
    const after = await askFacts(engine, "tip", []);
    expect(after.sink).toBe(before.sink);
    expect(after.headersTip).toBe(outcomes.at(-1)?.hash);
    expect(after.headersBlueScore).toBe(12n);
    const again = await ingest.submitHeaders(headers.slice(0, 2));
    expect(again).toMatchObject([
      { kind: "accepted", new: false },
      { kind: "accepted", new: false },
    ]);
    // While blocks share commits headers do not wait for them.
    engine.setGroupCommit(true);
    const next = maker.next(recipient(1));
    const grouped = await ingest.submitHeaders([{ header: decodeRawBlock(next).header }]);
    expect(grouped).toMatchObject([{ kind: "accepted", new: true }]);
    engine.setGroupCommit(false);
    for (const raw of [...blocks, next]) expect((await ingest.submit(raw)).kind).toBe("accepted");
    const tip = await askFacts(engine, "tip", []);
    expect(tip.sink).toBe(tip.headersTip);
    expect(tip.chainIndex).toBe(13n);
  });

  test("blocks in any order: orphans wait for their parents", async () => {
    const maker = new BlockMaker();
    const blocks = Array.from({ length: 12 }, () => maker.next(recipient(1)));
    const host = await startHost(folder.path);
    const ingest = new BlockIngest({
      engine: host.engine,
      work: new WorkRateLimiter(host.clock),
      clock: host.clock,
      log: createLog("silent"),
    });
    for (const block of blocks.slice(1).toReversed()) {
      expect((await ingest.submit(block)).kind).toBe("missingParents");
    }
    expect(ingest.orphans).toBe(11);
    const [first = new Uint8Array()] = blocks;
    expect((await ingest.submit(first)).kind).toBe("accepted");
    expect(ingest.orphans).toBe(0);
    expect(await sink(host)).toBe(maker.sink());
    await host.engine.stop();
  });

  test("the reader answers like the engine, at once after every commit", async () => {
    const maker = new BlockMaker();
    const host = await startHost(folder.path);
    host.reader.start();
    await host.reader.ready;
    const genesis = core.genesisHash(simnet);
    for (let i = 0; i < 15; i += 1) {
      await host.engine.insertBlock(maker.next(recipient(1)), NOW_MS);
      const sinkNow = maker.sink();
      expect(await host.reader.ask("tip", [])).toBe(maker.engine.tip());
      expect(await host.reader.ask("records", [genesis, 100])).toEqual(
        maker.engine.records(genesis, 100),
      );
      expect(await host.reader.ask("chainFacts", [sinkNow])).toBe(maker.engine.chainFacts(sinkNow));
    }
    await expect(host.reader.ask("treeState", ["zz"])).rejects.toThrow("engine/bad-call");
    await expect(host.reader.ask("treeState", ["00".repeat(32)])).rejects.toThrow(
      "chain/unknown-block",
    );
    await host.reader.stop();
    await host.reader.stop();
    await expect(host.reader.ask("tip", [])).rejects.toThrow("node/stopping");
    await host.engine.stop();
  });

  test("a store of another profile is refused at start", async () => {
    const host = await startHost(folder.path);
    await host.engine.stop();
    const { createEngine } = await import("@svc/node-server/engine/startEngine.ts");
    const other = createEngine({
      root: folder.path,
      archival: false,
      profile: core.builtInProfile("devnet"),
      proofs: { prover: "own", threads: null },
      clock: host.clock,
      log: createLog("silent"),
      onFatal: () => {},
    });
    await expect(other.engine.start()).rejects.toThrow("store/profile-mismatch");
    await other.engine.stop();
  });
});
