import { beforeEach, describe, expect, it } from "vitest";
import { asBlockHash, asChainIndex, asTxId } from "@svc/shared/base/brand.ts";
import { RPC_LIMITS } from "../rpcLimits.ts";
import type { SvcError } from "@svc/shared/base/svcError.ts";
import {
  decodeServerFrame,
  encodeClientFrame,
  type ClientFrame,
  type ServerFrame,
} from "@svc/shared/protocol/http/liveFrames.ts";
import { readContainer, readRecords } from "@svc/shared/protocol/http/recordContainer.ts";
import { FakeChain } from "../testkit/fakeChain.ts";
import { hashOf } from "../testkit/fakeNode.ts";
import { LiveRenderings, poolFrame } from "./liveRenderings.ts";
import { LiveSession, type LiveSocket } from "./liveSession.ts";

/** A hash that no small number makes. */
const longHash = (number: number) => number.toString(16).padStart(64, "0");

let chain: FakeChain;
let sent: ServerFrame[];
let closed: SvcError | null;
let buffered: number;
let roomLeft: boolean;
let frames: LiveRenderings;
let socket: LiveSocket;
let session: LiveSession;
let gone: AbortController;

beforeEach(() => {
  chain = new FakeChain();
  sent = [];
  closed = null;
  buffered = 0;
  roomLeft = true;
  gone = new AbortController();
  socket = {
    send: (frame: Uint8Array) => void sent.push(decodeServerFrame(frame)),
    buffered: () => buffered,
    hostHasRoom: () => roomLeft,
    close: (reason: SvcError) => {
      closed = reason;
      gone.abort();
    },
  };
  frames = new LiveRenderings(chain.node, gone.signal);
  session = open(true);
  chain.node.onEvent((news) => {
    if (news.type !== "virtualChanged" && news.type !== "engineRestarted") return;
    frames.chainMoved();
    session.chainMoved();
  });
});

function open(wantsBlocks: boolean): LiveSession {
  return new LiveSession({ frames, socket, signal: gone.signal, wantsBlocks });
}

function say(frame: ClientFrame): void {
  session.receive(encodeClientFrame(frame));
}

function subscribe(after: string, pool = false): void {
  say({ type: "subscribe", after: asBlockHash(after), pool });
}

/** Lets everything run that waits on nothing outside. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((next) => setImmediate(next));
}

/** Blocks by hash and reorganisations by common block, in order. */
function story(): string[] {
  return sent.flatMap((frame) => {
    if (frame.type === "reorg") return [`back to ${frame.commonHash}`];
    if (frame.type !== "block") return [];
    return readRecords(readContainer(frame.container, 1)).map(({ hash }) => hash as string);
  });
}

describe("a live session", () => {
  it("says nothing before it is asked", async () => {
    chain.grow(hashOf(1));
    await settle();
    expect(sent).toEqual([]);
  });

  it("brings the tip, then every block after the cursor, then new ones", async () => {
    chain.grow(hashOf(1), hashOf(2));
    subscribe(hashOf(0));
    await settle();
    expect(sent[0]?.type).toBe("tip");
    expect(story()).toEqual([hashOf(1), hashOf(2)]);
    chain.grow(hashOf(3));
    await settle();
    expect(story()).toEqual([hashOf(1), hashOf(2), hashOf(3)]);
  });

  it("tells of a reorganisation and goes on from the common block", async () => {
    chain.grow(hashOf(1), hashOf(2), hashOf(3));
    subscribe(hashOf(0));
    await settle();
    chain.reorganise(1, [hashOf(12), hashOf(13), hashOf(14)]);
    await settle();
    expect(story().slice(3)).toEqual([`back to ${hashOf(1)}`, hashOf(12), hashOf(13), hashOf(14)]);
    expect(sent.find(({ type }) => type === "reorg")).toMatchObject({ chainIndex: 1n });
  });

  it("meets a browser whose cursor left the chain while it was away", async () => {
    chain.grow(hashOf(1));
    chain.reorganise(0, [hashOf(11)]);
    subscribe(hashOf(1));
    await settle();
    expect(story()).toEqual([`back to ${hashOf(0)}`, hashOf(11)]);
  });

  it("brings the tip alone to a browser that fetches blocks as pages", async () => {
    session = open(false);
    chain.grow(hashOf(1), hashOf(2));
    subscribe(hashOf(0));
    await settle();
    chain.reorganise(1, [hashOf(12)]);
    await settle();
    expect(sent.map(({ type }) => type)).toEqual(["tip", "tip"]);
    expect(closed).toBeNull();
  });

  it("stops at the end of the credit, counted from the first block too, and goes on with each acknowledgement", async () => {
    const count = RPC_LIMITS.liveCreditBlocks + 10;
    chain.grow(...Array.from({ length: count }, (_, index) => longHash(index + 1_000)));
    subscribe(hashOf(0));
    await settle();
    expect(story()).toHaveLength(RPC_LIMITS.liveCreditBlocks);
    say({ type: "ack", chainIndex: asChainIndex(4n) });
    await settle();
    expect(story()).toHaveLength(RPC_LIMITS.liveCreditBlocks + 4);
    say({ type: "ack", chainIndex: asChainIndex(2n) });
    await settle();
    expect(story()).toHaveLength(RPC_LIMITS.liveCreditBlocks + 4);
    say({ type: "ack", chainIndex: asChainIndex(BigInt(count)) });
    await settle();
    expect(story()).toHaveLength(count);
  });

  it("waits with blocks while the socket is full and cuts off what never empties", async () => {
    chain.grow(hashOf(1));
    buffered = RPC_LIMITS.liveBufferBytes + 1;
    subscribe(hashOf(0));
    await settle();
    expect(story()).toEqual([]);
    buffered = 0;
    chain.announce();
    await settle();
    expect(story()).toEqual([hashOf(1)]);
    buffered = 2 * RPC_LIMITS.liveBufferBytes + 1;
    chain.announce();
    await settle();
    expect(closed?.code).toBe("live/too-slow");
  });

  it("waits with blocks while its host has taken too little on all its connections", async () => {
    chain.grow(hashOf(1));
    roomLeft = false;
    subscribe(hashOf(0));
    await settle();
    expect(story()).toEqual([]);
    roomLeft = true;
    chain.announce();
    await settle();
    expect(story()).toEqual([hashOf(1)]);
  });

  it("forwards the pool to those who want it", async () => {
    const frame = new Uint8Array(34);
    const txid = asTxId(hashOf(5));
    const added = poolFrame({ type: "poolAdded", txid, frame });
    session.poolChanged(added);
    subscribe(hashOf(0), true);
    await settle();
    session.poolChanged(added);
    session.poolChanged(poolFrame({ type: "poolRemoved", txid }));
    expect(sent.slice(1)).toEqual([
      { type: "poolAdd", payment: frame },
      { type: "poolDelete", txid: hashOf(5) },
    ]);
  });

  it("cuts off a browser that does not answer pings", () => {
    session.ping();
    say({ type: "pong" });
    session.ping();
    expect(closed).toBeNull();
    session.ping();
    expect(closed).toMatchObject({ code: "live/closed" });
  });

  it("cuts off a browser that answers pings and reads nothing, and none that reads a little", () => {
    const pings = (bytesRead: number): number => {
      for (let count = 1; count <= 3 * RPC_LIMITS.liveStillPings; count += 1) {
        session.ping();
        if (closed !== null) return count;
        // The ping waits with the rest, but for what was read meanwhile.
        buffered += 1 - bytesRead;
        say({ type: "pong" });
      }
      return 0;
    };
    buffered = 1_000;
    expect([pings(2), closed]).toEqual([0, null]);
    buffered = 1_000;
    expect(pings(0)).toBeLessThanOrEqual(RPC_LIMITS.liveStillPings + 1);
    expect(closed).toMatchObject({ code: "live/too-slow" });
  });

  it("ends on an unknown cursor and on frames out of place", async () => {
    expect(() => say({ type: "ack", chainIndex: asChainIndex(1n) })).toThrow("live/bad-frame");
    expect(() => session.receive(Uint8Array.of(77))).toThrow("live/bad-frame");
    subscribe(hashOf(99));
    await settle();
    expect(closed).toMatchObject({ code: "chain/unknown-block" });
  });

  it("ends when the chain is another one, so that the browser asks where both part", async () => {
    chain.grow(hashOf(1), hashOf(2));
    subscribe(hashOf(0));
    await settle();
    chain.chain = [hashOf(0), hashOf(11), hashOf(12), hashOf(13)];
    chain.node.tell({ type: "engineRestarted" });
    await settle();
    expect(story()).toEqual([hashOf(1), hashOf(2)]);
    expect(sent.at(-1)?.type).toBe("tip");
    expect(closed).toMatchObject({ code: "chain/unknown-block" });
  });

  it("goes on when the engine comes back with the same chain", async () => {
    chain.grow(hashOf(1));
    subscribe(hashOf(0));
    await settle();
    // The block came while nothing was heard.
    chain.chain.push(hashOf(2));
    chain.node.tell({ type: "engineRestarted" });
    await settle();
    expect([story(), closed]).toEqual([[hashOf(1), hashOf(2)], null]);
  });

  it("follows the newest subscription only", async () => {
    chain.grow(hashOf(1), hashOf(2));
    subscribe(hashOf(0));
    subscribe(hashOf(1));
    await settle();
    expect(story()).toEqual([hashOf(2)]);
  });
});
