/** A store begun at a pruning point in a thread beside the one in use, and put in its place. */
import { cpSync, existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { swapStore } from "@svc/node-server/engine/import/swapStore.ts";
import type { EngineHost } from "@svc/node-server/engine/host/engineHost.ts";
import { HistoryImport, type Settled } from "@svc/node-server/engine/import/historyImport.ts";
import { createEngine, createStagedImport } from "@svc/node-server/engine/startEngine.ts";
import { ManualClock } from "@svc/node-server/platform/time/clock.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import {
  removeLeftovers,
  settleFolders,
  swapSteps,
  type Keeping,
} from "@svc/node-server/storage/storeFolders.ts";
import { ENGINE_LIMITS } from "@svc/node-server/engine/engineLimits.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { SvcError } from "@svc/shared/base/svcError.ts";
import { readTipFacts, type TipFacts } from "@svc/shared/protocol/facts/tipFacts.ts";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { core, NOW_MS } from "./engineFixture.ts";
import { EngineNode, hashOf, importSteps, SourceNode, type ImportStep } from "./importFixture.ts";
import { trustingVerifier } from "../node/nodeFixture.ts";
import { smallNetwork } from "../node/smallNetwork.ts";
import { runStaged, smallEngine, startStaged, type Judged } from "./stagedFixture.ts";
import { askFacts } from "@svc/node-server/engine/calls/askFacts.ts";

/** Rounds of two blocks until the pruning point has moved once. */
const ROUNDS = 97;
/** Blocks above the pruning point that are enough to bind its state. */
const FEW = 12;
/** Records of a page of history. */
const RECORDS = 3;
const never: AbortSignal = new AbortController().signal;

let source: SourceNode;
let point: string;
/** All that is served of it, with the headers of few blocks above. */
let steps: readonly ImportStep[];
/** All blocks above it. */
let above: readonly Uint8Array[];
let folder: TemporaryFolder;
const running: EngineHost[] = [];

beforeAll(() => {
  source = new SourceNode();
  source.mine(ROUNDS);
  source.prune();
  point = source.tip().pruningPoint;
  above = source.blocks.slice(source.blocks.findIndex((raw) => hashOf(raw) === point) + 1);
  const reader = source.reader();
  steps = importSteps({ reader, point, above: above.slice(0, FEW) });
  reader.free();
});

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  for (const engine of running.splice(0)) await engine.stop();
  folder.remove();
});

async function open(judged: Judged = []): Promise<EngineHost> {
  const engine = smallEngine(folder.path, judged);
  running.push(engine);
  await engine.start();
  return engine;
}

async function tipOf(engine: EngineHost): Promise<TipFacts> {
  return await askFacts(engine, "tip", []);
}

/** The proof of a pruning point, as a node serves it. */
function proofOf(node: EngineNode, block: string): Uint8Array {
  const reader = node.reader();
  const exporter = callCore(() => new core.Exporter(reader, block));
  const proof = callCore(() => exporter.proof(reader));
  exporter.free();
  reader.free();
  return proof;
}

const indexOf = (call: ImportStep["call"]): number =>
  steps.findLastIndex((step) => step.call === call);
/** The number of the pruning point in the chain. */
const indexOfPoint = (): bigint => callCore(() => source.engine.chainIndexOf(point)) ?? 0n;
const noReader = { whileClosed: (work: () => Promise<void>) => work() };
const log = createLog("silent");

/** The source of history of another store: the records that it wants next. */
function recordsFor(wanted: Extract<Settled, { kind: "wanted" }>): Uint8Array {
  const reader = source.reader();
  const base = callCore(() => reader.chainIndexOf(wanted.base)) ?? 0n;
  const page = callCore(() => core.historyPage(reader, base - BigInt(wanted.below), RECORDS));
  reader.free();
  return page;
}

/** Brings in at most so many pages of history. */
async function fill(engine: EngineHost, pages = Number.POSITIVE_INFINITY): Promise<Settled> {
  const history = new HistoryImport(engine);
  let found = await history.progress(never);
  for (let page = 0; page < pages && found.kind === "wanted"; page += 1) {
    found = await history.take(recordsFor(found), never);
  }
  return found;
}

describe("a staged import", () => {
  test("becomes the node's own store, follows the chain and gets its history", async () => {
    const judged: Judged = [];
    const engine = await open(judged);
    const genesis = (await tipOf(engine)).sink;
    const staged = await startStaged(folder.path, { judged });
    await runStaged(staged, steps);
    expect(staged.isFinished).toBe(true);
    const heard: string[] = [];
    engine.onEvent((event) => heard.push(event.type));
    const waited = engine.ask("tip", []);
    await swapStore(staged, {
      root: folder.path,
      engine,
      reader: noReader,
      keepsOld: false,
      log,
    });
    await waited.catch(() => {});
    expect(heard).toEqual(["engineRestarted"]);
    expect((await tipOf(engine)).pruningPoint).toBe(point);
    expect((await tipOf(engine)).genesis).toBe(genesis);
    for (const raw of above) {
      expect((await engine.insertBlock(raw, NOW_MS)).kind).toBe("accepted");
    }
    const { sink, treeRoot } = source.tip();
    expect(await tipOf(engine)).toMatchObject({ sink, treeRoot });
    // It goes on after a restart, and while blocks come.
    const begun = await fill(engine, 2);
    const lowest = source.engine.chainHashAt(indexOfPoint() - BigInt(2 * RECORDS - 1));
    expect(begun).toEqual({ kind: "wanted", base: point, below: 2 * RECORDS, lowest });
    await engine.replace(async () => {});
    expect(await new HistoryImport(engine).progress(never)).toEqual(begun);
    expect(await fill(engine)).toEqual({ kind: "complete" });
    expect(await tipOf(engine)).toMatchObject({ historyComplete: true, historyFromDaaScore: 0n });
    expect(await engine.ask("records", [genesis, 50])).toEqual(source.engine.records(genesis, 50));
  });

  test("reader and engine of a node let go of the old store, which is deleted", async () => {
    const fatal: SvcError[] = [];
    const options = {
      root: folder.path,
      profile: core.canonicalProfile(smallNetwork()),
      archival: false,
      proofs: { prover: "own", threads: 1 },
      clock: new ManualClock(NOW_MS),
      log,
      spawnVerifier: trustingVerifier,
      onFatal: (error: SvcError) => fatal.push(error),
    } as const;
    const { engine, reader, verifiers } = createEngine(options);
    running.push(engine);
    verifiers.start();
    await engine.start();
    reader.start();
    await reader.ready;
    const old = await askFacts(reader, "tip", []);
    const staged = createStagedImport(options, verifiers);
    await staged.start();
    await runStaged(staged, steps);
    expect(await askFacts(reader, "tip", [])).toEqual(old);
    await swapStore(staged, { root: folder.path, engine, reader, keepsOld: false, log });
    expect((await askFacts(reader, "tip", [])).pruningPoint).toBe(point);
    for (const raw of above) await engine.insertBlock(raw, NOW_MS);
    const tip = await engine.ask("tip", []);
    expect(await reader.ask("tip", [])).toBe(tip);
    expect(readTipFacts(tip).sink).toBe(source.tip().sink);
    await removeLeftovers(folder.path);
    expect(readdirSync(folder.path)).toEqual(["consensus"]);
    await reader.stop();
    await verifiers.stop();
    expect(fatal).toEqual([]);
  });

  test("says whether its chain shows more work than the one in use", async () => {
    const staged = await startStaged(folder.path);
    const work = source.tip().sinkBlueWork;
    const more = (BigInt(`0x${work}`) + 1n).toString(16);
    const served = steps[0]?.bytes ?? new Uint8Array();
    const contest = (proof: Uint8Array, own: string, theirs: string): Promise<boolean> =>
      staged.contest({ proof: proof.slice(), work: own }, theirs, never);
    await expect(contest(served, work, more)).rejects.toThrow("import/out-of-order");
    await runStaged(staged, steps.slice(0, indexOf("importProof") + 1));
    expect(await contest(served, work, work)).toBe(false);
    expect(await contest(served, work, more)).toBe(true);
    // The chain in use has got no further than genesis.
    const fresh = new EngineNode();
    const { genesis, sinkBlueWork } = fresh.tip();
    const none = proofOf(fresh, genesis);
    expect(await contest(none, sinkBlueWork, work)).toBe(true);
    // What is wrong with the own proof is no end of the import.
    await expect(contest(none.slice(0, -1), sinkBlueWork, work)).rejects.toThrow("codec/");
    for (const text of ["", "0x1", "-1", "1g", "0".repeat(49)]) {
      await expect(contest(none, text, work)).rejects.toThrow("engine/bad-call");
    }
    await runStaged(staged, steps.slice(indexOf("importProof") + 1));
    expect(staged.isFinished).toBe(true);
    await expect(contest(served, work, more)).rejects.toThrow("import/out-of-order");
  });

  test("a comparison that takes too long ends the import", async () => {
    const clock = new ManualClock(NOW_MS);
    const staged = await startStaged(folder.path, { clock });
    await runStaged(staged, steps.slice(0, indexOf("importProof") + 1));
    const proof = (steps[0]?.bytes ?? new Uint8Array()).slice();
    const told = staged.contest({ proof, work: "1" }, "1", never);
    clock.advance(ENGINE_LIMITS.importProofMs);
    await expect(told).rejects.toThrow("run/timeout");
    await expect(staged.link(never)).rejects.toThrow("import/out-of-order");
    await staged.abandon();
  });

  test("an import cannot be committed before its end, and calls after it are out of order", async () => {
    const engine = await open();
    const staged = await startStaged(folder.path);
    await runStaged(staged, steps.slice(0, indexOf("importState")));
    await expect(
      swapStore(staged, { root: folder.path, engine, reader: noReader, keepsOld: false, log }),
    ).rejects.toThrow("import/out-of-order");
    await expect(staged.ask("tip", [], never)).rejects.toThrow("engine/not-imported");
    await staged.abandon();
    await staged.abandon();
    await expect(staged.bindingChild(never)).rejects.toThrow("import/out-of-order");
    expect(existsSync(join(folder.path, "staging"))).toBe(false);
    // Another one begins with nothing of it.
    const again = await startStaged(folder.path);
    await runStaged(again, steps);
    await swapStore(again, {
      root: folder.path,
      engine,
      reader: noReader,
      keepsOld: false,
      log,
    });
    expect((await tipOf(engine)).pruningPoint).toBe(point);
  });

  test("what a peer forges is refused, and the same call takes the true page", async () => {
    const staged = await startStaged(folder.path);
    const place = indexOf("importState");
    await runStaged(staged, steps.slice(0, place));
    const forged = (steps[place]?.bytes ?? new Uint8Array()).slice(0, -1);
    await expect(staged.state(forged, never)).rejects.toThrow("codec/");
    await runStaged(staged, steps.slice(place));
    expect(staged.isFinished).toBe(true);
  });

  test("a proof that takes too long is given up with its thread and its folder", async () => {
    const clock = new ManualClock(NOW_MS);
    const staged = await startStaged(folder.path, { clock });
    const judged = staged.proof((steps[0]?.bytes ?? new Uint8Array()).slice(), never);
    clock.advance(ENGINE_LIMITS.importProofMs);
    await expect(judged).rejects.toThrow("run/timeout");
    await staged.abandon();
    expect(existsSync(join(folder.path, "staging"))).toBe(false);
    await expect(staged.link(never)).rejects.toThrow("import/out-of-order");
  });

  test("a caller that cancels ends the import; a question that is cancelled does not", async () => {
    const staged = await startStaged(folder.path);
    const cancel = new AbortController();
    const asked = staged.ask("blockBytes", [point], cancel.signal);
    cancel.abort();
    await expect(asked).rejects.toThrow("run/aborted");
    await runStaged(staged, steps.slice(0, 1));
    await expect(staged.points(new Uint8Array(4), cancel.signal)).rejects.toThrow("run/aborted");
    await staged.abandon();
    await expect(staged.link(never)).rejects.toThrow("import/out-of-order");
  });
});

const dropping = { keepsOld: false };
const keeping = { keepsOld: true };

/** A store in use that is closed, with a finished import beside it; what the one in use says. */
async function importBeside(): Promise<TipFacts> {
  const engine = await open();
  const old = await tipOf(engine);
  await engine.stop();
  await runStaged(await startStaged(folder.path), steps);
  return old;
}

/** Takes so many steps of the change in a copy, settles what a kill leaves then, and looks at it. */
async function killedAfter(
  taken: number,
  kept: Keeping,
  look: (path: string) => Promise<void>,
): Promise<void> {
  const copy = temporaryFolder();
  cpSync(folder.path, copy.path, { recursive: true });
  for (const step of swapSteps(copy.path, kept).slice(0, taken)) step();
  settleFolders(copy.path, kept);
  await look(copy.path);
  copy.remove();
}

/** What a store says when it is opened again. */
async function reopenedTip(path: string): Promise<TipFacts> {
  const reopened = smallEngine(path);
  await reopened.start();
  const tip = await tipOf(reopened);
  await reopened.stop();
  return tip;
}

describe("an archival node that begins anew", () => {
  test("keeps the store of before, also when it is killed between any two steps", async () => {
    const old = await importBeside();
    // There is one from an earlier time already.
    const inUse = join(folder.path, "consensus");
    cpSync(inUse, join(folder.path, "consensus.archive-1"), { recursive: true });
    const count = swapSteps(folder.path, keeping).length;
    for (let taken = 0; taken <= count; taken += 1) {
      await killedAfter(taken, keeping, async (path) => {
        const isSwapped = taken >= 3;
        const kept = isSwapped
          ? ["consensus.archive-1", "consensus.archive-2"]
          : ["consensus.archive-1"];
        expect(readdirSync(path)).toEqual(["consensus", ...kept]);
        if (isSwapped) {
          renameSync(join(path, "consensus"), join(path, "new"));
          renameSync(join(path, "consensus.archive-2"), join(path, "consensus"));
        }
        expect(await reopenedTip(path)).toEqual(old);
      });
    }
  });
});

describe("a node that was killed", () => {
  test("between any two steps of the change has one whole store: the old one or the new one", async () => {
    const old = await importBeside();
    const count = swapSteps(folder.path, dropping).length;
    const found: string[] = [];
    for (let taken = 0; taken <= count; taken += 1) {
      await killedAfter(taken, dropping, async (path) => {
        settleFolders(path, dropping);
        expect(readdirSync(path)).toEqual(["consensus"]);
        const tip = await reopenedTip(path);
        found.push(tip.pruningPoint === point ? "new" : "old");
        if (tip.pruningPoint !== point) expect(tip).toEqual(old);
      });
    }
    expect(found).toEqual(["old", "old", "old", "new", "new"]);
  });

  test("in the middle of deleting what was replaced never opens it again", async () => {
    const engine = await open();
    await engine.stop();
    cpSync(join(folder.path, "consensus"), join(folder.path, "consensus.gone"), {
      recursive: true,
    });
    rmSync(join(folder.path, "consensus"), { recursive: true });
    settleFolders(folder.path, dropping);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test("in the middle of an import left a store that waits and answers nothing", async () => {
    const staged = await startStaged(folder.path);
    await runStaged(staged, steps.slice(0, indexOf("importState")));
    const copy = temporaryFolder();
    cpSync(join(folder.path, "staging"), copy.path, { recursive: true });
    await staged.abandon();
    const fatal: SvcError[] = [];
    const half = smallEngine(copy.path, [], (error) => fatal.push(error));
    await half.start();
    const heard: string[] = [];
    half.onEvent((event) => heard.push(event.type));
    const [raw = new Uint8Array()] = above;
    await expect(half.insertBlock(raw, NOW_MS)).rejects.toThrow("engine/not-imported");
    await expect(half.ask("tip", [])).rejects.toThrow("engine/not-imported");
    await expect(new HistoryImport(half).progress(never)).rejects.toThrow("engine/not-imported");
    await expect(half.importStep("bindingChild", [])).rejects.toThrow("import/out-of-order");
    expect([fatal, heard]).toEqual([[], []]);
    await half.stop();
    copy.remove();
  });
});
