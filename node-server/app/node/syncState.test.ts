import { expect, test } from "vitest";
import type { NodeEvent } from "../../engine/host/engineHost.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { fakeTip } from "../../rpc/testkit/fakeNode.ts";
import { SyncState, type SyncParts } from "./syncState.ts";
import type { QuestionAnswer } from "../../engine/calls/engineQuestions.ts";

const profile = {
  skipProofOfWork: false,
  difficultyWindowSize: 4,
  difficultySampleRate: 1,
  targetTimePerBlockMs: 1_000,
  minimumWork: 0x100n,
};
const NOW_MS = 1_000_000n;
const tipAt = (ms: bigint, sinkBlueWork = "100"): string =>
  JSON.stringify({ ...JSON.parse(fakeTip(1)), sinkTimestamp: String(ms), sinkBlueWork });

test("an event that comes while the tip is asked for is not lost", async () => {
  const answers: PromiseWithResolvers<QuestionAnswer<"tip">>[] = [];
  let tell: (event: NodeEvent) => void = () => {};
  const engine = {
    ask: () => {
      const answer = Promise.withResolvers<QuestionAnswer<"tip">>();
      answers.push(answer);
      return answer.promise;
    },
    onEvent: (listener: (event: NodeEvent) => void) => {
      tell = listener;
      return () => {};
    },
  };
  const sync = new SyncState({ engine, profile, clock: new ManualClock(NOW_MS) } as SyncParts);
  const started = sync.start();
  answers[0]?.resolve(tipAt(NOW_MS));
  await started;
  expect(sync.isSynced).toBe(true);
  tell({ type: "engineRestarted" });
  tell({ type: "engineRestarted" });
  // The first answer is still of the chain from before.
  answers[1]?.resolve(tipAt(NOW_MS));
  await new Promise((next) => setImmediate(next));
  answers[2]?.resolve(tipAt(0n));
  await new Promise((next) => setImmediate(next));
  expect([answers.length, sync.isSynced]).toEqual([3, false]);
});

test.each([
  ["ff", false],
  ["100", true],
])(
  "a new sink with the work %s on a network that asks for 100: synced %s",
  async (work, synced) => {
    const engine = { ask: async () => tipAt(NOW_MS, work), onEvent: () => () => {} };
    const sync = new SyncState({ engine, profile, clock: new ManualClock(NOW_MS) } as SyncParts);
    await sync.start();
    expect(sync.isSynced).toBe(synced);
  },
);
