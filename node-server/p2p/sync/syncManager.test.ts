import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { createLog } from "../../platform/log/log.ts";
import { linkedPeer, settle } from "../testkit/linkedPeer.ts";
import { SyncManager, type SyncManagerParts } from "./syncManager.ts";
import { SyncMeter } from "./syncMeter.ts";
import { hashOf, headerMessage, wireHash } from "./testkit/numberedChain.ts";

const clock = new ManualClock(0n);
/** What the store answers every question with. */
let failure: SvcError = new SvcError("store/read-failed", { reason: "test" });
let meter = new SyncMeter(clock);
let manager = makeManager();
beforeEach(() => {
  meter = new SyncMeter(clock);
  manager = makeManager();
});
afterEach(() => manager.stop());

function makeManager(): SyncManager {
  const parts: SyncManagerParts = {
    reader: { ask: () => Promise.reject(failure) },
    engine: { insertHeaders: async () => [], setGroupCommit: () => {} },
    insert: () => Promise.reject(failure),
    others: () => [],
    syncFromSnapshot: async () => {},
    depths: { doubt: 10n, pruning: 100n, finalityMs: 1_000n, genesisMs: 0n },
    onCaughtUp: () => {},
    hashOf: ({ nonce }) => hashOf(Number(nonce)),
    meter,
    clock,
    log: createLog("silent"),
  };
  return new SyncManager(parts);
}

/** A peer that shows a block and says where its chain is, and how often it was asked for the block. */
function talker(dialled = false) {
  const { peer, remote, start } = linkedPeer(clock, [], "peer", { dialled });
  const asked = { blocks: 0 };
  const requests = remote.route(["requestRelayBlocks", "requestIbdChainBlockLocator"]);
  start();
  const serve = async (): Promise<void> => {
    for (;;) {
      const { payload, requestId } = await requests.next(null);
      if (payload.$case === "requestRelayBlocks") {
        asked.blocks += 1;
        const value = { header: headerMessage(9), transactions: [] };
        remote.send({ $case: "block", value }, requestId);
      } else {
        const value = { hashes: [9, 5].map(wireHash) };
        remote.send({ $case: "ibdChainBlockLocator", value });
      }
    }
  };
  serve().catch(() => undefined);
  return { peer, asked };
}

describe("the one that catches up", () => {
  it.each(["store/read-failed", "store/commit-failed"] as const)(
    "blames no peer for %s, and tries again",
    async (code) => {
      failure = new SvcError(code, { reason: "test" });
      const { peer, asked } = talker();
      manager.start();
      manager.tell(peer, hashOf(9));
      await settle();
      expect(asked.blocks).toBe(1);
      expect(peer.link.signal.aborted).toBe(false);
      clock.advance(P2P_LIMITS.syncPauseMs * 2);
      await settle();
      expect(asked.blocks).toBe(2);
    },
  );

  it("asks those that it dialled before those that came", () => {
    const [came, chosen] = [talker(), talker(true)];
    manager.tell(came.peer, hashOf(9));
    manager.tell(chosen.peer, hashOf(9));
    manager.start();
    expect(manager.peer).toBe(chosen.peer);
  });

  it("waits for the end of a peer's link once, however often the peer tells", () => {
    const { peer } = talker();
    const ended = vi.spyOn(peer.link, "ended", "get");
    for (let number = 0; number < 1_000; number += 1) manager.tell(peer, hashOf(number));
    expect(ended).toHaveBeenCalledTimes(1);
  });

  it("lacks bodies when headers lead far above the own chain, not for some beside it", () => {
    expect(manager.lacksBodies).toBe(false);
    for (const total of [-5, 0, P2P_LIMITS.p2pFarDaa]) {
      meter.begin("bodies", total);
      expect(manager.lacksBodies).toBe(false);
    }
    meter.begin("bodies", P2P_LIMITS.p2pFarDaa + 1);
    expect(manager.lacksBodies).toBe(true);
    meter.begin("headers", 1_000);
    expect(manager.lacksBodies).toBe(false);
  });
});
