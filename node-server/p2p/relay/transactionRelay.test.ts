/** Announcing and fetching transactions, with a pool that takes whatever it is given. */
import { beforeEach, describe, expect, it } from "vitest";
import { asTxId, type TxId } from "@svc/shared/base/brand.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { P2pTransaction } from "@svc/shared/protocol/p2p/generated/p2pValues.ts";
import { readEnvelope } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { OWN_SERVICES } from "@svc/shared/protocol/p2p/p2pServices.ts";
import { rawTransactionOf } from "@svc/shared/protocol/p2p/p2pTransaction.ts";
import { p2pVectors } from "../../../tests/vectors/p2pVectors.ts";
import type { PoolChange } from "../../mempool/poolChange.ts";
import type { PoolEntry } from "../../mempool/poolEntry.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { createLog } from "../../platform/log/log.ts";
import type { Peer } from "../peers/peer.ts";
import { linkedPeer, settle, type LinkOptions } from "../testkit/linkedPeer.ts";
import { TransactionRelay, type TransactionRelayParts } from "./transactionRelay.ts";

const template = ((): P2pTransaction => {
  const { hex = "" } = p2pVectors().made.find(({ type }) => type === "transaction") ?? {};
  const { payload } = readEnvelope(decodeHex(hex));
  if (payload?.$case !== "transaction") throw new Error("the vectors have no transaction");
  return payload.value;
})();

/** No random time is longer. */
const LONGEST_MS = P2P_LIMITS.p2pSpreadInboundMs * P2P_LIMITS.p2pRandomMeans;

/** Transaction `number`; its id is its number. */
const messageOf = (number: number): P2pTransaction => ({ ...template, lockTime: BigInt(number) });
const idOf = (number: number): TxId => asTxId(number.toString(16).padStart(64, "0"));
const numberOf = (raw: Uint8Array): number =>
  Array.from({ length: 300 }, (_, at) => at).find(
    (number) => Buffer.compare(rawTransactionOf(messageOf(number)), raw) === 0,
  ) ?? -1;
const ids = (numbers: readonly number[]) =>
  numbers.map((number) => ({ bytes: decodeHex(idOf(number)) }));

let clock = new ManualClock(0n);
let pool = new Map<TxId, Uint8Array>();
let refusal: SvcError | null = null;
let listeners: ((change: PoolChange) => void)[] = [];
let peers: Peer[] = [];
let restored = Promise.resolve();
/** What came back from disk. */
let entries: PoolEntry[] = [];
beforeEach(() => {
  [restored, entries] = [Promise.resolve(), []];
  clock = new ManualClock(0n);
  pool = new Map();
  [refusal, listeners, peers] = [null, [], []];
});

function add(number: number): void {
  const entry = { txid: idOf(number), raw: rawTransactionOf(messageOf(number)) };
  pool.set(entry.txid, entry.raw);
  for (const listener of listeners) listener({ type: "added", entry } as PoolChange);
}

function remove(number: number): void {
  pool.delete(idOf(number));
  for (const listener of listeners) {
    listener({ type: "removed", txid: idOf(number) } as PoolChange);
  }
}

function relay(changes: Partial<TransactionRelayParts> = {}): TransactionRelay {
  const node = new TransactionRelay({
    pool: {
      get: (txid) => {
        const raw = pool.get(txid) ?? entries.find((entry) => entry.txid === txid)?.raw;
        return raw === undefined
          ? undefined
          : ({ txid, raw } as ReturnType<TransactionRelayParts["pool"]["get"]>);
      },
      submit: async (raw) => {
        if (refusal !== null) throw refusal;
        const number = numberOf(raw);
        add(number);
        return idOf(number);
      },
      onChange: (listener) => {
        listeners.push(listener);
        return () => (listeners = []);
      },
      entries: () => [
        ...entries,
        ...[...pool].map(([txid, raw]) => ({ txid, raw, addedAtDaa: 0n }) as PoolEntry),
      ],
      restored,
    },
    peers: () => peers,
    isSynced: () => true,
    isLooking: () => false,
    identify: (raw) => idOf(numberOf(raw)),
    random: () => 0.5,
    clock,
    log: createLog("silent"),
    ...changes,
  });
  node.start();
  return node;
}

function connect(node: TransactionRelay, key = "peer", options: LinkOptions = {}) {
  const { peer, remote, start } = linkedPeer(
    clock,
    [node.serve, node.follow, node.followStem],
    key,
    options,
  );
  const { link } = peer;
  peers.push(peer);
  const requests = remote.route(["requestTransactions"]);
  const announced = remote.route(["invTransactions"]);
  start();
  const announce = (numbers: readonly number[]): void =>
    remote.send({ $case: "invTransactions", value: { ids: ids(numbers) } });
  /** The next request; `answer` sends what it lists under its route. */
  const asked = async () => {
    // The reference does not copy the id of this request.
    const { payload } = await requests.next(null);
    const numbers = payload.value.ids.map(({ bytes }) => Number.parseInt(encodeHex(bytes), 16));
    const answer = (number: number): void =>
      remote.send({ $case: "transaction", value: messageOf(number) });
    const lack = (number: number): void =>
      remote.send({ $case: "transactionNotFound", value: { id: ids([number])[0] } });
    return { numbers, answer, lack };
  };
  return { link, remote, requests, announced, announce, asked };
}

describe("relay of transactions", () => {
  it("looks at so many announced ids of a peer in a second", async () => {
    const [burst, perSecond] = [
      P2P_LIMITS.p2pTransactionIdsBurst,
      P2P_LIMITS.p2pTransactionIdsPerSecond,
    ];
    // All that is announced is spread here but two: whether these are asked for shows how many were looked at.
    const spread = Array.from({ length: burst - 1 }, (_, at) => at);
    const [last, above] = [burst, burst + 1];
    for (const number of spread) pool.set(idOf(number), new Uint8Array());
    const node = relay();
    await settle();
    expect(node.open.size).toBe(spread.length);
    const { announce, asked, link } = connect(node);
    const { announce: announceToo, asked: askedToo } = connect(node, "another");
    const asksFor = async (numbers: readonly number[]): Promise<void> => {
      const question = await asked();
      expect(question.numbers).toEqual(numbers);
      for (const number of numbers) question.lack(number);
      await settle();
    };
    announce([...spread, last, above]);
    await asksFor([last]);
    announce([above]);
    await settle();
    clock.advance(1_000);
    announce([...spread.slice(0, perSecond - 1), last, above]);
    await asksFor([last]);
    // It is no fault, and another peer has a rate of its own.
    expect(link.signal.aborted).toBe(false);
    announceToo([above]);
    expect((await askedToo()).numbers).toEqual([above]);
  });

  it("fetches what is announced and not in the pool, and goes on when some are gone", async () => {
    const { announce, asked } = connect(relay());
    add(1);
    announce([1, 2, 3, 4]);
    const { numbers, answer, lack } = await asked();
    expect(numbers).toEqual([2, 3, 4]);
    answer(2);
    lack(3);
    answer(4);
    await settle();
    expect([...pool.keys()]).toEqual([idOf(1), idOf(2), idOf(4)]);
    // Many are asked for in parts.
    announce(Array.from({ length: P2P_LIMITS.p2pTransactionsAsked + 5 }, (_, at) => at + 100));
    expect((await asked()).numbers).toHaveLength(P2P_LIMITS.p2pTransactionsAsked);
  });

  it("announces to those who did not announce it themselves", async () => {
    const node = relay();
    const [a, b] = [connect(node, "a"), connect(node, "b")];
    a.announce([1]);
    (await a.asked()).answer(1);
    await settle();
    add(2);
    add(3);
    remove(3);
    clock.advance(LONGEST_MS);
    const told = async ({ announced }: typeof a): Promise<unknown> =>
      (await announced.next(null)).payload.value;
    expect(await told(a)).toEqual({ ids: ids([2]) });
    expect(await told(b)).toEqual({ ids: ids([1, 2]) });
    await node.stop();
    await settle();
    expect(clock.sleeping).toBe(0);
  });

  it("tells a peer that comes of all that is spread, and again of what it did not ask for", async () => {
    add(1);
    add(2);
    const node = relay();
    await settle();
    const { announced, remote } = connect(node);
    const told = async (): Promise<unknown> => (await announced.next(null)).payload.value;
    clock.advance(LONGEST_MS);
    expect(await told()).toEqual({ ids: ids([1, 2]) });
    const { route } = remote.converse(
      { $case: "requestTransactions", value: { ids: ids([2]) } },
      ["transaction"],
      1,
    );
    await route.next(null);
    // It was behind, and had no use for the other one.
    clock.advance(P2P_LIMITS.p2pAnnounceAgainMs);
    expect(await told()).toEqual({ ids: ids([1]) });
    await node.stop();
  });

  it("looks at what was on disk together, once all of it has been judged again", async () => {
    const judged = Promise.withResolvers<void>();
    restored = judged.promise;
    const node = relay({ isLooking: () => true });
    const newest = P2P_LIMITS.p2pStemRestored;
    const restore = (number: number, score: bigint): void => {
      const entry = { txid: idOf(number), raw: new Uint8Array(), addedAtDaa: score } as PoolEntry;
      entries.push(entry);
      for (const listener of listeners) listener({ type: "added", entry, isRestored: true });
    };
    // The oldest comes back first: nobody can tell yet that it is one too many to have been on its stem.
    for (let number = 0; number <= newest; number += 1) restore(number, BigInt(number));
    await settle();
    expect([node.isOnStem(idOf(0)), node.open.size]).toEqual([false, 0]);
    judged.resolve();
    await settle();
    expect([node.isOnStem(idOf(0)), node.isOnStem(idOf(1))]).toEqual([false, true]);
    expect(node.isOnStem(idOf(newest))).toBe(true);
    expect(node.open.entries().map(({ txid }) => txid)).toEqual([idOf(0)]);
    await node.stop();
  });

  it("asks for what was on disk like for unknown ones until it is looked at, and takes it", async () => {
    restored = new Promise<void>(() => {});
    const node = relay({ isLooking: () => true });
    const restore = (number: number): void => {
      const raw = rawTransactionOf(messageOf(number));
      const entry = { txid: idOf(number), raw, addedAtDaa: 0n } as PoolEntry;
      entries.push(entry);
      for (const listener of listeners) listener({ type: "added", entry, isRestored: true });
    };
    restore(1);
    restore(2);
    refusal = new SvcError("mempool/duplicate", { txid: idOf(1) });
    const { announce, asked, remote } = connect(node, "peer", { services: OWN_SERVICES });
    announce([1]);
    const questions: unknown[] = [];
    void asked().then(({ numbers, answer }) => {
      questions.push(numbers);
      answer(1);
    });
    await settle();
    expect(questions).toEqual([[1]]);
    // Somebody has spread it, so its stem has ended.
    expect(node.open.get(idOf(1))).toBeDefined();
    remote.send({ $case: "stemTransaction", value: messageOf(2) });
    await settle();
    expect([node.isOnStem(idOf(2)), node.open.get(idOf(2))]).toEqual([true, undefined]);
    await node.stop();
  });

  it("goes on with the stem of what came back from disk while it was judged", async () => {
    restored = new Promise<void>(() => {});
    const judged = Promise.withResolvers<TxId>();
    const raw = rawTransactionOf(messageOf(1));
    const entry = { txid: idOf(1), raw, addedAtDaa: 0n } as PoolEntry;
    const node = relay({
      isLooking: () => true,
      pool: {
        get: (txid) => entries.find((other) => other.txid === txid),
        submit: () => judged.promise,
        onChange: (listener) => {
          listeners.push(listener);
          return () => (listeners = []);
        },
        entries: () => entries,
        restored,
      },
    });
    const { remote } = connect(node, "peer", { services: OWN_SERVICES });
    remote.send({ $case: "stemTransaction", value: messageOf(1) });
    await settle();
    entries.push(entry);
    for (const listener of listeners) listener({ type: "added", entry, isRestored: true });
    judged.resolve(idOf(1));
    await settle();
    expect(node.isOnStem(idOf(1))).toBe(true);
    await node.stop();
  });

  it("tells nothing to who wants none", async () => {
    add(1);
    const node = relay();
    const { announced } = connect(node, "seeder", { disableRelayTx: true });
    add(2);
    clock.advance(P2P_LIMITS.p2pAnnounceAgainMs);
    await settle();
    const heard: unknown[] = [];
    announced.next(null).then(
      ({ payload }) => heard.push(payload),
      () => undefined,
    );
    await settle();
    expect(heard).toEqual([]);
    await node.stop();
  });

  it("does not ask while the node is behind, nor two peers at once", async () => {
    let isSynced = false;
    const node = relay({ isSynced: () => isSynced });
    const [a, b] = [connect(node, "a"), connect(node, "b")];
    a.announce([1]);
    await settle();
    isSynced = true;
    a.announce([2]);
    expect((await a.asked()).numbers).toEqual([2]);
    b.announce([2, 3]);
    const { numbers, answer } = await b.asked();
    expect(numbers).toEqual([3]);
    answer(3);
    // The first one never answers: then the other one is asked.
    await settle();
    clock.advance(P2P_LIMITS.p2pRequestRetryMs);
    expect((await b.asked()).numbers).toEqual([2]);
  });

  it("ends the link over invalid ones and wrong answers, not over what the pool will not have", async () => {
    const node = relay();
    const kept = connect(node);
    refusal = new SvcError("tx/nullifier-spent", { nullifier: "ab" });
    kept.announce([1]);
    (await kept.asked()).answer(1);
    await settle();
    expect(kept.link.signal.aborted).toBe(false);
    refusal = new SvcError("shielded/bad-flags", { flags: 9 });
    kept.announce([2]);
    (await kept.asked()).answer(2);
    expect((await kept.link.ended).code).toBe("shielded/bad-flags");
    refusal = null;
    const other = connect(node);
    other.announce([3]);
    (await other.asked()).answer(4);
    expect((await other.link.ended).code).toBe("p2p/bad-message");
    const lacking = connect(node);
    lacking.announce([5]);
    (await lacking.asked()).lack(6);
    expect((await lacking.link.ended).code).toBe("p2p/bad-message");
  });

  it("hands in again what found no room, for a while", async () => {
    const { announce, asked } = connect(relay());
    for (const busy of [
      new SvcError("queue/too-fast", { kind: "proofs", retryMs: 500 }),
      new SvcError("mempool/verification-queue-full", { max: 1 }),
      new SvcError("engine/restarted", {}),
    ]) {
      refusal = busy;
      announce([1]);
      (await asked()).answer(1);
      await settle();
      expect(pool.size).toBe(0);
      refusal = null;
      clock.advance(500);
      await settle();
      expect([...pool.keys()]).toEqual([idOf(1)]);
      remove(1);
    }
    refusal = new SvcError("queue/too-fast", { kind: "proofs", retryMs: 40_000 });
    announce([1, 2]);
    const { answer } = await asked();
    answer(1);
    await settle();
    clock.advance(40_000);
    await settle();
    refusal = null;
    // The first one is left to others; the time that it took is not the peer's.
    clock.advance(P2P_LIMITS.p2pAnswerMs - 1);
    answer(2);
    await settle();
    expect([...pool.keys()]).toEqual([idOf(2)]);
  });

  it("takes none that it did not ask for", async () => {
    const node = relay();
    const early = connect(node);
    early.remote.send({ $case: "transaction", value: messageOf(1) });
    expect((await early.link.ended).code).toBe("p2p/unexpected-message");
    const late = connect(node, "late");
    late.announce([2]);
    (await late.asked()).answer(2);
    await settle();
    late.remote.send({ $case: "transaction", value: messageOf(3) });
    expect((await late.link.ended).code).toBe("p2p/unexpected-message");
    expect([...pool.keys()]).toEqual([idOf(2)]);
  });

  it("serves what waits, in the order of the request", async () => {
    add(1);
    add(3);
    const { remote, announced } = connect(relay());
    await settle();
    clock.advance(LONGEST_MS);
    await announced.next(null);
    const { route } = remote.converse(
      { $case: "requestTransactions", value: { ids: ids([3, 2, 1]) } },
      ["transaction", "transactionNotFound"],
      3,
    );
    const answers = [await route.next(null), await route.next(null), await route.next(null)];
    expect(answers.map(({ payload }) => payload.$case)).toEqual([
      "transaction",
      "transactionNotFound",
      "transaction",
    ]);
    expect(answers[0]?.payload.value).toEqual(messageOf(3));
  });
});
