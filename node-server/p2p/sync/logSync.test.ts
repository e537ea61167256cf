import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { asBlockHash } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { OWN_SERVICES, SERVICES } from "@svc/shared/protocol/p2p/p2pServices.ts";
import type { LogProgress } from "../../engine/calls/importCalls.ts";
import { createLog } from "../../platform/log/log.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import type { Peer } from "../peers/peer.ts";
import { linkedPeer, settle } from "../testkit/linkedPeer.ts";
import { LogSync } from "./logSync.ts";
import { hashOf } from "./testkit/numberedChain.ts";

/** Pages of the whole log, one entry each. */
const COUNT = 5n;
const BASE = asBlockHash(hashOf(9));
const TRUE_BYTE = 0xaa;

/** A store that takes true pages in order. */
class FakeLog {
  count = COUNT;
  first = 0n;
  base = BASE;
  refusals = 0;

  readonly progress = async (): Promise<LogProgress> =>
    this.first === this.count
      ? { kind: "complete" }
      : { kind: "wanted", base: this.base, count: this.count, first: this.first };

  readonly take = async (page: Uint8Array): Promise<LogProgress> => {
    if (page[0] !== Number(this.first) || page[1] !== TRUE_BYTE) {
      this.refusals += 1;
      throw new SvcError("history/wrong-record", { hash: this.base, reason: "a lie" });
    }
    this.first += 1n;
    return this.progress();
  };
}

let clock = new ManualClock(0n);
let peers: Peer[] = [];
let store = new FakeLog();
let sync: LogSync | null = null;
let isBusy = false;
beforeEach(() => {
  clock = new ManualClock(0n);
  peers = [];
  store = new FakeLog();
  isBusy = false;
});
afterEach(() => sync?.stop());

function start(): LogSync {
  sync = new LogSync({
    anchorLog: store,
    peers: () => peers.filter(({ link }) => !link.signal.aborted),
    isBusy: () => isBusy,
    clock,
    log: createLog("silent"),
  });
  sync.start();
  return sync;
}

/** What a peer says of a page; nothing where it has none. */
type Says = (first: bigint) => readonly number[];
const truth: Says = (first) => [Number(first), TRUE_BYTE];

/** A peer that answers; `asked` is what it was asked for. */
function connect(says: Says, services = OWN_SERVICES) {
  const { peer, remote, start: run } = linkedPeer(clock, [], "peer", { services });
  const requests = remote.route(["requestAnchorLog"]);
  run();
  const asked: bigint[] = [];
  const serve = async (): Promise<void> => {
    for (;;) {
      const { payload } = await requests.next(null);
      const { first } = payload.value;
      asked.push(first);
      remote.send({ $case: "anchorLogPage", value: { page: Uint8Array.from(says(first)) } });
    }
  };
  serve().catch(() => undefined);
  peers.push(peer);
  return { link: peer.link, asked };
}

async function nextRound(ms: number = P2P_LIMITS.syncLogPauseMs): Promise<void> {
  clock.advance(ms);
  await settle();
}

describe("the anchor log", () => {
  it("comes page by page from its first entry on, and nothing is asked for when it is whole", async () => {
    const { asked } = connect(truth);
    start();
    await settle();
    expect(store.first).toBe(COUNT);
    await nextRound();
    expect(asked).toEqual([0n, 1n, 2n, 3n, 4n]);
  });

  it("costs a liar the link, and comes from the next peer", async () => {
    const liar = connect((first) => [Number(first), first === 2n ? 0 : TRUE_BYTE]);
    start();
    expect((await liar.link.ended).code).toBe("history/wrong-record");
    await settle();
    expect(store.first).toBe(2n);
    const honest = connect(truth);
    await nextRound();
    expect([honest.asked, store.first]).toEqual([[2n, 3n, 4n], COUNT]);
    expect(honest.link.signal.aborted).toBe(false);
  });

  it("goes on where one has left off; who had none is not asked again at once", async () => {
    const poor = connect((first) => (first < 2n ? truth(first) : []));
    start();
    await settle();
    await nextRound();
    expect(poor.asked).toEqual([0n, 1n, 2n]);
    const rich = connect((first) => (first < 4n ? truth(first) : []));
    await nextRound();
    expect(rich.asked).toEqual([2n, 3n, 4n]);
    await nextRound(P2P_LIMITS.syncLogAgainMs);
    expect(poor.asked).toEqual([0n, 1n, 2n, 4n]);
    expect([poor, rich].map(({ link }) => link.signal.aborted)).toEqual([false, false]);
  });

  it("is asked of nobody who does not announce it, nor while the chain is caught up with", async () => {
    const foreign = connect(truth, OWN_SERVICES & ~SERVICES.anchorLog);
    isBusy = true;
    start();
    await nextRound();
    const able = connect(truth);
    await nextRound();
    expect([foreign.asked, able.asked]).toEqual([[], []]);
    isBusy = false;
    await nextRound();
    expect([foreign.asked, able.asked.length]).toEqual([[], Number(COUNT)]);
  });

  it("blames nobody for a page of a chain that began anew meanwhile", async () => {
    const { link } = connect((first) => {
      if (first === 1n && store.base === BASE)
        [store.base, store.first] = [asBlockHash(hashOf(8)), 0n];
      return truth(first);
    });
    start();
    await settle();
    expect([store.refusals, link.signal.aborted]).toEqual([1, false]);
    await nextRound();
    expect(store.first).toBe(COUNT);
  });

  it("gives each peer its turn, so that one that gives little holds nobody up", async () => {
    const turn = P2P_LIMITS.syncLogPages;
    store.count = BigInt(3 * turn);
    const both = [connect(truth), connect(truth)];
    start();
    for (let spell = 0; store.first < store.count && spell < 100; spell += 1) await settle();
    expect(both.map(({ asked }) => asked.length)).toEqual([2 * turn, turn]);
    expect(await store.progress()).toEqual({ kind: "complete" });
  });

  it("says how far it is, and stops", async () => {
    const { peer, remote, start: run } = linkedPeer(clock, [], "peer", { services: OWN_SERVICES });
    const requests = remote.route(["requestAnchorLog"]);
    run();
    peers.push(peer);
    store.first = 3n;
    const running = start();
    await requests.next(null);
    expect(running.progress).toMatchObject({ stage: "log", done: 3, total: Number(COUNT) });
    remote.send({ $case: "anchorLogPage", value: { page: Uint8Array.from(truth(3n)) } });
    await requests.next(null);
    expect(running.progress).toMatchObject({ done: 4 });
    await running.stop();
    expect([running.progress, store.first]).toEqual([null, 4n]);
  });
});
