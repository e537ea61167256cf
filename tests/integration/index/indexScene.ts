/** Scene of the index over an engine of the test: the whole index of a node, with events, clock and documents. */
import type { NodeEvent } from "@svc/node-server/engine/host/engineHost.ts";
import {
  readInsertOutcome,
  readResolveOutcome,
} from "@svc/node-server/engine/calls/engineFacts.ts";
import { NodeIndex } from "@svc/node-server/indexer/nodeIndex.ts";
import type { PoolTag } from "@svc/node-server/indexer/documents/poolTags.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { ManualClock } from "@svc/node-server/platform/time/clock.ts";
import type { TxId } from "@svc/shared/base/brand.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { core, NOW_MS } from "../engine/engineFixture.ts";
import { EngineNode } from "../engine/importFixture.ts";
import { headOf, sourceOf } from "./indexFixture.ts";

/** How a scene differs from the usual one. */
export type IndexSceneOptions = {
  /** Folder of the network's data; in memory when left out. */
  readonly folder?: string;
  readonly node?: EngineNode;
  readonly isRebuilt?: boolean;
  readonly keptMs?: bigint;
  readonly nowMs?: bigint;
  readonly tags?: readonly PoolTag[];
};

/** An engine, and an index that follows it. */
export class IndexScene {
  readonly node: EngineNode;
  readonly clock: ManualClock;
  readonly index: NodeIndex;
  readonly waiting: TxId[] = [];
  readonly never: AbortSignal = new AbortController().signal;
  readonly #listeners = new Set<(event: NodeEvent) => void>();

  constructor({
    folder,
    node,
    isRebuilt = false,
    keptMs,
    nowMs = NOW_MS,
    tags = [],
  }: IndexSceneOptions) {
    this.node = node ?? new EngineNode();
    this.clock = new ManualClock(nowMs);
    this.index = new NodeIndex({
      folder: folder ?? null,
      isRebuilt,
      keptMs: keptMs ?? null,
      source: sourceOf(this.node),
      onEvent: (listener) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
      isSynced: () => true,
      tags,
      addressOf: (script) =>
        script.length === 43 ? callCore(() => core.encodeAddress("svcsim", script)) : null,
      clock: this.clock,
      log: createLog("silent"),
    });
  }

  /** Starts the index with two peers around it. */
  async start(): Promise<this> {
    await this.index.start();
    this.index.attach({ peers: () => 2, waiting: () => this.waiting, onWaiting: () => () => {} });
    return this;
  }

  /** Takes a block in and tells of it. */
  take(raw: Uint8Array): void {
    const { engine } = this.node;
    const outcome = readInsertOutcome(callCore(() => engine.insertBlock(raw, NOW_MS)));
    if (outcome.kind === "accepted") this.node.approve(outcome.needVerdicts);
    for (;;) {
      const step = readResolveOutcome(callCore(() => engine.resolve(16)));
      this.node.approve(step.needVerdicts);
      for (const event of step.events) this.tell(event);
      if (step.done) return;
    }
  }

  /** Tells of an event. */
  tell(event: NodeEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** Resolves when the index is at the sink and what was observed is written. */
  async settle(): Promise<void> {
    const { writer } = this.index;
    for (;;) {
      const settled = writer.caughtUp;
      this.tell({ type: "engineRestarted" });
      await settled;
      if (headOf(writer.derived.kv) === this.node.tip().sink) break;
    }
    await writer.written();
  }
}
