/**
 * Child process of the kill test of the index: an engine over a store on disk takes in the next blocks of a file, an index follows
 * it, and each block and each noted reorganisation is printed. Arguments: folder, file of blocks, beside which their hashes lie, and
 * the milliseconds that the index keeps; left out, everything.
 */
import { mkdirSync, readFileSync, writeSync } from "node:fs";
import {
  readInsertOutcome,
  readResolveOutcome,
  type EngineEvent,
  type VerdictJob,
} from "@svc/node-server/engine/calls/engineFacts.ts";
import { kvHostStore } from "@svc/node-server/engine/host/kvHostStore.ts";
import { IndexWriter } from "@svc/node-server/indexer/follow/indexWriter.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { ManualClock } from "@svc/node-server/platform/time/clock.ts";
import { CONSENSUS_LAYOUT } from "@svc/node-server/storage/layout.ts";
import { openStore } from "@svc/node-server/storage/openStore.ts";
import type { NodeEvent } from "@svc/node-server/engine/host/engineHost.ts";
import { unpackBlocks } from "../../testkit/packedBlocks.ts";
import { core, NOW_MS, sinkOf } from "../engine/engineFixture.ts";
import { FORK_PROFILE, headOf, sourceOf } from "./indexFixture.ts";

const [folder = "", file = "", kept] = process.argv.slice(2);
const say = (line: string): number => writeSync(1, `${line}\n`);
mkdirSync(folder, { recursive: true });
const { store } = await openStore(folder, CONSENSUS_LAYOUT);
const engine = new core.Engine(kvHostStore(store), FORK_PROFILE);
const listeners = new Set<(event: NodeEvent) => void>();
const writer = new IndexWriter({
  folder,
  isRebuilt: false,
  keptMs: kept === undefined ? null : BigInt(kept),
  source: sourceOf({ engine }),
  onEvent: (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  isSynced: () => true,
  clock: new ManualClock(NOW_MS),
  log: createLog("silent"),
});
await writer.start();

/** Takes a block in and returns what happened. */
function take(raw: Uint8Array): readonly EngineEvent[] {
  const outcome = readInsertOutcome(engine.insertBlock(raw, NOW_MS));
  const approve = (jobs: readonly VerdictJob[]): void => {
    for (const { txid, format } of jobs) engine.noteVerdict(txid, format, true);
  };
  if (outcome.kind === "accepted") approve(outcome.needVerdicts);
  const events: EngineEvent[] = [];
  for (;;) {
    const step = readResolveOutcome(engine.resolve(16));
    // A block that was taken in before a kill is judged now.
    approve(step.needVerdicts);
    events.push(...step.events);
    if (step.done) return events;
  }
}

const hashes = readFileSync(`${file}.hashes`, "utf8").split("\n");
for (const [at, raw] of unpackBlocks(new Uint8Array(readFileSync(file))).entries()) {
  const hash = hashes[at] ?? "";
  const stage = engine.blockStage(hash);
  if (stage !== undefined && stage !== "pending") continue;
  const events = take(raw);
  for (const event of events) for (const listener of listeners) listener(event);
  for (const event of events) {
    if (event.type !== "virtualChanged" || event.removed.length === 0) continue;
    say(`reorg ${event.removed[0]}`);
  }
  // The index works while the next block is taken in.
  await new Promise((resolve) => setImmediate(resolve));
  say(`block ${hash}`);
}
while (headOf(writer.derived.kv) !== sinkOf(engine.tip())) {
  const settled = writer.caughtUp;
  for (const listener of listeners) listener({ type: "engineRestarted" });
  await settled;
}
await writer.stop();
engine.free();
await store.close();
say("done");
