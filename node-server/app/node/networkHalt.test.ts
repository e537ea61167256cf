import { afterEach, beforeEach, expect, test } from "vitest";
import { APP_LIMITS } from "../appLimits.ts";
import type { NodeEvent } from "../../engine/host/engineHost.ts";
import { settle } from "../../p2p/testkit/linkedPeer.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { fakeTip, hashOf } from "../../rpc/testkit/fakeNode.ts";
import { NetworkHalt, type HaltParts } from "./networkHalt.ts";

const NOW_MS = 10_000_000n;
/** Finality takes a hundred seconds. */
const profile = { finalityDepth: 100, targetTimePerBlockMs: 1_000 };
const FINALITY_MS = 100_000;

let clock = new ManualClock(NOW_MS);
/** Age of the finality point. */
let ageMs = 0;
let tell: (event: NodeEvent) => void = () => {};
let halt = make();
beforeEach(() => {
  clock = new ManualClock(NOW_MS);
  ageMs = 0;
  halt = make();
  halt.start();
});
afterEach(() => halt.stop());

function make(): NetworkHalt {
  const answers: Readonly<Record<string, () => string>> = {
    tip: () => fakeTip(1),
    chainHashAt: () => hashOf(7),
    blockFacts: () => finalBlock(),
  };
  const ask = async (question: string): Promise<never> => answers[question]?.() as never;
  return new NetworkHalt({
    engine: {
      onEvent: (listener) => {
        tell = listener;
        return () => {};
      },
    },
    reader: { ask },
    profile,
    clock,
  } satisfies HaltParts);
}

function finalBlock(): string {
  const hash = hashOf(7);
  return JSON.stringify({
    hash,
    status: "valid",
    selectedParent: hash,
    blues: [],
    reds: [],
    parents: [],
    children: [],
    isChainBlock: true,
    blueScore: "1",
    daaScore: "1",
    blueWork: "1",
    timestamp: String(clock.nowMs() - BigInt(ageMs)),
    difficulty: 1,
    txids: [],
  });
}

/** Lets stretches of time pass, in each of which so many blocks come. */
async function pass(samples: number, blocks: number): Promise<void> {
  const event = { type: "blockAdded" } as NodeEvent;
  for (let sample = 0; sample < samples; sample += 1) {
    for (let block = 0; block < blocks; block += 1) tell(event);
    clock.advance(APP_LIMITS.haltSampleMs);
    await settle();
  }
}

test("a network has halted when few blocks came for a while", async () => {
  await pass(APP_LIMITS.haltSamplesMin - 1, 0);
  expect(halt.isHalted).toBe(false);
  await pass(1, 0);
  expect(halt.isHalted).toBe(true);
  // Half of ten a stretch is as many as a living network may have.
  await pass(APP_LIMITS.haltSamples, 5);
  expect(halt.isHalted).toBe(false);
  await pass(APP_LIMITS.haltSamples, 4);
  expect(halt.isHalted).toBe(true);
});

test("a node that was away for long is no sign of a halt", async () => {
  ageMs = 3 * FINALITY_MS;
  await pass(APP_LIMITS.haltSamplesMin, 0);
  expect(halt.isHalted).toBe(false);
});
