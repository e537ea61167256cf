import { describe, expect, it } from "vitest";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { LIMITS } from "@svc/shared/base/limits.ts";
import { OWN_SERVICES } from "@svc/shared/protocol/p2p/p2pServices.ts";
import type { Settled } from "../../consensus/historyImport.ts";
import { ManualClock } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.ts";
import { linkedPeer, settle } from "../testkit/linkedPeer.ts";
import { HistorySync } from "./historySync.ts";
import { hashOf } from "./testkit/numberedChain.ts";

describe("note history", () => {
  it("is asked for when the chain begins anew behind the start of the node", async () => {
    const clock = new ManualClock(0n);
    const { peer, remote, start } = linkedPeer(clock, [], "peer", { services: OWN_SERVICES });
    const requests = remote.route(["requestShieldedHistory"]);
    start();
    let progress: Settled = { kind: "complete" };
    const sync = new HistorySync({
      history: { progress: async () => progress, take: async () => progress },
      peers: () => [peer],
      isBusy: () => false,
      clock,
      log: createLog("silent"),
    });
    sync.start();
    await settle();
    expect(clock.sleeping).toBe(1);
    progress = { kind: "wanted", base: hashOf(7), below: 0, lowest: null };
    clock.advance(LIMITS.syncHistoryPauseMs);
    const { payload } = await requests.next(null);
    expect(encodeHex(payload.value.anchorHash)).toBe(hashOf(7));
    await sync.stop();
  });
});
