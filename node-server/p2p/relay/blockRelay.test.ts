/** Announcing and fetching blocks. The chain is a made-up one: what blocks mean is for the engine. */
import { beforeEach, describe, expect, it } from "vitest";
import { asBlockHash, type BlockHash } from "@svc/shared/base/brand.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { decodeRawBlock, encodeRawBlock } from "@svc/shared/protocol/raw/rawBlock.ts";
import { blockMessage } from "@svc/shared/protocol/p2p/p2pBlock.ts";
import { recordedBlocks } from "../../../tests/vectors/recordedBlocks.ts";
import type { InsertOutcome } from "../../engine/calls/engineFacts.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import type { Peer } from "../peers/peer.ts";
import { linkedPeer, settle } from "../testkit/linkedPeer.ts";
import { BlockRelay } from "./blockRelay.ts";

const [recorded] = recordedBlocks();
const template = decodeRawBlock(decodeHex(recorded?.raw ?? ""));

/** Block `number` of a chain; its hash is its number. */
const hashOf = (number: number): BlockHash => asBlockHash(number.toString(16).padStart(64, "0"));
const rawOf = (number: number): Uint8Array =>
  encodeRawBlock({ ...template, header: { ...template.header, nonce: BigInt(number) } });
const numberOf = (raw: Uint8Array): number => Number(decodeRawBlock(raw).header.nonce);
const inv = (number: number) =>
  ({ $case: "invRelayBlock", value: { hash: { bytes: decodeHex(hashOf(number)) } } }) as const;

let clock = new ManualClock(0n);
let bodies = new Set<number>();
let refused = new Map<number, InsertOutcome & { kind: "rejected" }>();
let busy = 0;
/** How many questions find the store closed. */
let closed = 0;
/** The block that stops the engine. */
let stopper = -1;
let far: string[] = [];
let farFrom = 1_000n;
let staleBelow = 0n;
/** How often nobody can say whether a block is stale. */
let unready = 0;
let catchingUp = false;
let peers: Peer[] = [];
beforeEach(() => {
  clock = new ManualClock(0n);
  bodies = new Set([0]);
  refused = new Map();
  [busy, closed, stopper, far, peers] = [0, 0, -1, [], []];
  [farFrom, staleBelow, unready, catchingUp] = [1_000n, 0n, 0, false];
});

/** A node that has a chain and takes what builds on it; a block waits until its parent is there. */
function submit(raw: Uint8Array): InsertOutcome {
  const number = numberOf(raw);
  const hash = hashOf(number);
  if (number === stopper) throw new SvcError("engine/restarted", {});
  if (busy > 0) {
    busy -= 1;
    throw new SvcError("queue/too-fast", { kind: "headers", retryMs: 70 });
  }
  const outcome = refused.get(number);
  if (outcome !== undefined) return outcome;
  if (!bodies.has(number - 1))
    return { kind: "missingParents", hash, parents: [hashOf(number - 1)] };
  const isNew = !bodies.has(number);
  bodies.add(number);
  return { kind: "accepted", hash, new: isNew, needVerdicts: [] };
}

function stageOf(hash: string): string | undefined {
  const number = Number.parseInt(hash, 16);
  if (refused.has(number)) return "invalid";
  return bodies.has(number) ? "valid" : undefined;
}

const relay = (): BlockRelay =>
  new BlockRelay({
    reader: {
      ask: async (question, args): Promise<never> => {
        closed -= 1;
        if (closed >= 0) throw new SvcError("engine/restarted", {});
        const [hash = ""] = args.map(String);
        const number = Number.parseInt(hash, 16);
        const raw = bodies.has(number) ? rawOf(number) : undefined;
        return (question === "blockBytes" ? raw : stageOf(hash)) as never;
      },
    },
    ingest: { submit: async (raw) => submit(raw) },
    peers: () => peers,
    onFar: ({ key }, block) => far.push(`${key} ${Number.parseInt(block, 16)}`),
    hashOf: ({ nonce }) => hashOf(Number(nonce)),
    isFar: ({ nonce }) => nonce > farFrom,
    isStale: async ({ nonce }) => {
      unready -= 1;
      if (unready >= 0) throw new SvcError("queue/full", { queue: "reader", limit: 1 });
      return nonce < staleBelow;
    },
    isCatchingUp: () => catchingUp,
    clock,
  });

function connect(node: BlockRelay, key = "peer") {
  const { peer, remote, start } = linkedPeer(clock, [node.follow], key);
  const { link } = peer;
  peers.push(peer);
  const requests = remote.route(["requestRelayBlocks"]);
  const announced = remote.route(["invRelayBlock"]);
  start();
  /** Waits for a request and answers with a block, the one asked for unless another is named. */
  const give = async (other?: number): Promise<number> => {
    const { payload, requestId } = await requests.next(null);
    const [hash] = payload.value.hashes;
    const asked = Number.parseInt(encodeHex(hash?.bytes ?? new Uint8Array()), 16);
    const value = blockMessage(rawOf(other ?? asked));
    remote.send({ $case: "block", value }, requestId);
    return asked;
  };
  return { peer, link, remote, requests, announced, give };
}

describe("relay of blocks", () => {
  it("fetches what is announced and not known, once", async () => {
    const { remote, peer, give, requests } = connect(relay());
    remote.send(inv(0));
    remote.send(inv(1));
    expect(await give()).toBe(1);
    await settle();
    remote.send(inv(1));
    await settle();
    expect([...bodies]).toEqual([0, 1]);
    expect(peer.record.blocksRelayed).toBe(1);
    const nothing = requests.next(1);
    clock.advance(1);
    await expect(nothing).rejects.toMatchObject({ code: "p2p/stalled" });
  });

  it("announces to those who did not announce it themselves", async () => {
    const node = relay();
    const [a, b] = [connect(node, "a"), connect(node, "b")];
    a.remote.send(inv(1));
    await a.give();
    await settle();
    node.announce(hashOf(1));
    node.announce(hashOf(2));
    expect((await b.announced.next(null)).payload).toEqual(inv(1));
    expect((await a.announced.next(null)).payload).toEqual(inv(2));
  });

  it("fetches missing ancestors from the same peer, up to a number of generations", async () => {
    const { remote, give, link } = connect(relay());
    remote.send(inv(4));
    expect([await give(), await give(), await give(), await give()]).toEqual([4, 3, 2, 1]);
    await settle();
    expect(bodies.has(1)).toBe(true);
    expect(far).toEqual([]);
    remote.send(inv(40));
    const asked: number[] = [];
    for (let at = 0; at <= P2P_LIMITS.p2pOrphanGenerations; at += 1) asked.push(await give());
    expect(asked).toEqual([40, 39, 38, 37, 36, 35]);
    await settle();
    expect(far).toEqual(["peer 40"]);
    expect(link.signal.aborted).toBe(false);
  });

  it("asks one peer at a time, another one after a moment", async () => {
    const node = relay();
    const [a, b] = [connect(node, "a"), connect(node, "b")];
    a.remote.send(inv(1));
    await a.requests.next(null);
    b.remote.send(inv(1));
    await settle();
    clock.advance(P2P_LIMITS.p2pRequestRetryMs);
    expect(await b.give()).toBe(1);
    await settle();
    expect(bodies.has(1)).toBe(true);
  });

  it("waits when too much is asked of the node", async () => {
    busy = 2;
    const { remote, give, link } = connect(relay());
    remote.send(inv(1));
    await give();
    await settle();
    expect(bodies.has(1)).toBe(false);
    for (let time = 0; time < 2; time += 1) {
      clock.advance(70);
      await settle();
    }
    expect(bodies.has(1)).toBe(true);
    expect(link.signal.aborted).toBe(false);
  });

  it("waits while the store is opened anew, and holds it against nobody", async () => {
    closed = 2;
    const { remote, give, link } = connect(relay());
    remote.send(inv(1));
    for (let time = 0; time < 2; time += 1) {
      await settle();
      clock.advance(P2P_LIMITS.p2pBusyMs);
    }
    await give();
    await settle();
    expect(bodies.has(1)).toBe(true);
    expect(link.signal.aborted).toBe(false);
  });

  it("waits while nobody can say whether a block is stale, and holds it against nobody", async () => {
    unready = 2;
    const { remote, give, link } = connect(relay());
    remote.send(inv(1));
    await give();
    for (let time = 0; time < 2; time += 1) {
      await settle();
      clock.advance(P2P_LIMITS.p2pBusyMs);
    }
    await settle();
    expect(bodies.has(1)).toBe(true);
    expect(link.signal.aborted).toBe(false);
  });

  it("does not hand in again what the engine stopped at, and goes on with the next", async () => {
    stopper = 1;
    const { remote, give, link } = connect(relay());
    remote.send(inv(1));
    await give();
    await settle();
    stopper = -1;
    remote.send(inv(2));
    expect([await give(), await give()]).toEqual([2, 1]);
    await settle();
    expect(bodies.has(1)).toBe(true);
    expect(link.signal.aborted).toBe(false);
  });

  it("does not take in what no block to come can merge, but for ancestors of what is new", async () => {
    staleBelow = 3n;
    const { remote, give } = connect(relay());
    remote.send(inv(1));
    await give();
    await settle();
    expect(bodies).toEqual(new Set([0]));
    remote.send(inv(3));
    for (let block = 0; block < 3; block += 1) await give();
    await settle();
    expect(bodies.has(1)).toBe(true);
  });

  it("leaves to catching up what is far away, and everything new while that goes on", async () => {
    farFrom = 50n;
    const node = relay();
    const { remote, give } = connect(node);
    remote.send(inv(60));
    await give();
    await settle();
    expect(far).toEqual(["peer 60"]);
    catchingUp = true;
    for (const number of [70, 0]) remote.send(inv(number));
    await settle();
    expect(far).toEqual(["peer 60", "peer 70"]);
    catchingUp = false;
    const [peer] = peers;
    if (peer !== undefined) void node.resume(peer, hashOf(1));
    await give();
    await settle();
    expect(bodies.has(1)).toBe(true);
  });

  it("ends the link over blocks that are refused, known to be, or others", async () => {
    const data = { expected: "1", found: "2" };
    const outcome = { kind: "rejected", hash: hashOf(1), code: "header/wrong-bits", data } as const;
    refused.set(1, outcome);
    const known = connect(relay());
    known.remote.send(inv(1));
    expect((await known.link.ended).code).toBe("header/known-invalid");
    const other = connect(relay());
    other.remote.send(inv(7));
    await other.give(1);
    expect((await other.link.ended).code).toBe("p2p/bad-message");
    refused.set(2, { ...outcome, hash: hashOf(2) });
    bodies.add(1);
    const bad = connect(
      new BlockRelay({
        reader: { ask: async (): Promise<never> => undefined as never },
        ingest: { submit: async (raw) => submit(raw) },
        peers: () => [],
        onFar: () => {},
        hashOf: ({ nonce }) => hashOf(Number(nonce)),
        isFar: () => false,
        isStale: async () => false,
        isCatchingUp: () => false,
        clock,
      }),
    );
    bad.remote.send(inv(2));
    await bad.give();
    expect(await bad.link.ended).toMatchObject({ code: "header/wrong-bits", data });
  });
});
