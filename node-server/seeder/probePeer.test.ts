/** Tests that each probe ends, whatever the probed node does. */
import { beforeEach, describe, expect, it } from "vitest";
import { SEEDER_LIMITS } from "./seederLimits.ts";
import { P2P_LIMITS } from "../p2p/p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { PROTOCOL_VERSION, shakeHands } from "../p2p/handshake/handshake.ts";
import { Link } from "../p2p/link/link.ts";
import { settle } from "../p2p/testkit/linkedPeer.ts";
import { introductionOf } from "../p2p/testkit/stranger.ts";
import { wirePair } from "../p2p/testkit/wirePair.ts";
import { ManualClock } from "../platform/time/clock.ts";
import { probePeer, type ProbeParts } from "./probePeer.ts";

let clock = new ManualClock(0n);
beforeEach(() => {
  clock = new ManualClock(0n);
});

const remote = { ip: "1.0.0.1", port: 7 };

function visit(dial: ProbeParts["dial"]): ReturnType<typeof probePeer> {
  const parts = { dial, own: introductionOf(2), digest: "00".repeat(32), clock };
  return probePeer(remote, parts, new AbortController().signal);
}

describe("the visit of a node", () => {
  it("has failed when the time is over before hands are shaken", async () => {
    const visited = visit(
      (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new SvcError("run/aborted", {})));
        }),
    );
    const outcome = visited.catch((error: unknown) => error);
    clock.advance(SEEDER_LIMITS.seederProbeMs);
    expect(await outcome).toMatchObject({ code: "run/timeout" });
    expect(clock.sleeping).toBe(0);
  });

  it("is over in that time in all, though each step takes less than it may", async () => {
    const [near, far] = wirePair();
    const visited = visit(async () => near);
    const outcome = visited.catch((error: unknown) => error);
    const link = new Link({ wire: far, clock, onUnknown: () => {} });
    link.route(["version", "verack", "ready"]);
    link.start();
    await settle();
    clock.advance(P2P_LIMITS.p2pVersionMs - 1);
    const value = { ...introductionOf(1), protocolVersion: PROTOCOL_VERSION, timestamp: 0n };
    link.send({ $case: "version", value });
    link.send({ $case: "verack", value: {} });
    await settle();
    clock.advance(P2P_LIMITS.p2pReadyMs - 1);
    expect(await outcome).toMatchObject({ code: "run/timeout" });
  });

  it("was one of a node when only the answer does not come", async () => {
    const [near, far] = wirePair();
    const visited = visit(async () => near);
    const link = new Link({ wire: far, clock, onUnknown: () => {} });
    const requests = await shakeHands(link, {
      own: introductionOf(1),
      clock,
      judge: () => {},
      prepare: () => link.route(["requestAddresses"]),
    });
    await requests.next(null);
    await settle();
    clock.advance(SEEDER_LIMITS.seederProbeMs);
    expect(await visited).toEqual([]);
  });
});
