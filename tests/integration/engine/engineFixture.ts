/** Engine fixture: a real engine on a real disk, and a maker of blocks for it. */
import { EngineHost } from "@svc/node-server/engine/host/engineHost.ts";
import type { EngineReport, EngineRequest } from "@svc/node-server/engine/calls/engineMessages.ts";
import type { EngineWorkerData } from "@svc/node-server/engine/host/engineWorker.ts";
import { startBatchedThread } from "@svc/node-server/platform/thread/batchedThread.ts";
import { createEngine, type EngineParts } from "@svc/node-server/engine/startEngine.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { ManualClock } from "@svc/node-server/platform/time/clock.ts";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { kvHostStore } from "@svc/node-server/engine/host/kvHostStore.ts";
import { MemoryKv } from "@svc/node-server/storage/memoryKv.ts";
import type { CoreGlue, RawEngine } from "@svc/shared/core/generated/coreGlue.ts";
import { holdPayments } from "../../fixtures/payments/heldPayments.ts";

/** The core in the test's own thread. */
export const core: CoreGlue = await loadCoreFile();

/** Canonical simnet profile. */
export const simnet = core.builtInProfile("simnet");

/** Time of the first block of every test. */
export const START_MS = 1_800_000_000_000n;

/** The clock of every engine under test: behind the last block any test makes. */
export const NOW_MS = START_MS + 100_000_000n;

/** Addresses that were asked for: deriving one takes longer than making a block. */
const recipients = new Map<number, Uint8Array>();

/** Address bytes of a wallet made from one repeated byte. */
export function recipient(byte: number): Uint8Array {
  const known = recipients.get(byte);
  if (known !== undefined) return known;
  const made = core.addressAt(core.fullViewingKey(new Uint8Array(32).fill(byte)), 0);
  recipients.set(byte, made);
  return made;
}

/** Starts an engine host over `root` with a clock that stands still. */
export async function startHost(
  root: string | null,
): Promise<EngineParts & { clock: ManualClock; fatal: Promise<Error> }> {
  const clock = new ManualClock(NOW_MS);
  const fatal = Promise.withResolvers<Error>();
  const parts = createEngine({
    root,
    profile: simnet,
    archival: false,
    proofs: { prover: "own", threads: null },
    clock,
    log: createLog("silent"),
    onFatal: fatal.resolve,
  });
  await parts.engine.start();
  return { ...parts, clock, fatal: fatal.promise };
}

/**
 * An engine host that takes every proof as valid, for tests of everything but proofs; the proofs of the
 * payment fixture are judged for real in `payments.test.ts`.
 */
export async function startTrustingHost(root: string | null): Promise<EngineHost> {
  const engine = new EngineHost({
    setBatchDelay: () => undefined,
    spawn: () =>
      startBatchedThread<EngineRequest, EngineReport>(
        new URL("../../../node-server/engine/host/engineWorker.ts", import.meta.url),
        { root, profile: simnet, archival: false } satisfies EngineWorkerData,
      ),
    judge: () => Promise.resolve(true),
    log: createLog("silent"),
    onFatal: () => {},
  });
  await engine.start();
  return engine;
}

/** An engine in memory that makes blocks for others. */
export class BlockMaker {
  readonly engine: RawEngine;
  #nowMs = START_MS;

  constructor(profile = simnet) {
    this.engine = new core.Engine(kvHostStore(new MemoryKv()), profile);
  }

  /** Builds the next block on its own tip and takes it in itself. */
  next(payTo: Uint8Array, transactions: readonly Uint8Array[] = []): Uint8Array {
    this.#nowMs += 1000n;
    const extra = new Uint8Array();
    const candidates = holdPayments(this.engine, transactions);
    const template = this.engine.buildTemplate(payTo, extra, candidates, this.#nowMs);
    const block = template.block();
    template.free();
    this.take(block);
    return block;
  }

  /** Takes in a block made elsewhere. */
  take(block: Uint8Array): void {
    this.engine.insertBlock(block, this.#nowMs);
    while (!this.engine.resolve(16).includes('"done":true'));
  }

  /** The sink's hash. */
  sink(): string {
    return sinkOf(this.engine.tip());
  }
}

/** The sink named in TipFacts. */
export function sinkOf(tip: string): string {
  const facts: unknown = JSON.parse(tip);
  if (typeof facts === "object" && facts !== null && "sink" in facts) return String(facts.sink);
  throw new Error("no sink");
}
