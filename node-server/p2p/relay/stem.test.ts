/** Stems of payments: who gets them, how they end, and what liars, floods and kills do to them (ADR 22). */
import { beforeEach, describe, expect, it } from "vitest";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { asTxId, type TxId } from "@svc/shared/base/brand.ts";
import { OWN_SERVICES, SERVICES } from "@svc/shared/protocol/p2p/p2pServices.ts";
import type { P2pPayload } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { rawTransactionOf, transactionMessage } from "@svc/shared/protocol/p2p/p2pTransaction.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Link } from "../link/link.ts";
import {
  dialAsStranger,
  dialledStranger,
  RelayNode,
  simulatedId,
} from "../testkit/relayNetwork.ts";
import { numberedPayment } from "../testkit/numberedPayment.ts";
import { SimulatedClock } from "../testkit/simulatedClock.ts";

const NO_STEMS = OWN_SERVICES & ~SERVICES.stem;
const LINE_MS = 10;
const JUDGE_MS = 30;
/** No fail-safe is later. */
const SAFE_MS = P2P_LIMITS.p2pStemSafeMs + P2P_LIMITS.p2pRandomMeans * P2P_LIMITS.p2pStemSafeMeanMs;
/** No random time of spreading is longer. */
const SPREAD_MS = P2P_LIMITS.p2pRandomMeans * P2P_LIMITS.p2pSpreadInboundMs;
/** Below it a lot ends a stem. */
const ENDS = (P2P_LIMITS.p2pStemEndPercent - 1) / 100;
const GOES_ON = 0.5;

let clock = new SimulatedClock();
let lot = GOES_ON;
beforeEach(() => {
  clock = new SimulatedClock();
  lot = GOES_ON;
});

function makeNode(isLooking = false, judgeMs = JUDGE_MS): RelayNode {
  return new RelayNode("10.0.0.1", {
    clock,
    random: () => lot,
    judgeMs,
    isLooking: () => isLooking,
  });
}

/** The other side of a link, which writes down what it is sent. */
type Stranger = { readonly link: Link; readonly stems: TxId[]; readonly told: TxId[] };

/** Somebody whom the node dialled, or who dialled it. */
function stranger(
  node: RelayNode,
  name: string,
  { services = OWN_SERVICES, dialled = true } = {},
): Stranger {
  const join = dialled ? dialledStranger : dialAsStranger;
  const link = join(node, { name, services }, { clock, delayMs: LINE_MS });
  const heard: Stranger = { link, stems: [], told: [] };
  const stems = link.route(["stemTransaction"], { capacity: 10_000 });
  const told = link.route(["invTransactions"]);
  link.start();
  const takeStems = async (): Promise<void> => {
    for (;;) {
      const { payload } = await stems.next(null);
      heard.stems.push(simulatedId(rawTransactionOf(payload.value)));
    }
  };
  const takeTold = async (): Promise<void> => {
    for (;;) {
      const { payload } = await told.next(null);
      for (const { bytes } of payload.value.ids) heard.told.push(idOf(bytes));
    }
  };
  void takeStems().catch(() => undefined);
  void takeTold().catch(() => undefined);
  return heard;
}

const idOf = (bytes: Uint8Array): TxId => asTxId(encodeHex(bytes));
const now = (): number => Number(clock.nowMs());
const pass = (ms: number): Promise<void> => clock.runTo(now() + ms);
const stemOf = (number: number): P2pPayload => ({
  $case: "stemTransaction",
  value: transactionMessage(numberedPayment(number)),
});

/** Hands a payment to a node as its wallet does. */
async function pay(node: RelayNode, number: number): Promise<TxId> {
  void node.pool.submit(numberedPayment(number));
  await pass(JUDGE_MS + 2 * LINE_MS);
  return simulatedId(numberedPayment(number));
}

describe("a payment of this node", () => {
  it("goes to one peer that was dialled and takes stems, and nobody else hears of it", async () => {
    const node = makeNode();
    const foreign = stranger(node, "10.0.0.2", { services: NO_STEMS });
    const caller = stranger(node, "10.0.0.3", { dialled: false });
    const taker = stranger(node, "10.0.0.4");
    const txid = await pay(node, 1);
    await pass(P2P_LIMITS.p2pStemSafeMs - 1_000);
    expect(taker.stems).toEqual([txid]);
    expect([foreign.stems, caller.stems]).toEqual([[], []]);
    expect([foreign.told, caller.told, taker.told]).toEqual([[], [], []]);
    expect(node.relay.isOnStem(txid)).toBe(true);
    // Its own lists do not show it either: whoever reads them may be anybody.
    expect(node.relay.open.entries()).toEqual([]);
    expect(node.relay.open.get(txid)).toBeUndefined();
    expect(node.relay.open.size).toBe(0);
    expect(node.pool.get(txid)).toBeDefined();
  });

  it("never ends its stem where it begins", async () => {
    lot = ENDS;
    const node = makeNode();
    const taker = stranger(node, "10.0.0.4");
    const txid = await pay(node, 1);
    expect(taker.stems).toEqual([txid]);
    expect(node.relay.isOnStem(txid)).toBe(true);
  });

  it("goes to the same peer as those before it, for an epoch", async () => {
    const node = makeNode();
    const takers = [2, 3, 4, 5].map((at) => stranger(node, `10.0.0.${at}`));
    const txids: TxId[] = [];
    for (let number = 1; number <= 5; number += 1) {
      // Whatever the lots are meanwhile.
      lot = 0.3 + 0.1 * number;
      txids.push(await pay(node, number));
    }
    lot = GOES_ON;
    for (const txid of txids) node.pool.apply(txid);
    expect(takers.filter(({ stems }) => stems.length > 0)).toHaveLength(1);
    expect(takers.map(({ stems }) => stems.length)).toContain(5);
    // The longest epoch is over: lots decide anew.
    await pass(2 * P2P_LIMITS.p2pStemEpochMs);
    lot = 0.99;
    await pay(node, 6);
    const last = simulatedId(numberedPayment(6));
    const first = takers.find(({ stems }) => stems.length === 5);
    expect(takers.filter(({ stems }) => stems.includes(last))).toHaveLength(1);
    expect(first?.stems).not.toContain(last);
  });

  it("is spread by its fail-safe when the peer keeps it to itself, who gets no further one", async () => {
    const node = makeNode();
    const hole = stranger(node, "10.0.0.2");
    const txid = await pay(node, 1);
    expect(hole.stems).toEqual([txid]);
    const other = stranger(node, "10.0.0.3");
    await pass(P2P_LIMITS.p2pStemSafeMs - 1_000);
    expect(other.told).toEqual([]);
    await pass(SAFE_MS + SPREAD_MS);
    expect(other.told).toContain(txid);
    expect(node.relay.isOnStem(txid)).toBe(false);
    expect(node.relay.open.get(txid)).toBeDefined();
    const second = await pay(node, 2);
    expect(hole.stems).toEqual([txid]);
    expect(other.stems).toEqual([second]);
  });

  it("does not go to a peer that swallowed one and came again within the epoch", async () => {
    const node = makeNode();
    const hole = stranger(node, "10.0.0.2");
    await pay(node, 1);
    await pass(SAFE_MS);
    hole.link.end(new SvcError("node/stopping", {}));
    await pass(LINE_MS + 1);
    const again = stranger(node, "10.0.0.2");
    const other = stranger(node, "10.0.0.3");
    lot = 0;
    const txids = [await pay(node, 2), await pay(node, 3)];
    expect([again.stems, other.stems]).toEqual([[], txids]);
  });

  it("goes to whoever takes stems where all of them have lost one, and waits for its fail-safe", async () => {
    const node = makeNode();
    const hole = stranger(node, "10.0.0.2");
    const first = await pay(node, 1);
    await pass(SAFE_MS);
    const second = await pay(node, 2);
    expect(hole.stems).toEqual([first, second]);
    expect(node.relay.isOnStem(second)).toBe(true);
  });

  it("is no fault of the peer that kept it where another payment of the same note went round", async () => {
    const node = makeNode();
    const honest = stranger(node, "10.0.0.2");
    const giver = stranger(node, "10.0.0.3", { dialled: false });
    const txid = await pay(node, 1);
    // The others have taken the second spender, so they refuse the first one.
    node.pool.conflicts.set(simulatedId(numberedPayment(2)), txid);
    giver.link.send(stemOf(2));
    await pass(SAFE_MS);
    expect(node.relay.isOnStem(txid)).toBe(false);
    const other = stranger(node, "10.0.0.4");
    // It is still the peer of the epoch.
    const third = await pay(node, 3);
    expect([honest.stems, other.stems]).toEqual([[txid, third], []]);
  });

  it("is spread by its fail-safe when the peer is gone, and the next one goes to another", async () => {
    const node = makeNode();
    const gone = stranger(node, "10.0.0.2");
    const txid = await pay(node, 1);
    expect(gone.stems).toEqual([txid]);
    gone.link.end(new SvcError("node/stopping", {}));
    await pass(LINE_MS + 1);
    const other = stranger(node, "10.0.0.3");
    const second = await pay(node, 2);
    expect(other.stems).toEqual([second]);
    await pass(SAFE_MS + SPREAD_MS);
    expect(other.told).toContain(txid);
  });

  it("waits for a peer that may come, and without hope is spread at once, with delays", async () => {
    const node = makeNode(true);
    const txid = await pay(node, 1);
    const foreign = stranger(node, "10.0.0.2", { services: NO_STEMS });
    await pass(1_000);
    expect(node.relay.isOnStem(txid)).toBe(true);
    const taker = stranger(node, "10.0.0.3");
    await pass(2 * LINE_MS);
    expect(taker.stems).toEqual([txid]);
    expect(foreign.told).toEqual([]);

    const alone = makeNode();
    const caller = stranger(alone, "10.0.0.4", { dialled: false });
    const second = await pay(alone, 2);
    expect(alone.relay.isOnStem(second)).toBe(false);
    expect(caller.told).toEqual([]);
    await pass(SPREAD_MS);
    expect(caller.told).toEqual([second]);
  });

  it("that was on disk at a start goes on a stem again, and is spread by its fail-safe at last", async () => {
    const before = makeNode();
    const txid = await pay(before, 1);
    const node = new RelayNode("10.0.0.1", {
      clock,
      random: () => lot,
      judgeMs: JUDGE_MS,
      isLooking: () => true,
      stored: before.pool.entries(),
    });
    const hole = stranger(node, "10.0.0.2");
    await pass(2 * LINE_MS);
    expect(hole.stems).toEqual([txid]);
    expect(hole.told).toEqual([]);
    const other = stranger(node, "10.0.0.3");
    await pass(SAFE_MS + SPREAD_MS);
    expect(other.told).toContain(txid);
  });

  it("comes to open lists when it is spread, and leaves them when a block applies it", async () => {
    const node = makeNode();
    stranger(node, "10.0.0.2");
    const changes: string[] = [];
    node.relay.open.onChange((change) => changes.push(change.type));
    const early = await pay(node, 1);
    node.pool.apply(early);
    expect(changes).toEqual([]);
    const txid = await pay(node, 2);
    expect(changes).toEqual([]);
    await pass(SAFE_MS);
    expect(changes).toEqual(["added"]);
    node.pool.apply(txid);
    expect(changes).toEqual(["added", "removed"]);
  });
});

describe("a payment that a peer hands on", () => {
  it("goes on to the peer of the epoch, or ends its stem by lot", async () => {
    const node = makeNode();
    const taker = stranger(node, "10.0.0.2");
    const giver = stranger(node, "10.0.0.3", { dialled: false });
    giver.link.send(stemOf(1));
    await pass(JUDGE_MS + 3 * LINE_MS);
    expect(taker.stems).toEqual([simulatedId(numberedPayment(1))]);
    lot = ENDS;
    giver.link.send(stemOf(2));
    await pass(JUDGE_MS + 3 * LINE_MS);
    expect(taker.stems).toHaveLength(1);
    expect(node.relay.open.get(simulatedId(numberedPayment(2)))).toBeDefined();
  });

  it("goes on, or ends, when it comes round again", async () => {
    const node = makeNode();
    const taker = stranger(node, "10.0.0.2");
    const txid = await pay(node, 1);
    taker.link.send(stemOf(1));
    await pass(3 * LINE_MS);
    expect(taker.stems).toEqual([txid, txid]);
    lot = ENDS;
    taker.link.send(stemOf(1));
    await pass(3 * LINE_MS);
    expect(node.relay.isOnStem(txid)).toBe(false);
    // Then it is known to all, and nobody hands it on any more.
    taker.link.send(stemOf(1));
    await pass(3 * LINE_MS);
    expect(taker.stems).toHaveLength(2);
  });

  it("is fetched like an unknown one when somebody announces it, and spread when it came", async () => {
    const node = makeNode();
    const taker = stranger(node, "10.0.0.2");
    const spy = stranger(node, "10.0.0.3", { dialled: false });
    const asked = spy.link.route(["requestTransactions"]);
    const txid = await pay(node, 1);
    spy.link.send({ $case: "invTransactions", value: { ids: [{ bytes: decodeHex(txid) }] } });
    const { payload } = await runUntil(asked.next(null));
    expect(payload.value.ids.map(({ bytes }) => idOf(bytes))).toEqual([txid]);
    // A claim alone changes nothing.
    expect(node.relay.isOnStem(txid)).toBe(true);
    spy.link.send({ $case: "transaction", value: transactionMessage(numberedPayment(1)) });
    await pass(2 * LINE_MS);
    expect(node.relay.isOnStem(txid)).toBe(false);
    await pass(SPREAD_MS);
    expect(taker.told).toContain(txid);
    expect(spy.told).not.toContain(txid);
  });

  it("is given to nobody who asks for it", async () => {
    const node = makeNode();
    stranger(node, "10.0.0.2");
    const spy = stranger(node, "10.0.0.3", { dialled: false });
    const txid = await pay(node, 1);
    expect(await ask(spy, txid)).toBe("transactionNotFound");
  });

  it("is a fault of a peer that did not say that it speaks of stems, or whose payment is none", async () => {
    const node = makeNode();
    const silent = stranger(node, "10.0.0.2", { services: NO_STEMS, dialled: false });
    silent.link.send(stemOf(1));
    await pass(3 * LINE_MS);
    expect((await silent.link.ended).code).toBe("p2p/rejected");
    const liar = stranger(node, "10.0.0.3", { dialled: false });
    const value = transactionMessage(numberedPayment(2));
    const subnetworkId = { bytes: new Uint8Array(3) };
    liar.link.send({ $case: "stemTransaction", value: { ...value, subnetworkId } });
    await pass(3 * LINE_MS);
    expect((await liar.link.ended).code).toBe("p2p/rejected");
    expect(node.pool.size).toBe(0);
  });

  it("is one of a bounded number: a flood keeps nobody else waiting", async () => {
    const node = makeNode();
    const taker = stranger(node, "10.0.0.2");
    const flooder = stranger(node, "10.0.0.3", { dialled: false });
    const honest = stranger(node, "10.0.0.4", { dialled: false });
    const flood = 4 * P2P_LIMITS.p2pStemBurst;
    for (let number = 1; number <= flood; number += 1) flooder.link.send(stemOf(number));
    await pass(2 * LINE_MS);
    honest.link.send(stemOf(100_000));
    await pass(2 * JUDGE_MS + 3 * LINE_MS);
    expect(node.pool.get(simulatedId(numberedPayment(100_000)))).toBeDefined();
    await pass(flood * JUDGE_MS);
    // What waits is bounded, and so is what is looked at.
    expect(node.pool.size).toBeLessThanOrEqual(P2P_LIMITS.p2pStemWaiting + 3);
    expect(taker.stems.length).toBeLessThanOrEqual(P2P_LIMITS.p2pStemWaiting + 3);
    expect(flooder.link.signal.aborted).toBe(false);
  });

  it("is one of so many that a peer may hand on in a second", async () => {
    const node = makeNode(false, 0);
    stranger(node, "10.0.0.2");
    const flooder = stranger(node, "10.0.0.3", { dialled: false });
    const [seconds, perSecond] = [20, 4 * P2P_LIMITS.p2pStemPerSecond];
    const start = 2 * P2P_LIMITS.p2pStemBurst;
    for (let number = 1; number <= start + seconds * perSecond; number += 1) {
      flooder.link.send(stemOf(number));
      if (number % 8 === 0) await pass((8 * 1_000) / perSecond);
    }
    expect(node.pool.size).toBeGreaterThan(start);
    const passed = Number(clock.nowMs()) / 1_000;
    expect(node.pool.size).toBeLessThanOrEqual(
      start + 2 * P2P_LIMITS.p2pStemPerSecond * (passed + 1),
    );
    expect(node.pool.size).toBeLessThan(start + seconds * perSecond);
  });

  it("is one of so many that a peer is sent in a second; the others wait for their fail-safe", async () => {
    const node = makeNode();
    const taker = stranger(node, "10.0.0.2");
    const count = P2P_LIMITS.p2pStemBurst + 50;
    for (let number = 1; number <= count; number += 1)
      void node.pool.submit(numberedPayment(number));
    await pass(JUDGE_MS + 2 * LINE_MS);
    expect(taker.stems).toHaveLength(P2P_LIMITS.p2pStemBurst);
    await pass(SAFE_MS);
    expect(node.relay.open.size).toBe(count);
  });
});

/** Runs time on until something is there. */
async function runUntil<T>(awaited: Promise<T>): Promise<T> {
  const isThere = awaited.then(() => true);
  for (let step = 0; step < 100; step += 1) {
    if (await Promise.race([isThere, pass(LINE_MS).then(() => false)])) break;
  }
  return awaited;
}

async function ask({ link }: Stranger, txid: TxId): Promise<string> {
  const { route } = link.converse(
    { $case: "requestTransactions", value: { ids: [{ bytes: decodeHex(txid) }] } },
    ["transaction", "transactionNotFound"],
    1,
  );
  return (await runUntil(route.next(null))).payload.$case;
}
