/** Tests of the diffusion of payments: the times of announcements, and which payments peers may request (ADR 22). */
import { beforeEach, describe, expect, it } from "vitest";
import { asTxId, type TxId } from "@svc/shared/base/brand.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { OWN_SERVICES, SERVICES } from "@svc/shared/protocol/p2p/p2pServices.ts";
import { testSeed } from "../../platform/testkit/testRun.ts";
import type { PoolEntry } from "../../mempool/poolEntry.ts";
import type { Link } from "../link/link.ts";
import { chances } from "../testkit/chances.ts";
import {
  dialAsStranger,
  dialledStranger,
  RelayNode,
  simulatedId,
} from "../testkit/relayNetwork.ts";
import { numberedPayment } from "../testkit/numberedPayment.ts";
import { SimulatedClock } from "../testkit/simulatedClock.ts";

/** None of them takes stems, so that everything is spread at once. */
const FOREIGN = OWN_SERVICES & ~SERVICES.stem;
const LINE_MS = 10;
const LONGEST_MS = P2P_LIMITS.p2pRandomMeans * P2P_LIMITS.p2pSpreadInboundMs;
const SEED = testSeed(17);
console.info(`spreading: SVC_SEED=${SEED}`);

let clock = new SimulatedClock();
beforeEach(() => {
  clock = new SimulatedClock();
});

const now = (): number => Number(clock.nowMs());
const pass = (ms: number): Promise<void> => clock.runTo(now() + ms);

function makeNode(stored: readonly PoolEntry[] = []): RelayNode {
  return new RelayNode("10.0.0.1", { clock, random: chances(SEED), judgeMs: 0, stored });
}

/** What a peer was told, and when: milliseconds by id. */
type Peer = { readonly link: Link; readonly told: Map<TxId, number>; readonly sizes: number[] };

function meet(node: RelayNode, name: string, dialled: boolean): Peer {
  const join = dialled ? dialledStranger : dialAsStranger;
  const link = join(node, { name, services: FOREIGN }, { clock, delayMs: LINE_MS });
  const peer: Peer = { link, told: new Map(), sizes: [] };
  const news = link.route(["invTransactions"]);
  link.start();
  const listen = async (): Promise<void> => {
    for (;;) {
      const { ids } = (await news.next(null)).payload.value;
      peer.sizes.push(ids.length);
      // A minute later it hears again of what it did not ask for.
      for (const { bytes } of ids) {
        const txid = asTxId(encodeHex(bytes));
        peer.told.set(txid, peer.told.get(txid) ?? now());
      }
    }
  };
  void listen().catch(() => undefined);
  return peer;
}

async function pay(node: RelayNode, number: number): Promise<TxId> {
  await Promise.all([node.pool.submit(numberedPayment(number)), pass(1)]);
  return simulatedId(numberedPayment(number));
}

/** What a peer is answered when it asks for a payment. */
async function ask({ link }: Peer, txid: TxId): Promise<string> {
  const { route } = link.converse(
    { $case: "requestTransactions", value: { ids: [{ bytes: decodeHex(txid) }] } },
    ["transaction", "transactionNotFound"],
    1,
  );
  const [{ payload }] = await Promise.all([route.next(null), pass(3 * LINE_MS)]);
  return payload.$case;
}

describe("spreading", () => {
  it("tells dialled peers at random times of their own, and all others at one", async () => {
    const node = makeNode();
    const dialled = [2, 3, 4, 5, 6].map((at) => meet(node, `10.0.0.${at}`, true));
    const callers = [7, 8, 9].map((at) => meet(node, `10.0.0.${at}`, false));
    const waits: number[] = [];
    const callerWaits: number[] = [];
    const COUNT = 150;
    for (let number = 1; number <= COUNT; number += 1) {
      const from = now();
      const txid = await pay(node, number);
      await pass(LONGEST_MS + LINE_MS);
      const times = (peers: readonly Peer[]): number[] =>
        peers.map(({ told }) => (told.get(txid) ?? Infinity) - from - LINE_MS);
      waits.push(...times(dialled));
      const [first = Infinity, ...others] = times(callers);
      expect(others).toEqual([first, first]);
      callerWaits.push(first);
      expect(new Set(times(dialled)).size).toBeGreaterThan(1);
    }
    const mean = (list: readonly number[]): number =>
      list.reduce((sum, each) => sum + each, 0) / list.length;
    expect(mean(waits) / P2P_LIMITS.p2pSpreadOutboundMs).toBeGreaterThan(0.7);
    expect(mean(waits) / P2P_LIMITS.p2pSpreadOutboundMs).toBeLessThan(1.3);
    expect(mean(callerWaits) / P2P_LIMITS.p2pSpreadInboundMs).toBeGreaterThan(0.5);
    expect(mean(callerWaits) / P2P_LIMITS.p2pSpreadInboundMs).toBeLessThan(1.5);
  });

  it("serves a payment to those who were told of it, and says to others that there is none", async () => {
    const node = makeNode();
    const [a, b] = [meet(node, "10.0.0.2", true), meet(node, "10.0.0.3", false)];
    const txid = await pay(node, 1);
    expect([await ask(a, txid), await ask(b, txid)]).toEqual([
      "transactionNotFound",
      "transactionNotFound",
    ]);
    await pass(LONGEST_MS);
    expect([await ask(a, txid), await ask(b, txid)]).toEqual(["transaction", "transaction"]);
    // It is one of many, and what came after it is not served with it.
    const next = await pay(node, 2);
    expect(await ask(b, next)).toBe("transactionNotFound");
    expect(await ask(b, txid)).toBe("transaction");
    const late = meet(node, "10.0.0.4", false);
    expect(await ask(late, txid)).toBe("transactionNotFound");
  });

  it("tells whoever comes no sooner than those who are there, however often", async () => {
    const node = makeNode();
    const there = meet(node, "10.0.0.2", false);
    const txid = await pay(node, 1);
    const spies: Peer[] = [];
    for (let at = 0; at < 20 && !there.told.has(txid); at += 1) {
      spies.push(meet(node, `10.0.1.${at}`, false));
      await pass(50);
    }
    await pass(LONGEST_MS);
    const time = there.told.get(txid) ?? 0;
    expect(spies.length).toBeGreaterThan(0);
    for (const { told } of spies) expect(told.get(txid)).toBeGreaterThanOrEqual(time);
  });

  it("tells of a large pool in parts", async () => {
    const count = P2P_LIMITS.p2pStemRestored + P2P_LIMITS.p2pSpreadIds + 10;
    const stored = Array.from({ length: count }, (_, number) => {
      const raw = numberedPayment(number);
      return { txid: simulatedId(raw), raw, addedAtDaa: 0n } as PoolEntry;
    });
    const node = makeNode(stored);
    const peer = meet(node, "10.0.0.2", true);
    await pass(4 * LONGEST_MS);
    expect(peer.sizes[0]).toBe(P2P_LIMITS.p2pSpreadIds);
    expect(peer.told.size).toBe(count);
  });

  it("goes on at once with what a reorganisation brings back", async () => {
    const node = makeNode();
    const txid = await pay(node, 1);
    const taker = dialledStranger(
      node,
      { name: "10.0.0.9", services: OWN_SERVICES },
      { clock, delayMs: LINE_MS },
    );
    taker.route(["invTransactions", "stemTransaction"]);
    taker.start();
    node.pool.apply(txid);
    expect(node.relay.open.get(txid)).toBeUndefined();
    await pay(node, 1);
    expect(node.relay.open.get(txid)).toBeDefined();
    expect(node.relay.isOnStem(txid)).toBe(false);
  });

  it("tells nobody of what has left the pool before its time", async () => {
    const node = makeNode();
    const peer = meet(node, "10.0.0.2", true);
    const txid = await pay(node, 1);
    node.pool.apply(txid);
    await pass(LONGEST_MS + LINE_MS);
    expect(peer.told.size).toBe(0);
    expect(await ask(peer, txid)).toBe("transactionNotFound");
  });
});
