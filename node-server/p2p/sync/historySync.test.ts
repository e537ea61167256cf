import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { OWN_SERVICES } from "@svc/shared/protocol/p2p/p2pServices.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { createLog } from "../../platform/log/log.ts";
import type { Peer } from "../peers/peer.ts";
import { linkedPeer, settle } from "../testkit/linkedPeer.ts";
import { HistorySync } from "./historySync.ts";
import { numberOf } from "./testkit/numberedChain.ts";
import {
  historyMessage,
  NumberedHistory,
  trueRecord,
  type NumberedRecord,
} from "./testkit/numberedHistory.ts";

/** The chain begins here anew; genesis is number 0. */
const BASE = 9;
/** Records that a peer sends at once. */
const PAGE = 3;

let clock = new ManualClock(0n);
let peers: Peer[] = [];
let history = new NumberedHistory(BASE);
let sync: HistorySync | null = null;
beforeEach(() => {
  clock = new ManualClock(0n);
  peers = [];
  history = new NumberedHistory(BASE);
});
afterEach(() => sync?.stop());

function start(): void {
  sync = new HistorySync({
    history,
    peers: () => peers.filter(({ link }) => !link.signal.aborted),
    isBusy: () => false,
    clock,
    log: createLog("silent"),
  });
  sync.start();
}

/** What a peer says of a block; undefined where it has nothing. */
type Says = (number: number) => NumberedRecord | undefined;

/** A peer that answers in pages; `asked` is what it was asked for. */
function connect(says: Says) {
  const { peer, remote, start } = linkedPeer(clock, [], "peer", { services: OWN_SERVICES });
  const requests = remote.route(["requestShieldedHistory"]);
  start();
  const asked: number[] = [];
  const serve = async (): Promise<void> => {
    for (;;) {
      const { payload } = await requests.next(null);
      const anchor = numberOf(encodeHex(payload.value.anchorHash));
      asked.push(anchor);
      // The block that is named comes first, also where the one who asks has it.
      const count = Math.min(PAGE + (anchor < BASE ? 1 : 0), anchor + 1);
      const records = Array.from({ length: count }, (_, at) => says(anchor - at));
      const known = records.filter((record) => record !== undefined);
      remote.send({ $case: "shieldedHistoryChunk", value: historyMessage(known) });
    }
  };
  serve().catch(() => undefined);
  peers.push(peer);
  return { link: peer.link, asked };
}

async function nextRound(): Promise<void> {
  clock.advance(P2P_LIMITS.syncHistoryPauseMs);
  await settle();
}

/** Somebody whose last record of a page has lost a leaf. */
const liar: Says = (number) => ({
  ...trueRecord(number),
  firstLeaf: trueRecord(number).firstLeaf + (number === BASE - PAGE + 1 ? 1 : 0),
});
const gone = new SvcError("p2p/closed", {});

describe("note history", () => {
  it("comes down to genesis, when the chain has begun anew behind the start of the node", async () => {
    start();
    await settle();
    expect(clock.sleeping).toBe(1);
    const { asked } = connect(trueRecord);
    await nextRound();
    expect(await history.progress()).toEqual({ kind: "complete" });
    expect(asked[0]).toBe(BASE);
  });

  it("goes on with another peer where one has left off", async () => {
    const first = connect((number) => (number > 5 ? trueRecord(number) : undefined));
    start();
    await settle();
    first.link.end(gone);
    const second = connect(trueRecord);
    await nextRound();
    expect(await history.progress()).toEqual({ kind: "complete" });
    expect(second.asked[0]).toBe(6);
  });

  it("that does not fit what another peer gave costs nobody the link, and is fetched anew from the one that doubts", async () => {
    let isThere = true;
    const lying = connect((number) => (isThere ? liar(number) : undefined));
    start();
    for (let turn = 0; lying.asked.length < 2 && turn < 1_000; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    isThere = false;
    lying.link.end(gone);
    await settle();
    const honest = [connect(trueRecord), connect(trueRecord)];
    await nextRound();
    expect(history.drops).toBe(1);
    await nextRound();
    expect(await history.progress()).toEqual({ kind: "complete" });
    expect(honest.map(({ link }) => link.signal.aborted)).toEqual([false, false]);
    expect(honest.map(({ asked }) => asked.length > 0)).toEqual([true, false]);
  });

  it("that does not fit itself costs its only giver the link", async () => {
    const { link } = connect(liar);
    start();
    expect((await link.ended).code).toBe("history/wrong-record");
    expect(history.drops).toBe(0);
  });

  it("that makes another tree costs its only giver the link; where several gave it, it is fetched anew from one", async () => {
    const falsely: Says = (number) => ({ ...trueRecord(number), isFalse: number === BASE });
    const { link } = connect(falsely);
    start();
    expect((await link.ended).code).toBe("history/wrong-record");
    const lying = connect((number) => (number > 5 ? falsely(number) : undefined));
    await nextRound();
    lying.link.end(gone);
    const honest = connect(trueRecord);
    await nextRound();
    expect(await history.progress()).toEqual({ kind: "complete" });
    expect(honest.link.signal.aborted).toBe(false);
    expect(honest.asked).toContain(BASE);
  });

  it("is asked for again of a peer that had none when it came", async () => {
    let has = false;
    const { link } = connect((number) => (has ? trueRecord(number) : undefined));
    start();
    await settle();
    has = true;
    await nextRound();
    clock.advance(P2P_LIMITS.syncHistoryStuckMs);
    await settle();
    await nextRound();
    expect(await history.progress()).toEqual({ kind: "complete" });
    expect([history.drops, link.signal.aborted]).toEqual([0, false]);
  });

  it("that nobody goes on with is fetched anew after a while, and after longer the next time", async () => {
    connect((number) => (number > 5 ? trueRecord(number) : undefined));
    start();
    await settle();
    await nextRound();
    for (const timeoutMs of [P2P_LIMITS.syncHistoryStuckMs, 2 * P2P_LIMITS.syncHistoryStuckMs]) {
      const { drops } = history;
      clock.advance(timeoutMs - 2 * P2P_LIMITS.syncHistoryPauseMs);
      await settle();
      expect(history.drops).toBe(drops);
      for (let round = 0; round < 4 && history.drops === drops; round += 1) await nextRound();
      expect(history.drops).toBe(drops + 1);
      await nextRound();
      await nextRound();
    }
    expect(await history.progress()).toMatchObject({ kind: "wanted" });
  });
});
