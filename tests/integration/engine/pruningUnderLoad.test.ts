/** A node that always has a next block prunes as it goes, and comes to the same store as one that has time. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { EngineReport } from "@svc/node-server/engine/calls/engineMessages.ts";
import { EngineSession } from "@svc/node-server/engine/host/engineSession.ts";
import { kvHostStore } from "@svc/node-server/engine/host/kvHostStore.ts";
import { KEYS_END } from "@svc/node-server/storage/kv.ts";
import { CONSENSUS_LAYOUT } from "@svc/node-server/storage/layout.ts";
import { MemoryKv } from "@svc/node-server/storage/memoryKv.ts";
import { core, NOW_MS } from "./engineFixture.ts";
import { SourceNode } from "./importFixture.ts";
import { smallNetwork } from "../node/smallNetwork.ts";

/** Rounds of two blocks until the pruning point has moved some times. */
const ROUNDS = 150;
const EVERYTHING = 1_000_000;

/** What one session comes to: idle after each block, or with all of them waiting from the beginning. */
function load(blocks: readonly Uint8Array[], how: "idle" | "busy" | "grouped") {
  const store = new MemoryKv();
  const engine = new core.Engine(kvHostStore(store), core.canonicalProfile(smallNetwork()));
  const turns: (() => void)[] = [];
  /** Blocks that were answered when something was gone for the first time. */
  let answered = 0;
  const prunedAt: number[] = [];
  const report = (message: EngineReport): void => {
    if (message.kind === "answer" && message.answer.kind === "block") answered += 1;
    if (message.kind === "jobs") {
      for (const { txid, format } of message.jobs) {
        session.receive({ verdict: { txid, format, valid: true } });
      }
    }
    if (message.kind !== "events") return;
    if (message.events.some(({ type }) => type === "pruned")) prunedAt.push(answered);
  };
  const session = new EngineSession({
    engine,
    prune: (budget) => engine.prune(budget),
    report,
    flush: () => {},
    defer: (turn) => turns.push(turn),
    later: () => {},
    ended: () => {},
  });
  if (how === "grouped") session.receive({ id: EVERYTHING, call: { kind: "group", on: true } });
  const run = (): void => {
    for (let turn = turns.shift(); turn !== undefined; turn = turns.shift()) turn();
  };
  for (const [id, raw] of blocks.entries()) {
    session.receive({ id, call: { kind: "block", raw, nowMs: NOW_MS } });
    if (how === "idle") run();
  }
  run();
  session.receive({ id: EVERYTHING + 1, call: { kind: "group", on: false } });
  run();
  return { store, answered, prunedAt, tip: engine.tip() };
}

/** Rows of each table, and a digest of their keys and values. */
function contents(store: MemoryKv): Record<string, { rows: number; digest: string }> {
  const all = { from: new Uint8Array(), to: KEYS_END, limit: EVERYTHING };
  return Object.fromEntries(
    CONSENSUS_LAYOUT.tables.map(({ number, name }) => {
      const rows = store.range({ table: number, ...all });
      const digest = createHash("sha256");
      for (const { key, value } of rows) {
        for (const part of [key, value]) digest.update(`${part.length} `).update(part);
      }
      return [name, { rows: rows.length, digest: digest.digest("hex") }];
    }),
  );
}

test("a node that is never idle prunes as it goes", () => {
  const source = new SourceNode();
  source.mine(ROUNDS);
  const idle = load(source.blocks, "idle");
  for (const how of ["busy", "grouped"] as const) {
    const { store, answered, prunedAt, tip } = load(source.blocks, how);
    expect(answered).toBe(source.blocks.length);
    expect(tip).toBe(idle.tip);
    // Long before the last block.
    expect(prunedAt[0]).toBeLessThan(source.blocks.length - 20);
    expect(contents(store)).toEqual(contents(idle.store));
  }
});
