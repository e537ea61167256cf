import { describe, expect, it } from "vitest";
import { LIMITS } from "@svc/shared/base/limits.ts";
import { ManualClock } from "../../platform/clock.ts";
import { linkedPeer, settle } from "../testkit/linkedPeer.ts";
import { fetchLanes, type PointParts } from "./fetchPoint.ts";
import { SyncMeter } from "./syncMeter.ts";
import { hashOf } from "./testkit/numberedChain.ts";

const unwanted = (): Promise<never> => Promise.reject(new Error("not asked for"));
const staged: PointParts["staged"] = {
  proof: unwanted,
  points: unwanted,
  trusted: unwanted,
  link: unwanted,
  body: unwanted,
  bindingChild: unwanted,
  binding: unwanted,
  lanes: async () => {},
  lanePage: async () => {},
  state: unwanted,
  nullifiers: unwanted,
  ask: unwanted,
};

describe("lanes of a pruning point", () => {
  it.each([
    [1, "p2p/stalled"],
    [LIMITS.syncLanes, "p2p/stalled"],
    [LIMITS.syncLanes + 1, "p2p/bad-message"],
  ])("that are said to be %i: %s", async (count, code) => {
    const clock = new ManualClock(0n);
    const { peer, remote, start } = linkedPeer(clock, []);
    const requests = remote.route(["requestPruningPointSmtState"]);
    start();
    const { signal } = new AbortController();
    const nowMs = (): bigint => clock.nowMs();
    const parts = { link: peer.link, staged, meter: new SyncMeter(clock), nowMs, signal };
    const fetched = fetchLanes(parts, hashOf(1)).catch((error: unknown) => error);
    await requests.next(null);
    const value = { data: new Uint8Array(96), activeLanesCount: BigInt(count) };
    remote.send({ $case: "smtMetadata", value });
    // Then no lane comes.
    await settle();
    clock.advance(LIMITS.syncStallMs);
    expect(await fetched).toMatchObject({ code });
  });
});
