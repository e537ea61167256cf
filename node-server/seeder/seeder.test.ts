/** A whole seeder: it visits a node over gRPC and is asked over DNS, all on loopback. */
import { Resolver } from "node:dns/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SEEDER_LIMITS } from "./seederLimits.ts";
import { P2P_LIMITS } from "../p2p/p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { folderOfTest } from "../platform/testkit/folderOfTest.ts";
import { createAskSeeders } from "../p2p/connect/askSeeders.ts";
import { dialPeer } from "../p2p/link/grpcDialer.ts";
import { startGrpcListener, type GrpcListener } from "../p2p/link/grpcListener.ts";
import type { Wire } from "../p2p/link/wire.ts";
import { Link } from "../p2p/link/link.ts";
import { shakeHands } from "../p2p/handshake/handshake.ts";
import { PATIENT_DIAL } from "../p2p/testkit/patientDial.ts";
import { settle } from "../p2p/testkit/linkedPeer.ts";
import { introductionOf } from "../p2p/testkit/stranger.ts";
import { startNameServer } from "../p2p/testkit/nameServer.ts";
import { ManualClock } from "../platform/time/clock.ts";
import { createLog } from "../platform/log/log.ts";
import { readNodeFile } from "./nodeFile.ts";
import { startSeeder, type Seeder, type SeederParts } from "./seeder.ts";

const log = createLog("silent");
const closers: (() => Promise<unknown>)[] = [];
let clock = new ManualClock(1_700_000_000_000n);
let folder = "";
let node: GrpcListener | null = null;
beforeEach(async () => {
  clock = new ManualClock(1_700_000_000_000n);
  folder = folderOfTest();
  node = await startGrpcListener({
    host: "127.0.0.1",
    port: 0,
    admits: () => true,
    onWire: (wire) => void greet(wire),
  });
  const { stop } = node;
  closers.push(() => stop());
});
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A node that asks as the reference does, announces a block, and answers with one address. */
async function greet(wire: Wire): Promise<void> {
  const link = new Link({ wire, clock, onUnknown: () => {} });
  try {
    const requests = await shakeHands(link, {
      own: introductionOf(1),
      clock,
      judge: () => {},
      prepare: () => link.route(["requestAddresses"]),
    });
    link.send({ $case: "invRelayBlock", value: { hash: { bytes: new Uint8Array(32) } } });
    const asked = { includeAllSubnetworks: false, subnetworkId: undefined };
    link.send({ $case: "requestAddresses", value: asked });
    await requests.next(null);
    const address = { timestamp: 0n, ip: Uint8Array.of(1, 0, 0, 2), port: 16_111 };
    link.send({ $case: "addresses", value: { addressList: [address] } });
  } catch {
    // The seeder has what it wanted.
  }
}

async function start(
  changes: Partial<SeederParts> = {},
): Promise<{ seeder: Seeder; resolver: Resolver }> {
  const seeder = await startSeeder({
    zone: { host: "seed.test", nameserver: "ns.test" },
    listen: { host: "127.0.0.1", port: 0 },
    port: 16_111,
    publicOnly: true,
    peers: [{ ip: "1.0.0.1", port: 16_111 }],
    askSeeders: null,
    path: join(folder, "nodes.json"),
    dial: async ({ ip }, signal) => {
      if (ip === "1.0.0.1")
        return dialPeer({ ip: "127.0.0.1", port: node?.port ?? 0 }, signal, {
          limits: PATIENT_DIAL,
        });
      throw new SvcError("p2p/unreachable", { address: ip, reason: "nobody is there" });
    },
    own: introductionOf(99),
    digest: "00".repeat(32),
    random: () => 0.5,
    clock,
    log,
    ...changes,
  });
  closers.push(() => seeder.stop());
  const resolver = new Resolver({ tries: 1 });
  resolver.setServers([`127.0.0.1:${seeder.port}`]);
  return { seeder, resolver };
}

/** Waits until a seeder knows that a node is there. */
async function crawled({ book }: Seeder): Promise<void> {
  while (book.reliable(16_111, Number(clock.nowMs())).length === 0) await settle();
}

describe("a seeder", () => {
  it("names the nodes that it reached, writes them down, and names them after a restart", async () => {
    const { seeder, resolver } = await start();
    await crawled(seeder);
    clock.advance(SEEDER_LIMITS.seederListMs);
    expect(await resolver.resolve4("seed.test")).toEqual(["1.0.0.1"]);
    await seeder.stop();
    const stored = await readNodeFile(join(folder, "nodes.json"));
    expect(stored.map(({ address }) => address.ip).toSorted()).toEqual(["1.0.0.1", "1.0.0.2"]);
    const again = await start({ peers: [] });
    expect(await again.resolver.resolve4("seed.test")).toEqual(["1.0.0.1"]);
  });

  it("writes down what it knows now and then", async () => {
    const { seeder } = await start();
    await crawled(seeder);
    while (clock.sleeping < 2) await settle();
    clock.advance(SEEDER_LIMITS.seederSaveMs);
    while ((await readNodeFile(join(folder, "nodes.json"))).length === 0) await settle();
  });

  it("asks other seeders when it knows nobody", async () => {
    const server = await startNameServer({ "other.test": { a: ["1.0.0.1"] } });
    closers.push(() => server.stop());
    const askSeeders = createAskSeeders({
      seeders: ["other.test"],
      port: 16_111,
      outbound: 1,
      random: () => 0,
      nameServers: [server.address],
      log,
    });
    const { seeder } = await start({ peers: [], askSeeders, path: null });
    while (seeder.book.size === 0) await settle();
    while (clock.sleeping < 1) await settle();
    clock.advance(SEEDER_LIMITS.seederIdleMs);
    await crawled(seeder);
  });

  it("asks other seeders again and again while nobody answers, the operator's own neither", async () => {
    const answers = [[], [{ ip: "1.0.0.1", port: 16_111 }]];
    const peers = [{ ip: "1.0.0.9", port: 16_111 }];
    const askSeeders = async () => answers.shift() ?? [];
    const { seeder } = await start({ peers, askSeeders, path: null });
    for (const left of [1, 0]) {
      while (!seeder.book.isLost || clock.sleeping < 2) await settle();
      expect(answers).toHaveLength(left + 1);
      clock.advance(P2P_LIMITS.p2pSeedPauseMs);
      while (answers.length > left) await settle();
    }
    while (seeder.book.size < 2 || clock.sleeping < 2) await settle();
    clock.advance(SEEDER_LIMITS.seederIdleMs);
    await crawled(seeder);
  });

  it("names nodes when its clock was set back", async () => {
    const gate = Promise.withResolvers<void>();
    const { seeder, resolver } = await start({
      dial: async (_, signal) => {
        await gate.promise;
        return dialPeer({ ip: "127.0.0.1", port: node?.port ?? 0 }, signal, {
          limits: PATIENT_DIAL,
        });
      },
    });
    await expect(resolver.resolve4("seed.test")).rejects.toMatchObject({ code: "ENODATA" });
    clock.step(-SEEDER_LIMITS.seederFreshMs);
    gate.resolve();
    await crawled(seeder);
    clock.advance(SEEDER_LIMITS.seederListMs);
    expect(await resolver.resolve4("seed.test")).toContain("1.0.0.1");
  });

  it("does not start with a damaged file, and nothing is left running", async () => {
    await expect(start({ path: folder })).rejects.toMatchObject({ code: "store/corrupt" });
  });
});
