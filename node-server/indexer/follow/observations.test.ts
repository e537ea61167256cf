/** Sightings of blocks and transactions: first sightings, deliveries by subnetwork, and an engine that does not answer. */
import { expect, test } from "vitest";
import { asBlockHash, asTxId, type BlockHash } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { FORM, FORM_WITH_WITNESS } from "@svc/shared/protocol/raw/rawBlock.ts";
import type { QuestionSource } from "../../engine/calls/askFacts.ts";
import { isAnswerTo } from "../../engine/calls/engineQuestions.ts";
import { createLog } from "../../platform/log/log.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { MemoryKv } from "../../storage/memoryKv.ts";
import { firstSeen, relaysIn, watchedSince } from "../tables/observedTables.ts";
import { Observations } from "./observations.ts";

const NOW_MS = 1_800_000_000_000n;
const HOUR = NOW_MS / 3_600_000n;

function hash(number: number): BlockHash {
  return asBlockHash(number.toString(16).padStart(64, "0"));
}

/** An engine in which even blocks are merge-mined. */
class FakeEngine implements QuestionSource {
  isDown = false;

  ask: QuestionSource["ask"] = async (question, args) => {
    if (this.isDown) throw new SvcError("engine/restarted", {});
    const number = parseInt(String(args[0]), 16);
    const answer = Uint8Array.of(number % 2 === 0 ? FORM_WITH_WITNESS : FORM);
    if (!isAnswerTo(question, answer)) throw new Error(question);
    return answer;
  };
}

function setUp() {
  const kv = new MemoryKv();
  const engine = new FakeEngine();
  const clock = new ManualClock(NOW_MS);
  const make = (): Observations =>
    new Observations({ kv, engine, clock, log: createLog("silent") });
  const observations = make();
  observations.start();
  return { kv, engine, clock, observations, make };
}

test("deliveries count by subnetwork and hour, merge-mined ones by the witness that the engine kept", async () => {
  const { kv, observations } = setUp();
  for (const number of [1, 2, 3, 4]) {
    observations.noteSeen(hash(number));
    observations.noteRelay(hash(number), number === 4 ? "198.51.100.x" : "203.0.113.x");
  }
  await observations.written();
  expect(relaysIn(kv, HOUR, 10)).toEqual([
    { net: "203.0.113.x", row: { blocks: 3, mergeMined: 1, lastMerged: NOW_MS } },
    { net: "198.51.100.x", row: { blocks: 1, mergeMined: 1, lastMerged: NOW_MS } },
  ]);
  // Which block came from where is not kept.
  expect(firstSeen(kv, hash(3))).toBe(NOW_MS);
});

test("the first sighting stays, and so does the moment at which watching began", async () => {
  const { kv, observations, make, clock } = setUp();
  const txid = asTxId(hash(77));
  observations.noteSeen(txid);
  await observations.written();
  clock.advance(5_000);
  const next = make();
  next.start();
  next.noteSeen(txid);
  await next.written();
  expect(firstSeen(kv, txid)).toBe(NOW_MS);
  expect(watchedSince(kv)).toBe(NOW_MS);
});

test("an engine that does not answer costs no sighting, and one delivery each", async () => {
  const { kv, engine, observations } = setUp();
  engine.isDown = true;
  observations.noteSeen(hash(70));
  observations.noteRelay(hash(70), "203.0.113.x");
  await observations.written();
  expect(observations.lost).toBe(1);
  expect(firstSeen(kv, hash(70))).toBe(NOW_MS);
});
