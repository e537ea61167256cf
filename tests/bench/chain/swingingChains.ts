/**
 * Reorganisation workload: two branches over one base that overtake each other by turns. Each swing leaves `depth` blocks
 * or a few more and joins as many. The first one judges the blocks it joins, the others only apply them again.
 */
import { performance } from "node:perf_hooks";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue, RawEngine } from "@svc/shared/core/generated/coreGlue.ts";
import { ENGINE_LIMITS } from "@svc/node-server/engine/engineLimits.ts";
import {
  readInsertOutcome,
  readResolveOutcome,
} from "@svc/node-server/engine/calls/engineFacts.ts";
import { kvHostStore } from "@svc/node-server/engine/host/kvHostStore.ts";
import { CONSENSUS_LAYOUT } from "@svc/node-server/storage/layout.ts";
import { openStore } from "@svc/node-server/storage/openStore.ts";
import { PartWatch, type PartTimes } from "./partWatch.ts";

/** Arguments of the workload. */
export type SwingRequest = {
  readonly folder: string;
  readonly profile: string;
  readonly base: readonly Uint8Array[];
  /** Both longer than `depth` by at least the number of swings and one more. */
  readonly branches: readonly [readonly Uint8Array[], readonly Uint8Array[]];
  readonly depth: number;
  readonly swings: number;
  readonly nowMs: bigint;
};

/** One change of branch: from the insertion of the heavier tip until virtual stands on it. */
export type Swing = {
  readonly ms: number;
  /** Longest single call of the engine. */
  readonly longestCallMs: number;
  readonly removed: number;
  readonly added: number;
  readonly parts: PartTimes;
};

/** Measures all swings, the first one being the one that judges. Rejects when a block is refused. */
export async function measureSwings(core: CoreGlue, request: SwingRequest): Promise<Swing[]> {
  const { store } = await openStore(request.folder, CONSENSUS_LAYOUT);
  try {
    const engine = callCore(() => new core.Engine(kvHostStore(store), request.profile));
    const swings = new Swings(engine, request).run();
    engine.free();
    return swings;
  } finally {
    await store.close();
  }
}

class Swings {
  readonly #engine: RawEngine;
  readonly #request: SwingRequest;
  readonly #watch = new PartWatch();
  readonly #taken = [0, 0];

  constructor(engine: RawEngine, request: SwingRequest) {
    this.#engine = engine;
    this.#request = request;
    this.#watch.follow(engine);
  }

  run(): Swing[] {
    const { base, depth, swings } = this.#request;
    callCore(() => this.#engine.setGroupCommit(true));
    for (const block of base) this.#insert(block);
    for (let count = 0; count < depth; count += 1) this.#extend(0);
    // Virtual stands on the first branch before the second one comes.
    this.#settle();
    // One short of it: level branches are told apart by their hashes.
    for (let count = 1; count < depth; count += 1) this.#extend(1);
    callCore(() => this.#engine.setGroupCommit(false));
    this.#settle();
    return Array.from({ length: swings }, (_, index) => this.#swing(index % 2 === 0 ? 1 : 0));
  }

  /** The branch is behind by one; catching up is not resolved, so virtual stands on the other until it is ahead. */
  #swing(branch: 0 | 1): Swing {
    const other = branch === 0 ? 1 : 0;
    while ((this.#taken[branch] ?? 0) < (this.#taken[other] ?? 0)) this.#extend(branch);
    const begun = performance.now();
    this.#watch.start();
    this.#extend(branch);
    const { removed, added, longestCallMs } = this.#settle();
    return {
      ms: performance.now() - begun,
      longestCallMs,
      removed,
      added,
      parts: this.#watch.times(),
    };
  }

  #extend(branch: 0 | 1): void {
    const index = this.#taken[branch] ?? 0;
    const block = this.#request.branches[branch][index];
    if (block === undefined) throw new Error("the branches are too short");
    this.#insert(block);
    this.#taken[branch] = index + 1;
  }

  #insert(block: Uint8Array): void {
    const { nowMs } = this.#request;
    const outcome = readInsertOutcome(callCore(() => this.#engine.insertBlock(block, nowMs)));
    if (outcome.kind !== "accepted") throw new Error(JSON.stringify(outcome));
  }

  /** Resolves in the steps of the host. */
  #settle(): { removed: number; added: number; longestCallMs: number } {
    let [removed, added, longestCallMs] = [0, 0, 0];
    for (;;) {
      const begun = performance.now();
      const text = callCore(() => this.#engine.resolve(ENGINE_LIMITS.resolveStepBlocks));
      longestCallMs = Math.max(longestCallMs, performance.now() - begun);
      const step = readResolveOutcome(text);
      for (const event of step.events) {
        if (event.type !== "virtualChanged") continue;
        removed += event.removed.length;
        added += event.added.length;
      }
      if (step.done) return { removed, added, longestCallMs };
      if (step.needVerdicts.length > 0) throw new Error("a coinbase needs no proof");
    }
  }
}
