import { describe, expect, it } from "vitest";
import { LIMITS } from "@svc/shared/base/limits.ts";
import { ManualClock } from "../../platform/clock.ts";
import { linkedPeer, settle } from "../testkit/linkedPeer.ts";
import { fetchLanes, fetchProof, fetchTrusted, type PointParts } from "./fetchPoint.ts";
import { SyncMeter } from "./syncMeter.ts";
import { hashOf, headerMessage } from "./testkit/numberedChain.ts";

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

/** A peer that is asked for things of its pruning point, and what fetching them works with. */
function connect() {
  const clock = new ManualClock(0n);
  const { peer, remote, start } = linkedPeer(clock, []);
  const requests = remote.route([
    "requestPruningPointProof",
    "requestPruningPointAndItsAnticone",
    "requestPruningPointSmtState",
  ]);
  start();
  const { signal } = new AbortController();
  const nowMs = (): bigint => clock.nowMs();
  const { link } = peer;
  const meter = new SyncMeter(clock);
  const numbered: PointParts["hashOf"] = ({ nonce }) => hashOf(Number(nonce));
  const parts = { link, staged, hashOf: numbered, meter, nowMs, signal };
  return { clock, remote, requests, parts };
}

describe("a pruning point that moves while it is asked for", () => {
  it("is no fault where the peer says so", async () => {
    for (const fetchOne of [
      fetchProof,
      (parts: PointParts) => fetchTrusted(parts, { point: hashOf(1), ownPoint: null }),
    ]) {
      const { remote, requests, parts } = connect();
      const fetched = fetchOne(parts).catch((error: unknown) => error);
      await requests.next(null);
      remote.send({ $case: "unexpectedPruningPoint", value: {} });
      expect(await fetched).toMatchObject({ code: "export/moved" });
      expect(parts.link.signal.aborted).toBe(false);
    }
  });

  it("is no fault where its points lead further than its proof", async () => {
    const { remote, requests, parts } = connect();
    const points = { point: hashOf(5), ownPoint: null };
    const fetched = fetchTrusted(parts, points).catch((error: unknown) => error);
    await requests.next(null);
    remote.send({
      $case: "pruningPoints",
      value: { blockHeaders: [4, 5, 6].map(headerMessage) },
    });
    expect(await fetched).toMatchObject({ code: "export/moved" });
  });
});

describe("lanes of a pruning point", () => {
  it.each([
    [1, "p2p/stalled"],
    [LIMITS.syncLanes, "p2p/stalled"],
    [LIMITS.syncLanes + 1, "p2p/bad-message"],
  ])("that are said to be %i: %s", async (count, code) => {
    const { clock, remote, requests, parts } = connect();
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
