/** Tests of the choice among the pruning proofs of several peers. */
import { beforeEach, describe, expect, it } from "vitest";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { createLog } from "../../platform/log/log.ts";
import type { Link } from "../link/link.ts";
import type { Peer } from "../peers/peer.ts";
import { linkedPeer, settle } from "../testkit/linkedPeer.ts";
import { ProofComparison } from "./proofComparison.ts";
import { headerMessage } from "./testkit/numberedChain.ts";

let clock = new ManualClock(0n);
let peers: Peer[] = [];
let isLooking = false;
beforeEach(() => {
  clock = new ManualClock(0n);
  peers = [];
  isLooking = false;
});

/** Bytes of the proof of the import: a longer one is better. */
const OWN = 2_000;
const judge = {
  asked: 0,
  isOutdoneBy: async (raw: Uint8Array): Promise<boolean> => {
    judge.asked += 1;
    return raw.length > OWN;
  },
};

/** What a peer does when it is asked for its proof: headers of one level, none to give, or silence. */
type Answer = number | "none" | "silent" | "garbage";

function join(answer: Answer, dialled = true): Peer {
  const { peer, remote, start } = linkedPeer(clock, [], `peer ${peers.length}`, { dialled });
  const requests = remote.route(["requestPruningPointProof"]);
  start();
  void serve(remote, () => requests.next(null), answer).catch(() => undefined);
  peers.push(peer);
  return peer;
}

async function serve(remote: Link, next: () => Promise<unknown>, answer: Answer): Promise<void> {
  for (;;) {
    await next();
    if (answer === "none") remote.send({ $case: "unexpectedPruningPoint", value: {} });
    else if (answer === "garbage") remote.send({ $case: "doneHeaders", value: {} });
    else if (answer !== "silent") {
      const headers = Array.from({ length: answer }, (_, number) => headerMessage(1 + number));
      const value = { levels: [{ blockHeaders: headers }] };
      remote.send({ $case: "pruningPointProof", value });
    }
  }
}

const WORSE = 3;
const BETTER = 30;

function rivalsOf(goal: Peer): ProofComparison {
  const parts = { peers: () => peers, isLooking: () => isLooking, clock, log: createLog("silent") };
  return new ProofComparison(parts, goal);
}

const { signal } = new AbortController();
const codeOf = (settled: Promise<void>): Promise<string> => rejectionCode(settled, "stays");

describe("the proof of the first peer", () => {
  it("gives way to a better one of a peer that this node dialled, wherever that stands", async () => {
    for (const answers of [
      [BETTER, WORSE],
      [WORSE, BETTER],
    ]) {
      peers = [];
      const goal = join("silent");
      for (const answer of answers) join(answer);
      expect(await codeOf(rivalsOf(goal).contest(judge, signal))).toBe("sync/outdone");
    }
  });

  it("stays against worse ones, against those that have none, and against who came in by itself", async () => {
    const goal = join("silent");
    for (const answer of [WORSE, "none"] as const) join(answer);
    join(BETTER, false);
    expect(await codeOf(rivalsOf(goal).contest(judge, signal))).toBe("stays");
    expect(peers.every(({ link }) => !link.signal.aborted)).toBe(true);
  });

  it("is held against a peer that has one, however many have none", async () => {
    const goal = join("silent");
    for (const answer of ["none", "none", "none", BETTER] as const) join(answer);
    expect(await codeOf(rivalsOf(goal).contest(judge, signal))).toBe("sync/outdone");
  });

  it("is held against three dialled peers, itself among them if it is one", async () => {
    for (const isDialled of [true, false]) {
      peers = [];
      const goal = join("silent", isDialled);
      for (let count = 0; count < 6; count += 1) join(WORSE);
      judge.asked = 0;
      await rivalsOf(goal).contest(judge, signal);
      expect(judge.asked).toBe(P2P_LIMITS.syncRivals - (isDialled ? 1 : 0));
    }
  });

  it("is compared with the next one when a rival is too slow, or talks nonsense and loses its link", async () => {
    const goal = join("silent");
    const [silent, garbage] = [join("silent"), join("garbage")];
    join(BETTER);
    const outcome = codeOf(rivalsOf(goal).contest(judge, signal));
    await settle();
    clock.advance(P2P_LIMITS.syncRivalProofMs);
    expect(await outcome).toBe("sync/outdone");
    expect([silent, garbage, goal].map(({ link }) => link.signal.aborted)).toEqual([
      false,
      true,
      false,
    ]);
  });

  it("waits for others while more are being dialled, and not for ever", async () => {
    isLooking = true;
    const goal = join("silent");
    const late = codeOf(rivalsOf(goal).settle(judge, signal));
    await settle();
    join(BETTER);
    clock.advance(P2P_LIMITS.syncRivalLookMs);
    expect(await late).toBe("sync/outdone");

    peers = [];
    const alone = join("silent");
    const given = codeOf(rivalsOf(alone).settle(judge, signal));
    for (
      let waited = 0;
      waited <= P2P_LIMITS.syncRivalWaitMs;
      waited += P2P_LIMITS.syncRivalLookMs
    ) {
      await settle();
      clock.advance(P2P_LIMITS.syncRivalLookMs);
    }
    expect(await given).toBe("stays");
    isLooking = false;
    expect(await codeOf(rivalsOf(alone).settle(judge, signal))).toBe("stays");
  });

  it("is not judged by a fault of this node", async () => {
    const goal = join("silent");
    const rival = join(WORSE);
    const broken = { isOutdoneBy: () => Promise.reject(new SvcError("engine/restarted", {})) };
    expect(await codeOf(rivalsOf(goal).contest(broken, signal))).toBe("engine/restarted");
    expect(rival.link.signal.aborted).toBe(false);
  });
});
