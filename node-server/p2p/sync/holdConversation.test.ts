import { beforeEach, describe, expect, it } from "vitest";
import { P2P_LIMITS } from "../p2pLimits.ts";
import type { P2pPayload } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { linkedPeer, settle } from "../testkit/linkedPeer.ts";
import { askOne } from "./holdConversation.ts";
import { wireHash } from "./testkit/numberedChain.ts";

let clock = new ManualClock(0n);
beforeEach(() => {
  clock = new ManualClock(0n);
});

const payload: P2pPayload = {
  $case: "requestIbdChainBlockLocator",
  value: { lowHash: undefined, highHash: undefined },
};

function connect() {
  const { peer, remote, start } = linkedPeer(clock, []);
  const requests = remote.route(["requestIbdChainBlockLocator"]);
  start();
  const { link } = peer;
  const { signal } = new AbortController();
  const waitMs = P2P_LIMITS.syncZoomMs;
  const answers = ["ibdChainBlockLocator"] as const;
  const ask = () => askOne(link, { payload, answers, waitMs, signal });
  const answer = (number: number): void => {
    const value = { hashes: [wireHash(number)] };
    remote.send({ $case: "ibdChainBlockLocator", value });
  };
  return { link, requests, ask, answer };
}

describe("exchanges over one link", () => {
  it("come one after the other, so that each hears its own answer", async () => {
    const { link, requests, ask, answer } = connect();
    const both = [ask(), ask()];
    for (const number of [1, 2]) {
      await requests.next(null);
      answer(number);
    }
    const [first, second] = await Promise.all(both);
    expect([first?.value.hashes, second?.value.hashes]).toEqual([[wireHash(1)], [wireHash(2)]]);
    await settle();
    expect(link.signal.aborted).toBe(false);
  });

  it("that were left do not make a late answer a fault, and the next one is not mistaken", async () => {
    const { link, ask, answer } = connect();
    const late = ask();
    await settle();
    clock.advance(P2P_LIMITS.syncZoomMs);
    await expect(late).rejects.toMatchObject({ code: "p2p/stalled" });
    answer(1);
    await settle();
    expect(link.signal.aborted).toBe(false);
    await expect(ask()).rejects.toMatchObject({ code: "p2p/evicted" });
    expect((await link.ended).code).toBe("p2p/evicted");
  });

  it("that end leave no room for answers that nobody asked for", async () => {
    const { link, ask, answer } = connect();
    const asked = ask();
    answer(1);
    await asked;
    answer(2);
    expect((await link.ended).code).toBe("p2p/unexpected-message");
  });
});
