/** Tests of when a node gives up the pruning point that its store began at, and with which peer it starts over. */
import { beforeEach, describe, expect, it } from "vitest";
import type { BlockHash } from "@svc/shared/base/brand.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { createLog } from "../../platform/log/log.ts";
import type { Peer } from "../peers/peer.ts";
import { linkedPeer, settle } from "../testkit/linkedPeer.ts";
import { SnapshotDoubtMonitor, type SnapshotDoubtMonitorParts } from "./snapshotDoubtMonitor.ts";
import { hashOf } from "./testkit/numberedChain.ts";

const DEPTH = 10n;
let clock = new ManualClock(0n);
let peers: Peer[] = [];
let told: [string, BlockHash][] = [];
let above: bigint | null = null;

beforeEach(() => {
  clock = new ManualClock(0n);
  [peers, told, above] = [[], [], null];
});

const TIP = hashOf(77);
/** TipFacts with nothing in them but the best header. */
const tipText = JSON.stringify({
  ...Object.fromEntries(
    ["genesis", "sink", "treeRoot", "pruningPoint", "headersTip"].map((name) => [name, TIP]),
  ),
  ...Object.fromEntries(
    [
      "sinkBlueScore",
      "sinkTimestamp",
      "daaScore",
      "chainIndex",
      "finalIndex",
      "treeSize",
      "headersBlueScore",
      "pastMedianTime",
      "blockCount",
      "headerCount",
      "historyFromDaaScore",
    ].map((name) => [name, "1"]),
  ),
  sinkBlueWork: "1",
  headersBlueWork: "1",
  virtualParents: [TIP],
  tips: [TIP],
  bits: 1,
  difficulty: 1,
  historyComplete: false,
});

function beginningText(): string {
  const doubt =
    above === null
      ? null
      : { block: hashOf(5), reason: "virtual/wrong-state-root", above: String(above) };
  return JSON.stringify({ point: hashOf(4), isRecent: true, doubt });
}

const ask = (async (question: string) =>
  question === "tip" ? tipText : beginningText()) as SnapshotDoubtMonitorParts["reader"]["ask"];

function join(key: string, ip: string): Peer {
  const { peer, start } = linkedPeer(clock, [], key);
  Object.defineProperty(peer.link, "remote", { value: { ip, port: 1 } });
  start();
  peers.push(peer);
  return peer;
}

function watch(): SnapshotDoubtMonitor {
  return new SnapshotDoubtMonitor({
    reader: { ask },
    peers: () => peers,
    tell: ({ key }, hash) => told.push([key, hash]),
    depth: DEPTH,
    clock,
    log: createLog("silent"),
  });
}

async function look(): Promise<void> {
  await settle();
  clock.advance(P2P_LIMITS.syncDoubtLookMs);
  await settle();
}

describe("a node whose heaviest chain is refused", () => {
  it("turns to other peers than the one that gave its beginning, once the chain has gone on above it", async () => {
    const giver = join("giver", "10.1.0.1");
    join("neighbour", "10.1.0.1");
    join("other", "10.2.0.1");
    const doubts = watch();
    doubts.begunWith(giver);
    doubts.start();
    await look();
    above = DEPTH - 1n;
    await look();
    expect(told).toEqual([]);
    above = DEPTH;
    await look();
    expect(told).toEqual([["other", TIP]]);
    // Not again and again: the next one may say the same.
    await look();
    expect(told).toHaveLength(1);
    clock.advance(P2P_LIMITS.syncDoubtPauseMs);
    await look();
    expect(told).toHaveLength(2);
    await Promise.all([doubts.stop(), doubts.stop()]);
    clock.advance(P2P_LIMITS.syncDoubtPauseMs);
    await look();
    expect(told).toHaveLength(2);
  });

  it("turns to the giver where there is nobody else, and waits while there is nobody at all", async () => {
    const doubts = watch();
    doubts.start();
    above = DEPTH;
    await look();
    expect(told).toEqual([]);
    doubts.begunWith(join("giver", "10.1.0.1"));
    await look();
    expect(told).toEqual([["giver", TIP]]);
    await doubts.stop();
  });
});
