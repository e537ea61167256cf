/** Crawling real listeners on loopback, each of which stands for a host of its own. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SEEDER_LIMITS } from "./seederLimits.ts";
import { P2P_LIMITS } from "../p2p/p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { AddressBook } from "../p2p/addresses/addressBook.ts";
import type { NetAddress } from "../platform/net/netAddress.ts";
import { BanList } from "../p2p/addresses/banList.ts";
import { prepareFlows } from "../p2p/flows/runFlows.ts";
import { dialPeer } from "../p2p/link/grpcDialer.ts";
import { startGrpcListener } from "../p2p/link/grpcListener.ts";
import { MisbehaviourScores } from "../p2p/peers/misbehaviourScores.ts";
import { PeerHub, type PeerHubParts } from "../p2p/peers/peerHub.ts";
import { PATIENT_DIAL } from "../p2p/testkit/patientDial.ts";
import { settle } from "../p2p/testkit/linkedPeer.ts";
import { introductionOf } from "../p2p/testkit/stranger.ts";
import { answerAddresses, askForAddresses } from "../p2p/flows/addresses.ts";
import { ManualClock } from "../platform/time/clock.ts";
import { createLog } from "../platform/log/log.ts";
import { MemoryKv } from "../storage/memoryKv.ts";
import { Crawler, type CrawlerParts } from "./crawler.ts";
import { NodeBook } from "./nodeBook.ts";
import { probePeer } from "./probePeer.ts";

const log = createLog("silent");
const closers: (() => Promise<void> | void)[] = [];
let clock = new ManualClock(0n);
let book = bookOf();
beforeEach(() => {
  clock = new ManualClock(1_700_000_000_000n);
  book = bookOf();
  places = new Map();
});
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

function bookOf(): NodeBook {
  return new NodeBook({ peers: [], isOfUse: () => true, random: () => 0.5 });
}

/** Where hosts are. */
let places = new Map<string, number>();
const PORT = 16_111;
const DIGEST = "00".repeat(32);

/** The node at `1.0.0.ID`, which answers with these addresses. */
async function startNode(
  id: number,
  { knows = [], network = "test-network" }: { knows?: NetAddress[]; network?: string },
): Promise<NetAddress> {
  const own = new AddressBook({ store: new MemoryKv(), random: () => 0.5, clock });
  const given = { sample: () => knows } as unknown as AddressBook;
  const prepare: PeerHubParts["prepareFlows"] = (peer) =>
    prepareFlows(peer, [answerAddresses(given, clock), askForAddresses(own, clock, () => {})]);
  const hub = new PeerHub({
    introduce: () => ({ ...introductionOf(id), network }),
    digest: DIGEST,
    takesAgent: () => true,
    maxInbound: 8,
    bans: new BanList({ store: new MemoryKv(), clock }),
    faults: new MisbehaviourScores(clock),
    isWanted: () => false,
    prepareFlows: prepare,
    clock,
    log,
  });
  const listener = await startGrpcListener({
    host: "127.0.0.1",
    port: 0,
    admits: (remote) => hub.admits(remote),
    onWire: (wire) => void hub.take(wire).catch(() => undefined),
  });
  closers.push(() => listener.stop());
  const address = { ip: `1.0.0.${id}`, port: PORT };
  places.set(address.ip, listener.port);
  return address;
}

const dial: typeof dialPeer = async ({ ip, port }, signal) => {
  const place = places.get(ip);
  if (place !== undefined)
    return dialPeer({ ip: "127.0.0.1", port: place }, signal, { limits: PATIENT_DIAL });
  throw new SvcError("p2p/unreachable", { address: `${ip}:${port}`, reason: "nobody is there" });
};

const probe: CrawlerParts["probe"] = (address, signal) =>
  probePeer(address, { dial, own: introductionOf(99), digest: DIGEST, clock }, signal);

/** Waits until everybody who is due has been tried. */
async function idle(): Promise<void> {
  while (clock.sleeping === 0 || book.due(Number(clock.nowMs()), 1).length > 0) await settle();
}

describe("a crawler", () => {
  it("finds nodes by way of others, and knows who answers and who does not", async () => {
    const third = await startNode(13, {});
    const nobody = { ip: "1.0.0.1", port: PORT };
    const foreign = await startNode(14, { network: "another" });
    const second = await startNode(12, { knows: [third, nobody, foreign] });
    const first = await startNode(11, { knows: [second] });
    book.add([first], null, Number(clock.nowMs()));
    const crawler = new Crawler({ book, probe, clock, log });
    closers.push(() => crawler.stop());
    crawler.start();
    await idle();
    const now = Number(clock.nowMs());
    expect(book.reliable(PORT, now).toSorted()).toEqual(["1.0.0.11", "1.0.0.12", "1.0.0.13"]);
    const failing = book.nodes().filter(({ history }) => history.successes === 0);
    expect(failing.map(({ address }) => address.ip).toSorted()).toEqual(["1.0.0.1", "1.0.0.14"]);
    // Nobody is tried again before it is due, and those who do not answer later than others.
    clock.advance(SEEDER_LIMITS.seederIdleMs);
    await idle();
    expect(book.nodes().every(({ history }) => history.tries === 1)).toBe(true);
    clock.advance(SEEDER_LIMITS.seederRetryMs);
    await idle();
    const tries = book.nodes().map(({ address, history }) => [address.ip, history.tries] as const);
    expect(Object.fromEntries(tries)).toEqual({
      "1.0.0.1": 1,
      "1.0.0.11": 2,
      "1.0.0.12": 2,
      "1.0.0.13": 2,
      "1.0.0.14": 1,
    });
  });

  it("tries so many at a time, forgets itself, and gives up when it stops", async () => {
    const under: NetAddress[] = [];
    const crawler = new Crawler({
      book,
      probe: async (address, signal) => {
        if (address.port === 1) throw new SvcError("p2p/own-connection", {});
        under.push(address);
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        throw new SvcError("run/aborted", {});
      },
      clock,
      log,
    });
    const many = Array.from({ length: 100 }, (_, at) => ({ ip: `1.${at}.0.1`, port: 2 }));
    book.add([{ ip: "1.0.0.1", port: 1 }, ...many], null, Number(clock.nowMs()));
    crawler.start();
    await settle();
    expect(under).toHaveLength(SEEDER_LIMITS.seederTriesAtOnce);
    await crawler.stop();
    expect(under).toHaveLength(SEEDER_LIMITS.seederTriesAtOnce);
    expect(book.nodes().every(({ history }) => history.tries === 0)).toBe(true);
    expect(book.size).toBe(100);
  });

  it("takes a program for no node that says too much", async () => {
    const tooMany = Array.from({ length: P2P_LIMITS.p2pAddressesTaken + 1 }, (_, at) => ({
      ip: `1.${at & 255}.${at >> 8}.1`,
      port: 5,
    }));
    const node = await startNode(21, { knows: tooMany });
    await expect(probe(node, new AbortController().signal)).rejects.toMatchObject({
      code: "p2p/bad-message",
    });
  });
});
