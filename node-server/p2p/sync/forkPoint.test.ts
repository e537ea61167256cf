import { describe, expect, it } from "vitest";
import { encodeHex } from "@svc/shared/base/hex.ts";
import type { SvcError } from "@svc/shared/base/svcError.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { linkedPeer, settle } from "../testkit/linkedPeer.ts";
import { findForkPoint, type ForkPoint } from "./forkPoint.ts";
import { hashOf, NumberedChain, numberOf, wireHash } from "./testkit/numberedChain.ts";

/** What a peer answers to a locator between two numbers, or from its sink on. */
type Answer = (low: number | null, high: number | null) => number[];

/** A node with `own` asks a peer that answers like this. */
async function forkPointOf(
  own: NumberedChain,
  answer: Answer,
  clock = new ManualClock(0n),
): Promise<ForkPoint | SvcError> {
  const { peer, remote, start } = linkedPeer(clock, []);
  const asked = remote.route(["requestIbdChainBlockLocator"]);
  start();
  const end = new AbortController();
  const answering = (async () => {
    for (;;) {
      const { payload } = await asked.next(null, end.signal);
      const { lowHash, highHash } = payload.value;
      const numbers = answer(
        lowHash ? numberOf(encodeHex(lowHash.bytes)) : null,
        highHash ? numberOf(encodeHex(highHash.bytes)) : null,
      );
      remote.send({ $case: "ibdChainBlockLocator", value: { hashes: numbers.map(wireHash) } });
    }
  })().catch(() => undefined);
  const reader = {
    ask: async (question: string, args: readonly unknown[]): Promise<never> => {
      expect(question).toBe("blockStage");
      return own.stage(String(args[0])) as never;
    },
  };
  try {
    const steadyMs = (): bigint => clock.steadyMs();
    return await findForkPoint({ link: peer.link, reader, steadyMs, signal: end.signal });
  } catch (error) {
    return error as SvcError;
  } finally {
    end.abort();
    await settle();
    await answering;
  }
}

const theirs = new NumberedChain(1_000, 1_000);
const honest: Answer = (low, high) => theirs.locator(low ?? 100, high ?? 1_000);

describe("how far a peer's chain is known", () => {
  it.each([100, 101, 137, 700, 998, 999, 1_000, 5_000])("up to %i", async (headers) => {
    const found = await forkPointOf(new NumberedChain(headers, 0), honest);
    const known = hashOf(Math.min(headers, 1_000));
    expect(found).toEqual({ sink: hashOf(1_000), point: hashOf(100), known });
  });

  it("not at all, also when all of it is pruned here", async () => {
    const behind = await forkPointOf(new NumberedChain(99, 99), honest);
    expect(behind).toMatchObject({ known: null });
    const ahead = new NumberedChain(9_000, 9_000);
    ahead.point = 2_000;
    expect(await forkPointOf(ahead, honest)).toMatchObject({ known: null });
  });

  it("is asked again when the chain moves meanwhile, but not for ever", async () => {
    let moves = 3;
    const moving: Answer = (low, high) => {
      if (low === null || moves === 0) return honest(low, high);
      moves -= 1;
      return [];
    };
    expect(await forkPointOf(new NumberedChain(500, 500), moving)).toMatchObject({
      known: hashOf(500),
    });
    moves = P2P_LIMITS.syncLocatorRestarts;
    expect(await forkPointOf(new NumberedChain(500, 500), moving)).toMatchObject({
      code: "p2p/bad-message",
    });
  });

  it("is not waited for longer than a conversation may take, however quick each answer is", async () => {
    const clock = new ManualClock(0n);
    let answers = 0;
    const slow: Answer = (low, high) => {
      answers += 1;
      clock.advance(P2P_LIMITS.syncZoomMs / 2);
      // Its chain has moved: everything is asked for anew.
      return answers % 5 === 0 ? [] : honest(low, high);
    };
    const found = await forkPointOf(new NumberedChain(500, 500), slow, clock);
    expect(found).toMatchObject({ code: "p2p/stalled" });
    expect(answers).toBeLessThanOrEqual(
      (2 * P2P_LIMITS.syncConversationMs) / P2P_LIMITS.syncZoomMs,
    );
  });

  it.each<[string, Answer]>([
    ["none", () => []],
    ["too many", () => Array.from({ length: 65 }, (_, index) => 1_000 - index)],
    ["another end", (low, high) => (low === null ? honest(low, high) : [high ?? 0, 5, low + 1])],
    ["no progress", (low, high) => (low === null ? honest(low, high) : [high ?? 0, 2_000, low])],
  ])("is not told by a peer that sends %s", async (_, answer) => {
    const found = await forkPointOf(new NumberedChain(500, 500), answer);
    expect(found).toMatchObject({ code: "p2p/bad-message" });
  });
});
