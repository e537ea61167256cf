/** Checks of a peer's chain before it replaces the one in use; a refusal changes nothing. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import type { ReaderHost } from "@svc/node-server/engine/read/readerHost.ts";
import { StagedImport } from "@svc/node-server/engine/import/stagedImport.ts";
import { headerHash } from "@svc/node-server/p2p/head/headerHash.ts";
import type { Peer } from "@svc/node-server/p2p/peers/peer.ts";
import { createServing } from "@svc/node-server/p2p/serve/createServing.ts";
import { syncFromSnapshot } from "@svc/node-server/p2p/sync/syncFromSnapshot.ts";
import { SyncMeter, type SyncStage } from "@svc/node-server/p2p/sync/syncMeter.ts";
import { linkedPeer } from "@svc/node-server/p2p/testkit/linkedPeer.ts";
import { ManualClock } from "@svc/node-server/platform/time/clock.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import type { Kv } from "@svc/node-server/storage/kv.ts";
import { CONSENSUS_LAYOUT } from "@svc/node-server/storage/layout.ts";
import { openStore } from "@svc/node-server/storage/openStore.ts";
import { stagingFolder } from "@svc/node-server/storage/storeFolders.ts";
import { asBlockHash, type BlockHash } from "@svc/shared/base/brand.ts";
import { P2P_LIMITS } from "@svc/node-server/p2p/p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { OWN_SERVICES } from "@svc/shared/protocol/p2p/p2pServices.ts";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { core, NOW_MS, START_MS } from "./engineFixture.ts";
import { EngineNode, hashOf, importSteps, run, SourceNode } from "./importFixture.ts";
import { mirror } from "../rpc/servingFixture.ts";
import { smallNetwork } from "../node/smallNetwork.ts";
import { smallEngine } from "./stagedFixture.ts";
import { isAnswerTo } from "@svc/node-server/engine/calls/engineQuestions.ts";
import { takeQuestion } from "@svc/node-server/engine/calls/engineQuestions.ts";

/** Rounds of two blocks until the pruning point has moved once. */
const ROUNDS = 97;
const log = createLog("silent");
const clock = new ManualClock(NOW_MS);
const { signal } = new AbortController();

const { path: root, remove } = temporaryFolder();
const closers: (() => Promise<void>)[] = [];

/** A chain of that length behind a first block of its own, and a new link to a peer that serves it. */
type Served = { readonly source: SourceNode; readonly connect: () => Peer };

/** Two chains with nothing in common but genesis, of the same blue work and the same times. */
let one: Served;
let other: Served;

beforeAll(async () => {
  one = await serve(3);
  other = await serve(4);
  expect(one.source.tip().headersBlueWork).toBe(other.source.tip().headersBlueWork);
  expect(one.source.tip().pruningPoint).not.toBe(other.source.tip().pruningPoint);
});

afterAll(async () => {
  for (const close of closers) await close();
  remove();
});

/** Extends a chain by a block of its own. */
function mineOne(node: EngineNode, payTo: number, timeMs: bigint): Uint8Array {
  const block = node.build(payTo, [], timeMs);
  expect(node.insert(block)).toBe("accepted");
  node.settle();
  return block;
}

async function serve(payTo: number): Promise<Served> {
  const source = new SourceNode();
  source.blocks.push(mineOne(source, payTo, START_MS));
  source.mine(ROUNDS);
  source.prune();
  const folder = join(root, `served-${payTo}`);
  const { store }: { store: Kv } = await openStore(folder, CONSENSUS_LAYOUT);
  mirror(source.store, store);
  const serving = createServing({
    root: folder,
    profile: core.canonicalProfile(smallNetwork()),
    // Nothing here may ask it.
    engine: {
      ask: () => Promise.reject(new SvcError("internal/unexpected", { message: "asked" })),
    },
    clock,
    log,
  });
  serving.host.start();
  closers.push(async () => {
    await serving.host.stop();
    await store.close();
  });
  const connect = (): Peer => {
    const options = { services: OWN_SERVICES };
    const { peer, remote, start } = linkedPeer(clock, serving.flows, `peer ${payTo}`, options);
    start();
    return { ...peer, link: remote };
  };
  return { source, connect };
}

/** A node that began at the pruning point of a chain and has all of it. */
function begunAt({ source }: Served): EngineNode {
  const { pruningPoint: point } = source.tip();
  const above = source.blocks.slice(source.blocks.findIndex((raw) => hashOf(raw) === point) + 1);
  const reader = source.reader();
  const steps = importSteps({ reader, point, above });
  reader.free();
  const node = new EngineNode();
  run(node, steps);
  node.settle();
  expect(node.tip().sink).toBe(source.tip().sink);
  return node;
}

/** The proof of a node's pruning point, as it serves it. */
function proofOf(node: EngineNode): Uint8Array {
  const reader = node.reader();
  const exporter = callCore(() => new core.Exporter(reader, node.tip().pruningPoint));
  const proof = callCore(() => exporter.proof(reader));
  exporter.free();
  reader.free();
  return proof;
}

type Options = {
  readonly checkpoint?: BlockHash;
  readonly onBegin?: (stage: SyncStage) => void;
};

/** Begins anew with a peer. Returns the code of the refusal; "begun" when its chain was put in place. */
async function begin(own: EngineNode, { source, connect }: Served, options: Options = {}) {
  const folder = join(root, "own");
  let committed = 0;
  const ask: ReaderHost["ask"] = async (question, args) => {
    const answer = callCore(() => takeQuestion(own.engine, question, args));
    if (!isAnswerTo(question, answer)) throw new Error(`no answer to ${question}`);
    return answer;
  };
  const { headersTip, pruningPoint, sinkBlueScore } = source.tip();
  const point = asBlockHash(pruningPoint);
  const forkPoint = { sink: asBlockHash(headersTip), point, known: null };
  const parts: Parameters<typeof syncFromSnapshot>[0] = {
    reader: { ask },
    stage: () =>
      new StagedImport({
        root: folder,
        createEngine: (at, onFatal) => smallEngine(at, [], onFatal),
        clock,
        log,
      }),
    commit: async (staged) => {
      expect(staged.isFinished).toBe(true);
      committed += 1;
      await staged.abandon();
    },
    ownProof: async () => proofOf(own),
    hashOf: (header) => headerHash(core, header),
    meter: new SyncMeter(clock, options.onBegin),
    nowMs: () => NOW_MS,
    steadyMs: () => clock.steadyMs(),
    comparison: { peers: () => [], isLooking: () => false, clock, log },
    checkpoint: options.checkpoint ?? null,
  };
  const [before, peer] = [own.tip(), connect()];
  const sync = syncFromSnapshot(parts, { peer, forkPoint, blueScore: sinkBlueScore }, signal);
  const code = await rejectionCode(sync, "begun");
  expect(committed).toBe(code === "begun" ? 1 : 0);
  expect(existsSync(stagingFolder(folder))).toBe(false);
  if (options.onBegin === undefined) expect(own.tip()).toEqual(before);
  return code;
}

describe("a chain that is begun with anew", () => {
  test("takes the place of a chain that is ten minutes older, and not of a younger one", async () => {
    const { sinkTimestamp } = one.source.tip();
    const tenBefore = sinkTimestamp - BigInt(P2P_LIMITS.syncYoungerMs);
    for (const [timeMs, code] of [
      [tenBefore, "begun"],
      [tenBefore + 1n, "sync/not-ahead"],
    ] as const) {
      const own = new EngineNode();
      mineOne(own, 5, timeMs);
      expect(own.tip().sinkTimestamp).toBe(timeMs);
      expect(await begin(own, one)).toBe(code);
    }
  });

  test("must show more work than the point that a peer gave, however young it is", async () => {
    const own = begunAt(one);
    expect(await begin(own, other)).toBe("sync/not-ahead");
    // Its own point proves nothing against itself.
    expect(await begin(own, one)).toBe("sync/not-ahead");
  });

  test("must have more work when all of it is here, not only when it was begun with", async () => {
    const own = new EngineNode();
    const stages: SyncStage[] = [];
    const onBegin = (stage: SyncStage): void => {
      stages.push(stage);
      if (stage !== "state") return;
      // Meanwhile this node hears of a heavier chain.
      for (const block of other.source.blocks) expect(own.insert(block)).toBe("accepted");
      own.settle();
      mineOne(own, 5, START_MS + 1_000_000n);
    };
    expect(await begin(own, one, { onBegin })).toBe("sync/not-ahead");
    expect(stages).toEqual(["proof", "trusted", "headers", "state"]);
    const { headersBlueWork } = own.tip();
    expect(BigInt(`0x${headersBlueWork}`)).toBeGreaterThan(
      BigInt(`0x${one.source.tip().headersBlueWork}`),
    );
  });

  test("leads through the pruning point that this node came to by itself", async () => {
    expect(await begin(other.source, one)).toBe("sync/finality-conflict");
    // The same chain does; there is only nothing ahead of it.
    const behind = new SourceNode();
    for (const block of one.source.blocks) behind.insert(block);
    behind.settle();
    expect(behind.tip().pruningPoint).toBe(one.source.tip().pruningPoint);
    expect(await begin(behind, one)).toBe("sync/not-ahead");
  });

  test("holds the block that the operator asks for, on its chain", async () => {
    const { source } = one;
    const own = new EngineNode();
    const top = callCore(() => source.engine.chainIndexOf(source.tip().sink)) ?? 0n;
    const at = (below: bigint): BlockHash =>
      asBlockHash(callCore(() => source.engine.chainHashAt(top - below)) ?? "");
    const chain = new Set(Array.from({ length: 20 }, (_, below) => at(BigInt(below))));
    const recent = source.blocks.slice(-20).map((raw) => asBlockHash(hashOf(raw)));
    const beside = recent.find((hash) => !chain.has(hash));
    expect(beside).toBeDefined();
    for (const [checkpoint, code] of [
      [at(0n), "begun"],
      [at(5n), "begun"],
      [beside, "sync/checkpoint-missing"],
      [asBlockHash(other.source.tip().sink), "sync/checkpoint-missing"],
    ] as const) {
      expect(await begin(own, one, checkpoint === undefined ? {} : { checkpoint })).toBe(code);
    }
  });
});
