/** Tests of the RPC view of peers, and of the operator calls that add, ban and unban peers. */
import { describe, expect, it } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { AddressBook } from "../../p2p/addresses/addressBook.ts";
import { BanList } from "../../p2p/addresses/banList.ts";
import { addressText, type NetAddress } from "../../platform/net/netAddress.ts";
import { linkedPeer } from "../../p2p/testkit/linkedPeer.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { MemoryKv } from "../../storage/memoryKv.ts";
import { createNetworkApi } from "./createNetworkApi.ts";

const progress = {
  stage: "bodies",
  done: 3,
  total: 9,
  perSecond: 100.5,
  leftMs: 60,
  peers: 1,
} as const;

function setUp() {
  const clock = new ManualClock(5_000n);
  const store = new MemoryKv();
  const book = new AddressBook({ store, random: () => 0.5, clock });
  const bans = new BanList({ store, clock });
  const { peer } = linkedPeer(clock, []);
  const requested: string[] = [];
  const ended: [string, string][] = [];
  const parts = {
    hub: {
      peers: [peer],
      disconnect: (ip: string, { code }: SvcError) => void ended.push([ip, code]),
    },
    book,
    bans,
    connections: {
      request: (address: NetAddress, isPermanent: boolean) =>
        void requested.push(`${addressText(address)} ${isPermanent}`),
      isWanted: (ip: string) => ip === "1.0.0.7",
    },
    sync: { peer },
    progress,
  };
  const api = createNetworkApi(parts, clock);
  return { api, book, bans, peer, requested, ended };
}

describe("the network as servers see it", () => {
  it("tells of peers", () => {
    const { api, peer } = setUp();
    peer.record.blocksRelayed = 4;
    peer.record.lastPingMs = 12;
    expect(api.peers()).toEqual([
      {
        id: "00010000-0000-0000-0000-000000000000",
        address: "10.0.0.1:4000",
        lastPingMs: 12,
        isOutbound: false,
        timeOffset: 0n,
        userAgent: "/test:1/",
        advertisedProtocolVersion: 10,
        timeConnected: 5_000n,
        isIbdPeer: true,
        blocksRelayed: 4,
      },
    ]);
    expect(api.syncProgress()).toEqual({
      stage: "bodies",
      done: 3,
      total: 9,
      blocksPerSecond: 100.5,
      etaMs: 60,
      peers: 1,
    });
  });

  it("bans a host: its links end and its addresses go; one that was asked for stays", () => {
    const { api, book, bans, ended } = setUp();
    book.add([
      { ip: "1.0.0.1", port: 1 },
      { ip: "1.0.0.2", port: 1 },
    ]);
    expect([api.ban("1.0.0.1"), api.ban("1.0.0.7")]).toEqual([true, false]);
    expect(ended).toEqual([["1.0.0.1", new SvcError("p2p/evicted", {}).code]]);
    expect([api.addresses(), api.banned()]).toEqual([["1.0.0.2:1"], ["1.0.0.1"]]);
    expect([api.unban("1.0.0.1"), api.unban("1.0.0.1")]).toEqual([true, false]);
    expect(bans.has("1.0.0.1")).toBe(false);
  });

  it("asks for peers", () => {
    const { api, requested } = setUp();
    api.addPeer({ ip: "1.0.0.1", port: 2 }, true);
    expect(requested).toEqual(["1.0.0.1:2 true"]);
  });
});
