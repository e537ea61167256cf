/** Pings and gossip of addresses, over a pair of wires. */
import { beforeEach, describe, expect, it } from "vitest";
import { P2P_LIMITS } from "../p2pLimits.ts";
import type { P2pName } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { MemoryKv } from "../../storage/memoryKv.ts";
import { AddressBook } from "../addresses/addressBook.ts";
import { addressText } from "../../platform/net/netAddress.ts";
import { addressToWire } from "../addresses/wireAddress.ts";
import { linkedPeer, settle } from "../testkit/linkedPeer.ts";
import { answerAddresses, askForAddresses, noteStatedAddress } from "./addresses.ts";
import { answerPings, sendPings } from "./pings.ts";
import type { Flow } from "./runFlows.ts";

let clock = new ManualClock(0n);
let book = new AddressBook({ store: new MemoryKv(), random: () => 0.5, clock });
beforeEach(() => {
  clock = new ManualClock(0n);
  book = new AddressBook({ store: new MemoryKv(), random: () => 0.5, clock });
});

/** A peer for whom flows run, and its own end of the link. */
function setUp(flows: readonly Flow[], takes: readonly P2pName[], { dialled = true } = {}) {
  const { peer, remote, start } = linkedPeer(clock, flows, "peer", { dialled });
  const heard = remote.route(takes);
  start();
  return { peer, link: peer.link, remote, heard };
}

describe("pings", () => {
  it("are answered", async () => {
    const { remote, heard } = setUp([answerPings], ["pong"]);
    for (const nonce of [1n, 2n]) {
      remote.send({ $case: "ping", value: { nonce } });
      expect((await heard.next(null)).payload.value).toEqual({ nonce });
    }
  });

  it("are sent, and the time of the answer is noted", async () => {
    const { peer, remote, heard } = setUp([sendPings(clock, () => 77n)], ["ping"]);
    expect(peer.record.lastPingMs).toBeNull();
    for (const took of [30, 50]) {
      await settle();
      clock.advance(P2P_LIMITS.p2pPingMs);
      const { payload } = await heard.next(null);
      clock.advance(took);
      remote.send({ $case: "pong", value: payload.value as { nonce: bigint } });
      await settle();
      expect(peer.record.lastPingMs).toBe(took);
    }
  });

  it("that are not answered, or with another number, end the link", async () => {
    const silent = setUp([sendPings(clock, () => 77n)], ["ping"]);
    const wrong = setUp([sendPings(clock, () => 77n)], ["ping"]);
    await settle();
    clock.advance(P2P_LIMITS.p2pPingMs);
    await settle();
    wrong.remote.send({ $case: "pong", value: { nonce: 78n } });
    expect((await wrong.link.ended).code).toBe("p2p/bad-message");
    clock.advance(P2P_LIMITS.p2pAnswerMs);
    expect((await silent.link.ended).code).toBe("p2p/stalled");
  });
});

describe("addresses", () => {
  const some = [
    { ip: "1.2.3.4", port: 5 },
    { ip: "2001:db8::1", port: 6 },
  ];

  it("are asked for at once, and again after a while; never taken unasked", async () => {
    let added = 0;
    const flow = askForAddresses(book, clock, () => (added += 1));
    const { link, remote, heard } = setUp([flow], ["requestAddresses"]);
    const answer = (): void =>
      remote.send({ $case: "addresses", value: { addressList: some.map(addressToWire) } });
    await heard.next(null);
    answer();
    await settle();
    expect([book.list().map(addressText).toSorted(), added]).toEqual([
      ["1.2.3.4:5", "[2001:db8::1]:6"],
      1,
    ]);
    clock.advance(P2P_LIMITS.p2pAddressRefreshMs);
    await heard.next(null);
    answer();
    await settle();
    expect([book.size, added]).toEqual([2, 2]);
    answer();
    expect((await link.ended).code).toBe("p2p/unexpected-message");
  });

  it("are not asked of those who dialled us", async () => {
    const flow = askForAddresses(book, clock, () => {});
    const { link, remote } = setUp([flow], ["requestAddresses"], { dialled: false });
    await settle();
    expect(clock.sleeping).toBe(0);
    remote.send({ $case: "addresses", value: { addressList: [] } });
    expect((await link.ended).code).toBe("p2p/unexpected-message");
  });

  it("count for the peer that told of them", async () => {
    const { remote, heard } = setUp([askForAddresses(book, clock, () => {})], ["requestAddresses"]);
    const told = Array.from({ length: P2P_LIMITS.p2pAddressesTaken }, (_, at) => ({
      ip: `1.${at & 255}.${at >> 8}.1`,
      port: 5,
    }));
    await heard.next(null);
    remote.send({ $case: "addresses", value: { addressList: told.map(addressToWire) } });
    await settle();
    expect(book.size).toBe(P2P_LIMITS.p2pAddressesPerGiver);
  });

  it("that a peer says it has are taken in, and end the link when they are none", async () => {
    const stated = (address: ReturnType<typeof addressToWire> | undefined) => {
      const { peer, start } = linkedPeer(clock, []);
      const run = noteStatedAddress(book)({
        ...peer,
        introduction: { ...peer.introduction, address },
      });
      start();
      return run;
    };
    await stated(addressToWire({ ip: "1.2.3.4", port: 5 }))();
    await stated(addressToWire({ ip: "127.0.0.1", port: 5 }))();
    await stated(undefined)();
    expect(book.list().map(addressText)).toEqual(["1.2.3.4:5"]);
    const broken = stated({ timestamp: 0n, ip: new Uint8Array(3), port: 5 });
    await expect(broken()).rejects.toMatchObject({ code: "p2p/bad-message" });
  });

  it("that are too many, or none, end the link", async () => {
    const port = { ...addressToWire({ ip: "1.2.3.4", port: 5 }), port: 65_536 };
    const many = Array.from({ length: P2P_LIMITS.p2pAddressesTaken + 1 }, () =>
      addressToWire({ ip: "1.2.3.4", port: 5 }),
    );
    for (const addressList of [[port], many]) {
      const { link, remote, heard } = setUp(
        [askForAddresses(book, clock, () => {})],
        ["requestAddresses"],
      );
      await heard.next(null);
      remote.send({ $case: "addresses", value: { addressList } });
      expect((await link.ended).code).toBe("p2p/bad-message");
    }
    expect(book.size).toBe(0);
  });

  it("are given to those who ask, but not all the time", async () => {
    book.add(some);
    const { remote, heard } = setUp([answerAddresses(book, clock)], ["addresses"]);
    const ask = async (): Promise<number> => {
      const value = { includeAllSubnetworks: false, subnetworkId: undefined };
      remote.send({ $case: "requestAddresses", value });
      const { payload } = await heard.next(null);
      return payload.$case === "addresses" ? payload.value.addressList.length : -1;
    };
    expect([await ask(), await ask()]).toEqual([2, 0]);
    clock.advance(P2P_LIMITS.p2pAddressPauseMs);
    expect(await ask()).toBe(2);
  });
});
