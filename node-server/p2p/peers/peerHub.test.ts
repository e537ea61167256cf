/** Tests of the peer registry: admission, duplicates, eviction, and penalties. */
import { beforeEach, describe, expect, it } from "vitest";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { readEnvelope } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { createLog } from "../../platform/log/log.ts";
import { MemoryKv } from "../../storage/memoryKv.ts";
import { BanList } from "../addresses/banList.ts";
import type { Link } from "../link/link.ts";
import { settle } from "../testkit/linkedPeer.ts";
import { introductionOf, stranger } from "../testkit/stranger.ts";
import { wirePair, type TestWire } from "../testkit/wirePair.ts";
import { MisbehaviourScores } from "./misbehaviourScores.ts";
import type { Peer } from "./peer.ts";
import { PeerHub, type PeerHubParts } from "./peerHub.ts";

let clock = new ManualClock(1_700_000_000_000n);
let bans = new BanList({ store: new MemoryKv(), clock });
beforeEach(() => {
  clock = new ManualClock(1_700_000_000_000n);
  bans = new BanList({ store: new MemoryKv(), clock });
});

function hubOf(changes: Partial<PeerHubParts> = {}): PeerHub {
  return new PeerHub({
    introduce: () => introductionOf(0),
    takesAgent: () => true,
    digest: "ab".repeat(32),
    maxInbound: 40,
    bans,
    faults: new MisbehaviourScores(clock),
    isWanted: () => false,
    prepareFlows: (peer) => {
      peer.link.route(["ping"]);
      return () => {};
    },
    clock,
    log: createLog("silent"),
    ...changes,
  });
}

type Arrival = { readonly peer: Peer; readonly remote: Link };

/** A stranger comes in from an address. */
async function arrive(
  hub: PeerHub,
  id: number,
  ip = `10.0.${id >> 8}.${id & 255}`,
): Promise<Arrival> {
  const [dialer, listener] = wirePair({ from: ip });
  const { link: remote, shaken } = stranger(dialer, {
    id,
    clock,
    takes: ["ping", "invRelayBlock"],
  });
  const peer = await hub.take(listener);
  await shaken;
  return { peer, remote };
}

describe("the hub of peers", () => {
  it("charges little for payments that are right or wrong by the height at which they are judged", async () => {
    const hub = hubOf();
    for (const code of ["tx/anchor-block-missing", "tx/anchor-block-unexpected"] as const) {
      for (let time = 0; time < 3; time += 1) {
        const { peer } = await arrive(hub, 1);
        peer.link.end(new SvcError(code, {}));
        await peer.link.ended;
      }
    }
    expect(bans.list()).toEqual([]);
  });

  it("counts the bytes of all links together", async () => {
    const hub = hubOf();
    const wires: TestWire[] = [];
    for (const id of [1, 2, 3]) {
      const [dialer, listener] = wirePair({ from: `10.0.0.${id}` });
      stranger(dialer, { id, clock, takes: ["ping"] });
      await hub.take(listener);
      wires.push(listener);
    }
    const tell = (): void => hub.broadcast({ $case: "ping", value: { nonce: 1n } });
    const unsent = [P2P_LIMITS.p2pUnsentBytes, P2P_LIMITS.p2pUnsentBytes, P2P_LIMITS.p2pRoomShare];
    for (const [index, wire] of wires.entries()) wire.unsentBytes = unsent[index] ?? 0;
    tell();
    let hasRoom = false;
    const room = hub.peers[2]?.link.room().then(() => (hasRoom = true));
    await settle();
    expect(hasRoom).toBe(false);
    for (const wire of wires.slice(0, 2)) wire.unsentBytes = 0;
    tell();
    await room;
    expect(hasRoom).toBe(true);
  });

  it("knows who is there, tells all of them, and forgets who left", async () => {
    const hub = hubOf();
    const [a, b] = [await arrive(hub, 1), await arrive(hub, 2)];
    expect(hub.peers.map(({ link }) => link.remote.ip)).toEqual(["10.0.0.1", "10.0.0.2"]);
    expect(a.peer).toMatchObject({ connectedMs: clock.nowMs(), timeOffsetMs: 0n });
    const heard = b.remote.route(["pong"]).next(null);
    hub.broadcast({ $case: "pong", value: { nonce: 3n } }, a.peer);
    expect((await heard).payload.value.nonce).toBe(3n);
    a.remote.end(new SvcError("node/stopping", {}));
    expect((await a.peer.link.ended).code).toBe("p2p/rejected");
    expect(hub.peers).toEqual([b.peer]);
    hub.stop();
    expect((await b.remote.ended).data["reason"]).toBe("The node is stopping.");
    expect([hub.peers, hub.admits({ ip: "1.1.1.1", port: 1 })]).toEqual([[], false]);
  });

  it("turns away itself and whom it knows, without a fault", async () => {
    const hub = hubOf();
    await arrive(hub, 1);
    await expect(arrive(hub, 0)).rejects.toMatchObject({ code: "p2p/own-connection" });
    await expect(arrive(hub, 1)).rejects.toMatchObject({ code: "p2p/duplicate-connection" });
    // The same id at another host is another peer.
    await arrive(hub, 1, "10.9.9.9");
    expect(hub.peers).toHaveLength(2);
    expect(bans.list()).toEqual([]);
  });

  it("bans a host for one grave fault or some lesser ones, and ends all its links", async () => {
    const hub = hubOf();
    const { remote } = await arrive(hub, 1, "10.1.0.1");
    const { peer: second } = await arrive(hub, 2, "10.1.0.1");
    const { peer: other } = await arrive(hub, 3);
    // A message that nobody waits for is a major fault: the third time is one too many.
    for (let time = 0; time < 3; time += 1) {
      expect(hub.admits({ ip: "10.1.0.1", port: 1 })).toBe(true);
      const link = time === 0 ? remote : (await arrive(hub, 10 + time, "10.1.0.1")).remote;
      link.send({
        $case: "requestShieldedHistory",
        value: { anchorHash: new Uint8Array(), maxBlocks: 1 },
      });
      expect((await link.ended).code).toBe("p2p/rejected");
    }
    expect(bans.list()).toEqual(["10.1.0.1"]);
    expect((await second.link.ended).code).toBe("p2p/evicted");
    expect(hub.admits({ ip: "10.1.0.1", port: 1 })).toBe(false);
    expect(hub.peers).toEqual([other]);
    other.link.end(new SvcError("header/no-parents", {}));
    await other.link.ended;
    expect(bans.list()).toEqual(["10.1.0.1", other.link.remote.ip]);
  });

  it("skips unknown messages, up to a number", async () => {
    const hub = hubOf();
    const [dialer, listener] = wirePair({ from: "10.1.0.1" });
    const [peer] = await Promise.all([
      hub.take(listener),
      stranger(dialer, { id: 5, clock }).shaken,
    ]);
    for (let count = 1; count < P2P_LIMITS.p2pBanPoints; count += 1) {
      dialer.send(Uint8Array.of(0x9a, 0x06, 0x00));
    }
    await settle();
    expect(hub.peers).toEqual([peer]);
    // Points fade with time: two of them, so that three more make a hundred.
    clock.advance(2 * P2P_LIMITS.p2pPointMs);
    dialer.send(Uint8Array.of(0x9a, 0x06, 0x00));
    dialer.send(Uint8Array.of(0x9a, 0x06, 0x00));
    await settle();
    expect(hub.peers).toEqual([peer]);
    dialer.send(Uint8Array.of(0x9a, 0x06, 0x00));
    expect((await peer.link.ended).code).toBe("p2p/unknown-message");
    expect(bans.has("10.1.0.1")).toBe(true);
  });

  it("never bans whom the operator wants, nor everybody on this machine", async () => {
    const hub = hubOf({ isWanted: (ip) => ip === "10.1.0.1" });
    for (const [id, ip] of [
      [1, "10.1.0.1"],
      [2, "127.0.0.1"],
    ] as const) {
      const { peer } = await arrive(hub, id, ip);
      peer.link.end(new SvcError("header/no-parents", {}));
      await peer.link.ended;
      expect(hub.admits({ ip, port: 1 })).toBe(true);
    }
    expect(bans.list()).toEqual([]);
  });

  it("has so many places, for a host and for all; half-open links of a host count", async () => {
    const hub = hubOf({ maxInbound: P2P_LIMITS.p2pInboundPerHost + 2 });
    const [, halfOpen] = wirePair({ from: "10.2.0.1" });
    hub.take(halfOpen).catch(() => undefined);
    for (let id = 1; id < P2P_LIMITS.p2pInboundPerHost; id += 1) await arrive(hub, id, "10.2.0.1");
    expect(hub.admits({ ip: "10.2.0.1", port: 1 })).toBe(false);
    await arrive(hub, 100, "10.3.0.1");
    expect(hub.admits({ ip: "10.4.0.1", port: 1 })).toBe(true);
    const few = hubOf({ maxInbound: 3 });
    for (let id = 1; id <= 3; id += 1) await arrive(few, id);
    // The oldest keep their places, and these are all of them.
    expect(few.admits({ ip: "10.5.0.1", port: 1 })).toBe(false);
    await expect(arrive(few, 4)).rejects.toMatchObject({ code: "p2p/evicted" });
    expect(few.peers).toHaveLength(3);
    expect(hubOf({ maxInbound: 0 }).admits({ ip: "10.5.0.1", port: 1 })).toBe(false);
  });

  it("takes all addresses of an IPv6 /64 for one host", async () => {
    const hub = hubOf();
    for (let id = 1; id <= P2P_LIMITS.p2pInboundPerHost; id += 1) {
      await arrive(hub, id, `2001:db8:0:1::${id}`);
    }
    expect(hub.admits({ ip: "2001:db8:0:1:ffff::1", port: 1 })).toBe(false);
    expect(hub.admits({ ip: "2001:db8:0:2::1", port: 1 })).toBe(true);
    // A third of a ban each, from three addresses.
    for (const { link } of hub.peers.slice(0, 3)) {
      link.end(new SvcError("p2p/unexpected-message", { message: "block" }));
    }
    await settle();
    expect(bans.has("2001:db8:0:1:2::9")).toBe(true);
    expect(hub.peers).toEqual([]);
  });

  it("makes room: the newest of the largest neighbourhood goes, merit stays", async () => {
    const hub = hubOf({ maxInbound: 30 });
    const arrivals: Arrival[] = [];
    for (let id = 1; id <= 30; id += 1) {
      clock.advance(1);
      arrivals.push(await arrive(hub, id, id <= 20 ? `10.${id}.0.1` : `10.99.0.${id}`));
    }
    const [useful, quick] = [arrivals[29], arrivals[28]];
    if (useful === undefined || quick === undefined) throw new Error("no arrivals");
    for (const { peer } of arrivals.slice(10, 17)) peer.record.blocksRelayed = 1;
    for (const { peer } of arrivals.slice(10, 17)) peer.record.lastPingMs = 9;
    useful.peer.record.blocksRelayed = 5;
    quick.peer.record.lastPingMs = 1;
    expect(hub.admits({ ip: "10.200.0.1", port: 1 })).toBe(true);
    // Who has not said who it is takes nobody's place.
    hub.take(wirePair({ from: "10.200.0.1" })[1]).catch(() => undefined);
    await settle();
    expect(hub.peers).toHaveLength(30);
    await arrive(hub, 31, "10.200.0.2");
    const [evicted] = arrivals.filter(({ peer }) => peer.link.signal.aborted);
    expect(evicted?.peer.link.remote.ip).toBe("10.99.0.28");
    expect(await evicted?.remote.ended).toMatchObject({ code: "p2p/rejected" });
    expect(hub.peers).toHaveLength(30);
  });

  it("keeps few half-open links: the oldest of the largest neighbourhood goes, and no peer", async () => {
    const hub = hubOf();
    await arrive(hub, 1);
    const wires = [
      "10.1.0.1",
      ...Array.from({ length: P2P_LIMITS.p2pHalfOpen }, (_, at) => `10.2.0.${at}`),
    ].map((from) => wirePair({ from })[1]);
    for (const wire of wires) hub.take(wire).catch(() => undefined);
    await settle();
    expect(wires.filter(({ isClosed }) => isClosed)).toEqual([wires[1]]);
    expect(hub.peers).toHaveLength(1);
    // Whoever shakes hands is no longer among them.
    await arrive(hub, 2, "10.3.0.1");
    expect(wires.filter(({ isClosed }) => isClosed)).toEqual([wires[1], wires[2]]);
    expect(hub.peers).toHaveLength(2);
  });

  it("gives a half-open link up when the caller does", async () => {
    const hub = hubOf();
    const stop = new AbortController();
    const [, wire] = wirePair();
    const taken = hub.take(wire, stop.signal);
    stop.abort();
    await expect(taken).rejects.toMatchObject({ code: "run/aborted" });
    await expect(hub.take(wirePair()[1], stop.signal)).rejects.toMatchObject({
      code: "run/aborted",
    });
    const { peer } = await arrive(hub, 1);
    expect(peer.link.signal.aborted).toBe(false);
  });

  it("says nothing to a peer, by flows or to all, before both sides are ready", async () => {
    const hub = hubOf({
      prepareFlows: ({ link }) => {
        hub.broadcast({ $case: "ping", value: { nonce: 1n } });
        return () => link.send({ $case: "ping", value: { nonce: 2n } });
      },
    });
    const [dialer, listener] = wirePair();
    const { shaken } = stranger(dialer, { id: 1, clock, takes: ["ping"] });
    await Promise.all([hub.take(listener), shaken]);
    const words = listener.sent.map((bytes) => readEnvelope(bytes).payload?.$case);
    expect(words).toEqual(["version", "verack", "ready", "ping"]);
  });

  it("says why it ends a link that was never shaken", async () => {
    const hub = hubOf();
    const [dialer, listener] = wirePair();
    const taken = hub.take(listener);
    clock.advance(P2P_LIMITS.p2pVersionMs);
    await expect(taken).rejects.toMatchObject({ code: "p2p/stalled" });
    expect(hub.peers).toEqual([]);
    expect(dialer.sent).toEqual([]);
    const words = listener.sent.map((bytes) => readEnvelope(bytes).payload?.$case);
    expect(words).toEqual(["version", "reject"]);
  });
});
