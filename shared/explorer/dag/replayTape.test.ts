import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { testSeed } from "@svc/node-server/platform/testkit/testRun.ts";
import { DAG_LIMITS } from "../dagLimits.ts";
import type { DagBlock } from "./dagBlock.ts";
import { readReplay, writeReplay } from "./replayAddress.ts";
import { MINUTE_MS, moveReplay, ReplayTape } from "./replayTape.ts";

const SEED = testSeed(21);

function at(hash: string, timestamp: number, parents: readonly string[] = []): DagBlock {
  return {
    hash,
    parents,
    timestamp,
    color: "blue",
    isChainBlock: true,
    mergedBy: null,
    blueScore: 1,
    daaScore: 1,
    txCount: 1,
    work: "native",
  };
}

describe("a tape", () => {
  it("plays blocks at their times, none before its parent", () => {
    const tape = new ReplayTape();
    tape.put(1, [at("b", 61_000, ["a"]), at("a", 63_000), at("c", 70_000, ["b"])]);
    expect(tape.between(60_000, 62_999)).toEqual([]);
    expect(tape.between(60_000, 63_000).map(({ hash }) => hash)).toEqual(["a", "b"]);
    expect(tape.nextAfter(63_000)).toBe(70_000);
    expect(tape.nextAfter(70_000)).toBeNull();
  });

  it("asks for the minutes ahead, and never for the one that is not over", () => {
    const tape = new ReplayTape();
    expect(tape.wanted(10 * MINUTE_MS, 12 * MINUTE_MS)).toEqual([10, 11]);
    tape.put(10, []);
    expect(tape.wanted(10 * MINUTE_MS, 99 * MINUTE_MS)).toEqual([11, 12]);
  });

  it("keeps few minutes, however long it plays", () => {
    const tape = new ReplayTape();
    for (let minute = 0; minute < 500; minute += 1) tape.put(minute, [at(`${minute}`, minute)]);
    expect(tape.size).toBeLessThanOrEqual(DAG_LIMITS.replayAheadMinutes + 2);
  });
});

describe("the clock of a replay", () => {
  const tape = new ReplayTape();
  tape.put(10, [at("a", 10 * MINUTE_MS)]);

  it("runs at its speed", () => {
    const move = moveReplay(
      tape,
      { atMs: 10 * MINUTE_MS, speed: 5 },
      { elapsedMs: 1_000, presentMs: 20 * MINUTE_MS },
    );
    expect(move).toEqual({ atMs: 10 * MINUTE_MS + 5_000, isWaiting: false, isAtPresent: false });
  });

  it("waits for what is not loaded", () => {
    const move = moveReplay(
      tape,
      { atMs: 10 * MINUTE_MS, speed: 60 },
      { elapsedMs: 2_000, presentMs: 20 * MINUTE_MS },
    );
    expect(move).toEqual({ atMs: 11 * MINUTE_MS, isWaiting: true, isAtPresent: false });
  });

  it("ends where the present begins", () => {
    const move = moveReplay(
      tape,
      { atMs: 10 * MINUTE_MS, speed: 60 },
      { elapsedMs: 2_000, presentMs: 11 * MINUTE_MS + 5 },
    );
    expect(move).toEqual({ atMs: 11 * MINUTE_MS, isWaiting: false, isAtPresent: true });
  });

  test("each block is played exactly once, however the time comes", () => {
    console.info(`replay: SVC_SEED=${SEED}`);
    const property = fc.property(
      fc.array(fc.integer({ min: 0, max: MINUTE_MS - 1 }), { maxLength: 60 }),
      fc.array(fc.integer({ min: 0, max: 40_000 }), { minLength: 20, maxLength: 40 }),
      (times, elapsed) => {
        const played = new ReplayTape();
        const blocks = times.map((time, index) => at(`${index}`, 5 * MINUTE_MS + time));
        played.put(5, blocks);
        let atMs = 5 * MINUTE_MS - 1;
        const seen = played.between(atMs, 5 * MINUTE_MS).map(({ hash }) => hash);
        atMs = 5 * MINUTE_MS;
        for (const elapsedMs of [...elapsed, MINUTE_MS]) {
          const move = moveReplay(
            played,
            { atMs, speed: 3 },
            { elapsedMs, presentMs: 9 * MINUTE_MS },
          );
          seen.push(...played.between(atMs, move.atMs).map(({ hash }) => hash));
          atMs = move.atMs;
        }
        expect(seen.toSorted()).toEqual(blocks.map(({ hash }) => hash).toSorted());
      },
    );
    fc.assert(property, { seed: SEED, numRuns: 100 });
  });
});

describe("the address of a replay", () => {
  it("says minute, second and speed", () => {
    expect(readReplay("minute=29838240&speed=20")).toEqual({
      atMs: 29_838_240 * MINUTE_MS,
      speed: 20,
    });
    expect(writeReplay({ atMs: 29_838_240 * MINUTE_MS + 7_900, speed: 0 })).toBe(
      "minute=29838240&second=7&speed=0",
    );
    expect(writeReplay({ atMs: 600_000, speed: 1 })).toBe("minute=10");
  });

  it("is live without a minute, and cuts what is beyond the bounds", () => {
    expect(readReplay("")).toBeNull();
    expect(readReplay("minute=-1")).toBeNull();
    expect(readReplay("minute=1e9")).toBeNull();
    expect(readReplay("minute=5&speed=9999&second=77")).toEqual({
      atMs: 5 * MINUTE_MS,
      speed: DAG_LIMITS.replaySpeedMost,
    });
  });
});
