import { describe, expect, it } from "vitest";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { linkedPeer, settle } from "../testkit/linkedPeer.ts";
import { fetchLanes, fetchProof, fetchTrusted, type PointParts } from "./fetchPoint.ts";
import { SyncMeter } from "./syncMeter.ts";
import { hashOf, headerMessage, wireHash } from "./testkit/numberedChain.ts";

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
  const steadyMs = (): bigint => clock.steadyMs();
  const { link } = peer;
  const meter = new SyncMeter(clock);
  const numbered: PointParts["hashOf"] = ({ nonce }) => hashOf(Number(nonce));
  const parts = { link, staged, hashOf: numbered, meter, steadyMs, signal };
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

describe("the pruning point that is final here", () => {
  /** The peer's points are 4 and 6 to 9; each header names the one before it. The import has these as its newest. */
  const POINTS = [4, 6, 7, 8, 9];
  const NEWEST = [7, 8, 9].map((number) => decodeHex(hashOf(number)));

  /** What becomes of the list, and for how many of the newest points the import was asked. */
  async function take(ownPoint: number | null): Promise<readonly [string, readonly number[]]> {
    const { remote, requests, parts } = connect();
    const asked: number[] = [];
    const listed: PointParts["staged"] = {
      ...staged,
      points: async () => true,
      ask: async (question, args) => {
        expect(question).toBe("pruningPoints");
        asked.push(Number(args[0]));
        return concatBytes(...NEWEST) as never;
      },
    };
    const own = ownPoint === null ? null : hashOf(ownPoint);
    const points = { point: hashOf(9), ownPoint: own };
    const fetched = fetchTrusted({ ...parts, staged: listed }, points);
    await requests.next(null);
    const blockHeaders = POINTS.map((number, at) => {
      const named = wireHash(POINTS[at - 1] ?? 0);
      return { ...headerMessage(number), pruningPoint: named };
    });
    remote.send({ $case: "pruningPoints", value: { blockHeaders } });
    // The list was taken when the next message is waited for.
    remote.send({ $case: "unexpectedPruningPoint", value: {} });
    const fault = await fetched.then(
      () => null,
      (error: unknown) => SvcError.from(error),
    );
    return [fault?.code ?? "taken", asked];
  }

  it.each([
    ["among the older ones, which are named by later ones", 6, "export/moved", []],
    ["the newest", 9, "export/moved", [P2P_LIMITS.syncNewestPoints]],
    ["in none of the places", 5, "sync/finality-conflict", [P2P_LIMITS.syncNewestPoints]],
    ["none", null, "export/moved", []],
  ] as const)("is looked for in the peer's list: %s", async (_, ownPoint, code, asked) => {
    expect(await take(ownPoint)).toEqual([code, asked]);
  });
});

describe("lanes of a pruning point", () => {
  it.each([
    [1, "p2p/stalled"],
    [P2P_LIMITS.syncLanes, "p2p/stalled"],
    [P2P_LIMITS.syncLanes + 1, "p2p/bad-message"],
  ])("that are said to be %i: %s", async (count, code) => {
    const { clock, remote, requests, parts } = connect();
    const fetched = fetchLanes(parts, hashOf(1)).catch((error: unknown) => error);
    await requests.next(null);
    const value = { data: new Uint8Array(96), activeLanesCount: BigInt(count) };
    remote.send({ $case: "smtMetadata", value });
    // Then no lane comes.
    await settle();
    clock.advance(P2P_LIMITS.syncStallMs);
    expect(await fetched).toMatchObject({ code });
  });
});
