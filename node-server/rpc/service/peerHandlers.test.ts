/** Calls about peers, over a network of fixed answers. */
import { beforeEach, describe, expect, it } from "vitest";
import { addressText, type NetAddress } from "../../platform/net/netAddress.ts";
import { FakeNode } from "../testkit/fakeNode.ts";
import type { NetworkApi, SyncProgress } from "./networkApi.ts";
import type { Method } from "./rpcMethods.ts";
import type { Requests, Responses } from "@svc/shared/protocol/rpc/rpcEnvelope.ts";
import { answerRequest, faultText } from "./rpcService.ts";

const UNSAFE = "Method unavailable in safe mode. Run the node with --unsaferpc argument.";

let node = new FakeNode();
let done: string[] = [];
let progress: SyncProgress | null = null;

const network: NetworkApi = {
  peers: () => [
    {
      id: "00010000-0000-0000-0000-000000000000",
      address: "1.0.0.1:2",
      lastPingMs: null,
      isOutbound: true,
      timeOffset: -5n,
      userAgent: "/a:1/",
      advertisedProtocolVersion: 10,
      timeConnected: 77n,
      isIbdPeer: false,
      blocksRelayed: 3,
    },
  ],
  addresses: () => ["1.0.0.1:2", "[2001:db8::1]:3"],
  banned: () => ["1.0.0.9"],
  addPeer: (address: NetAddress, isPermanent) =>
    void done.push(`add ${addressText(address)} ${isPermanent}`),
  ban: (ip) => done.push(`ban ${ip}`) > 0 && ip !== "1.0.0.7",
  unban: (ip) => done.push(`unban ${ip}`) > 0 && ip !== "1.0.0.7",
  syncProgress: () => progress,
};

beforeEach(() => {
  node = new FakeNode();
  node.network = network;
  node.unsafeRpc = true;
  done = [];
  progress = null;
});

async function ask<M extends Method>(method: M, value: Requests[M]): Promise<Responses[M]> {
  const context = { node, clients: () => 4, source: "test", signal: new AbortController().signal };
  const request = { $case: method, value } as Parameters<typeof answerRequest<M>>[0];
  return (await answerRequest(request, context)).value;
}

const fault = (asked: Promise<unknown>): Promise<string> => asked.then(() => "none", faultText);

describe("calls about peers", () => {
  it("list peers and addresses, and nothing without a network", async () => {
    const { infos } = await ask("getConnectedPeerInfo", {});
    expect(infos).toEqual([
      {
        id: "00010000-0000-0000-0000-000000000000",
        address: "1.0.0.1:2",
        lastPingDuration: 0n,
        isOutbound: true,
        timeOffset: -5n,
        userAgent: "/a:1/",
        advertisedProtocolVersion: 10,
        timeConnected: 77n,
        isIbdPeer: false,
        blocksRelayed: 3n,
      },
    ]);
    expect(await ask("getPeerAddresses", {})).toMatchObject({
      addresses: [{ addr: "1.0.0.1:2" }, { addr: "[2001:db8::1]:3" }],
      bannedAddresses: [{ addr: "1.0.0.9" }],
    });
    node.network = null;
    expect((await ask("getConnectedPeerInfo", {})).infos).toEqual([]);
    expect(await ask("getPeerAddresses", {})).toMatchObject({ addresses: [], bannedAddresses: [] });
    expect(await fault(ask("ban", { ip: "1.0.0.1" }))).toContain("rpc/not-ready");
  });

  it("add a peer at the network's port when none is given", async () => {
    await ask("addPeer", { address: "1.0.0.1", isPermanent: undefined });
    await ask("addPeer", { address: "[2001:DB8::1]:5", isPermanent: true });
    expect(done).toEqual(["add 1.0.0.1:7777 false", "add [2001:db8::1]:5 true"]);
    for (const address of ["", "host.example", "1.2.3.4:0", "1.2.3"]) {
      expect(await fault(ask("addPeer", { address, isPermanent: true }))).toContain("address");
    }
    expect(done).toHaveLength(2);
  });

  it("ban and lift bans, and say when they cannot", async () => {
    expect(await ask("ban", { ip: "1.0.0.1" })).toEqual({ error: undefined });
    expect(await ask("unban", { ip: "1.0.0.1" })).toEqual({ error: undefined });
    expect(await fault(ask("ban", { ip: "1.0.0.7" }))).toContain("asked for");
    expect(await fault(ask("unban", { ip: "1.0.0.7" }))).toContain("not banned");
    for (const ip of ["", "1.0.0.1:5", "fe80::1%eth0"]) {
      expect(await fault(ask("ban", { ip }))).toContain("not an IP address");
    }
    expect(done).toEqual(["ban 1.0.0.1", "unban 1.0.0.1", "ban 1.0.0.7", "unban 1.0.0.7"]);
  });

  it("change nothing unless the operator allows it", async () => {
    node.unsafeRpc = false;
    expect(await fault(ask("addPeer", { address: "1.0.0.1", isPermanent: true }))).toBe(UNSAFE);
    expect(await fault(ask("ban", { ip: "1.0.0.1" }))).toBe(UNSAFE);
    expect(await fault(ask("unban", { ip: "1.0.0.1" }))).toBe(UNSAFE);
    expect(done).toEqual([]);
  });

  it("tell how far catching up has come; what a peer claims does not make a recent chain an old one", async () => {
    expect(await ask("getSyncStatus", {})).toEqual({ isSynced: true, error: undefined });
    progress = { stage: "headers", done: 1, total: 4, blocksPerSecond: 2.5, etaMs: null, peers: 2 };
    expect(await ask("getSyncStatus", {})).toEqual({
      isSynced: true,
      progress: {
        stage: "headers",
        done: 1n,
        total: 4n,
        blocksPerSecond: 2.5,
        etaMs: undefined,
        peers: 2,
      },
      error: undefined,
    });
  });

  it("count clients and peers, and measure what is asked for", async () => {
    const value = { includeProfileData: false };
    expect(await ask("getConnections", value)).toEqual({ clients: 4, peers: 1, error: undefined });
    const { profileData } = await ask("getConnections", { includeProfileData: true });
    expect(profileData?.memoryUsage).toBeGreaterThan(0n);
    const nothing = {
      processMetrics: undefined,
      connectionMetrics: undefined,
      bandwidthMetrics: undefined,
      consensusMetrics: undefined,
      storageMetrics: undefined,
      customMetrics: undefined,
    };
    expect(await ask("getMetrics", nothing)).toEqual({ serverTime: 5_000n, error: undefined });
    const metrics = await ask("getMetrics", {
      ...nothing,
      processMetrics: true,
      connectionMetrics: true,
      consensusMetrics: true,
    });
    expect(metrics.connectionMetrics?.activePeers).toBe(1);
    expect(metrics.consensusMetrics).toMatchObject({ blockCount: 2n, mempoolSize: 3n });
    expect(metrics.processMetrics?.residentSetSize).toBeGreaterThan(0n);
  });
});
