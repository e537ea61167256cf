/** Tests of dialling: the choice of addresses, retries, and queries to the seeders. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { untilAborted } from "@svc/shared/base/abort.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { createLog } from "../../platform/log/log.ts";
import { MemoryKv } from "../../storage/memoryKv.ts";
import { AddressBook } from "../addresses/addressBook.ts";
import { BanList } from "../addresses/banList.ts";
import { addressText, type NetAddress } from "../../platform/net/netAddress.ts";
import type { Wire } from "../link/wire.ts";
import { MisbehaviourScores } from "../peers/misbehaviourScores.ts";
import { PeerHub } from "../peers/peerHub.ts";
import { settle } from "../testkit/linkedPeer.ts";
import { introductionOf, stranger } from "../testkit/stranger.ts";
import { wirePair, type TestWire } from "../testkit/wirePair.ts";
import { ConnectionManager, type ConnectionParts } from "./connectionManager.ts";

const log = createLog("silent");
const address = (ip: string): NetAddress => ({ ip, port: 1 });
const started: ConnectionManager[] = [];

let clock = new ManualClock(0n);
let dialled: string[] = [];
/** Hosts that answer, with their ids. */
let hosts = new Map<string, number>();
beforeEach(() => {
  clock = new ManualClock(0n);
  dialled = [];
  waiting = [];
  hosts = new Map();
});
afterEach(async () => {
  for (const manager of started.splice(0)) await manager.stop();
});

/** Lets a dial fail. */
let waiting: (() => void)[] = [];
async function held(remote: NetAddress, signal: AbortSignal): Promise<Wire> {
  dialled.push(remote.ip);
  await Promise.race([
    new Promise<void>((resolve) => void waiting.push(resolve)),
    untilAborted(signal),
  ]);
  throw new SvcError("p2p/unreachable", { address: remote.ip, reason: "nobody is there" });
}

async function dial(remote: NetAddress): Promise<Wire> {
  dialled.push(remote.ip);
  const id = hosts.get(remote.ip);
  if (id === undefined) {
    throw new SvcError("p2p/unreachable", { address: remote.ip, reason: "nobody is there" });
  }
  const [dialer, listener] = wirePair({ dialled: remote });
  stranger(listener, { id, clock });
  return dialer;
}

function setUp(changes: Partial<ConnectionParts> = {}) {
  const store = new MemoryKv();
  const bans = new BanList({ store, clock });
  const book = new AddressBook({ store, random: () => 0.5, clock });
  const hub = new PeerHub({
    introduce: () => introductionOf(0),
    takesAgent: () => true,
    digest: "ab".repeat(32),
    maxInbound: 8,
    bans,
    faults: new MisbehaviourScores(clock),
    isWanted: (ip) => manager.isWanted(ip),
    prepareFlows: () => () => {},
    clock,
    log,
  });
  const parts = { hub, book, bans, dial, askSeeders: null, outbound: 3, clock, log, ...changes };
  const manager: ConnectionManager = new ConnectionManager(parts);
  started.push(manager);
  const peers = (): string[] => hub.peers.map(({ link }) => link.remote.ip).toSorted();
  return { manager, hub, book, bans, peers };
}

async function nextRound(): Promise<void> {
  clock.advance(P2P_LIMITS.p2pRoundMs);
  await settle();
}

describe("the connection manager", () => {
  it("stops while a peer that it dialled has not said who it is", async () => {
    const silent: TestWire[] = [];
    const { manager, book } = setUp({
      dial: async (remote) => {
        const [dialer] = wirePair({ dialled: remote });
        silent.push(dialer);
        return dialer;
      },
    });
    book.add([address("1.0.0.1")]);
    manager.start();
    await settle();
    expect(silent.map(({ isClosed }) => isClosed)).toEqual([false]);
    await manager.stop();
    expect(silent.map(({ isClosed }) => isClosed)).toEqual([true]);
  });

  it("fills up from the book, and goes on with others when some are not there", async () => {
    const { manager, book, peers } = setUp();
    for (const at of [1, 2, 3, 4, 5, 6]) book.add([address(`1.${at}.0.1`)]);
    for (const at of [2, 4, 6]) hosts.set(`1.${at}.0.1`, at);
    manager.start();
    await settle();
    expect(peers()).toEqual(["1.2.0.1", "1.4.0.1", "1.6.0.1"]);
    expect(new Set(dialled).size).toBe(dialled.length);
    await nextRound();
    expect(dialled.length).toBeLessThanOrEqual(6);
  });

  it("does not dial banned hosts, peers, or anybody twice in a round", async () => {
    const { manager, book, bans, hub, peers } = setUp();
    book.add([address("1.1.0.1"), address("1.2.0.1"), { ip: "1.2.0.1", port: 2 }]);
    bans.ban("1.1.0.1");
    hosts.set("1.1.0.1", 1).set("1.2.0.1", 2);
    manager.start();
    await settle();
    expect(peers()).toEqual(["1.2.0.1"]);
    expect(dialled.filter((ip) => ip === "1.1.0.1")).toEqual([]);
    const [peer] = hub.peers;
    peer?.link.end(new SvcError("p2p/closed", {}));
    manager.wake();
    await settle();
    expect(peers()).toEqual([]);
    clock.advance(P2P_LIMITS.p2pWakePauseMs);
    await settle();
    expect(peers()).toEqual(["1.2.0.1"]);
  });

  it("dials a wanted peer again and again, later each time, whatever it did", async () => {
    const { manager, hub, peers } = setUp({ outbound: 0 });
    manager.request(address("1.1.0.1"), true);
    manager.start();
    await settle();
    expect(manager.isWanted("1.1.0.1")).toBe(true);
    const rounds: number[] = [];
    for (let round = 0; round <= 14; round += 1) {
      const before = dialled.length;
      await nextRound();
      if (dialled.length > before) rounds.push(round);
    }
    // After 1, 2, 4, 8 … rounds.
    expect(rounds).toEqual([1, 5, 13]);
    hosts.set("1.1.0.1", 1);
    for (let round = 0; round < 16; round += 1) await nextRound();
    expect(peers()).toEqual(["1.1.0.1"]);
    hub.peers[0]?.link.end(new SvcError("header/no-parents", {}));
    await nextRound();
    await nextRound();
    expect(peers()).toEqual(["1.1.0.1"]);
    manager.withdraw("1.1.0.1");
    hub.peers[0]?.link.end(new SvcError("p2p/closed", {}));
    await nextRound();
    expect(peers()).toEqual([]);
  });

  it("tries a passing request once", async () => {
    const { manager, peers } = setUp({ outbound: 0 });
    hosts.set("1.1.0.1", 1);
    manager.start();
    manager.request(address("1.1.0.1"), false);
    manager.request(address("1.2.0.1"), false);
    await settle();
    expect(peers()).toEqual(["1.1.0.1"]);
    for (let round = 0; round < 3; round += 1) await nextRound();
    expect(dialled).toEqual(["1.1.0.1", "1.2.0.1"]);
    expect(manager.isWanted("1.1.0.1")).toBe(false);
  });

  it("lets nobody wait who was asked for between two rounds", async () => {
    const { manager, peers } = setUp({ outbound: 0 });
    hosts.set("1.1.0.1", 1).set("1.2.0.1", 2);
    manager.start();
    await settle();
    for (const [at, ip] of ["1.1.0.1", "1.2.0.1"].entries()) {
      manager.request(address(ip), false);
      await settle();
      expect(peers()).toHaveLength(at + 1);
    }
  });

  it("lets nobody wait who was asked for while a round tries others that are silent", async () => {
    const { manager, book, peers } = setUp({
      dial: (remote, signal) => (hosts.has(remote.ip) ? dial(remote) : held(remote, signal)),
    });
    book.add([address("1.3.0.1"), address("1.4.0.1")]);
    hosts.set("1.1.0.1", 1);
    manager.start();
    await settle();
    expect(dialled).toHaveLength(2);
    manager.request(address("1.1.0.1"), false);
    await settle();
    expect(peers()).toEqual(["1.1.0.1"]);
  });

  it("wants for good whom it wanted for good, also when it is asked once more", async () => {
    const { manager } = setUp({ outbound: 0 });
    manager.start();
    manager.request(address("1.1.0.1"), true);
    manager.request(address("1.1.0.1"), false);
    await settle();
    expect(manager.isWanted("1.1.0.1")).toBe(true);
  });

  it("is done with a passing request for whoever is linked already", async () => {
    const { manager, hub } = setUp({ outbound: 0 });
    hosts.set("1.1.0.1", 1);
    manager.start();
    for (let time = 0; time < 2; time += 1) {
      manager.request(address("1.1.0.1"), false);
      await settle();
    }
    hub.disconnect("1.1.0.1", new SvcError("p2p/evicted", {}));
    await nextRound();
    expect(dialled).toEqual(["1.1.0.1"]);
  });

  it("asks the seeders when the book does not do, and goes on without them", async () => {
    const asked: number[] = [];
    const askSeeders = async (count: number): Promise<NetAddress[]> => {
      asked.push(count);
      if (asked.length === 1) throw new Error("no name server");
      return [address("1.1.0.1"), address("1.2.0.1")];
    };
    hosts.set("1.1.0.1", 1).set("1.2.0.1", 2);
    const { manager, peers } = setUp({ outbound: 2, askSeeders });
    manager.start();
    await settle();
    expect([peers(), asked]).toEqual([[], [4]]);
    // They are not asked all the time.
    for (
      let ms = P2P_LIMITS.p2pRoundMs;
      ms < P2P_LIMITS.p2pSeedPauseMs;
      ms += P2P_LIMITS.p2pRoundMs
    ) {
      await nextRound();
    }
    expect(asked).toEqual([4]);
    await nextRound();
    expect([peers(), asked]).toEqual([
      ["1.1.0.1", "1.2.0.1"],
      [4, 4],
    ]);
    await nextRound();
    expect(asked).toHaveLength(2);
  });

  it("dials seeders that a proxy knows by name, keeps no such address, and bans no name", async () => {
    hosts.set("seed.test", 1);
    const askSeeders = async (): Promise<NetAddress[]> => [
      address("seed.test"),
      address("gone.test"),
    ];
    const { manager, peers, book, bans, hub } = setUp({ outbound: 2, askSeeders });
    manager.start();
    await settle();
    expect(dialled).toEqual(["seed.test", "gone.test"]);
    expect([peers(), book.list()]).toEqual([["seed.test"], []]);
    // It is not dialled a second time while it is a peer, and many may stand behind the name.
    clock.advance(P2P_LIMITS.p2pSeedPauseMs);
    await settle();
    expect(dialled.filter((ip) => ip === "seed.test")).toHaveLength(1);
    hub.peers[0]?.link.end(new SvcError("shielded/bad-flags", { flags: 9 }));
    await settle();
    expect([peers(), bans.list()]).toEqual([[], []]);
  });

  it("tries a part of a large book in a round, a few at a time", async () => {
    const { manager, book } = setUp({ outbound: 100, dial: held });
    const many = Array.from({ length: 1_000 }, (_, at) => address(`${at % 100}.${at}.0.1`));
    book.add(many.map(({ ip }, at) => address(ip.replace(/\.\d+\./, `.${at % 250}.`))));
    manager.start();
    await settle();
    expect(waiting).toHaveLength(P2P_LIMITS.p2pDialsAtOnce);
    while (waiting.length > 0) {
      for (const refuse of waiting.splice(0)) refuse();
      await settle();
    }
    expect(new Set(dialled).size).toBe(dialled.length);
    expect(dialled).toHaveLength(P2P_LIMITS.p2pDialsPerRound);
    manager.wake();
    manager.wake();
    await settle();
    expect(dialled).toHaveLength(P2P_LIMITS.p2pDialsPerRound);
    clock.advance(P2P_LIMITS.p2pWakePauseMs);
    await settle();
    expect(dialled).toHaveLength(P2P_LIMITS.p2pDialsPerRound + P2P_LIMITS.p2pDialsAtOnce);
  });

  it("prefers neighbourhoods without a peer, and has few of one at most", async () => {
    const { manager, book, peers } = setUp({ outbound: 4 });
    for (let at = 1; at <= 9; at += 1) {
      book.add([address(`1.1.${at}.1`)]);
      hosts.set(`1.1.${at}.1`, at);
    }
    for (const at of [2, 3]) {
      book.add([address(`1.${at}.0.1`)]);
      hosts.set(`1.${at}.0.1`, 10 * at);
    }
    manager.start();
    await settle();
    expect(peers()).toHaveLength(4);
    expect(peers().filter((ip) => ip.startsWith("1.1."))).toHaveLength(2);
    expect(peers().slice(2)).toEqual(["1.2.0.1", "1.3.0.1"]);
  });

  it("fills up within one neighbourhood of a private network", async () => {
    const { manager, book, peers } = setUp({ outbound: 3 });
    for (let at = 1; at <= 5; at += 1) {
      book.add([address(`10.0.0.${at}`)]);
      hosts.set(`10.0.0.${at}`, at);
    }
    manager.start();
    await settle();
    expect(peers()).toHaveLength(3);
  });

  it("is asked for so many hosts", () => {
    const { manager } = setUp();
    for (let at = 0; at < P2P_LIMITS.p2pRequests; at += 1) {
      manager.request(address(`1.1.${at >> 7}.${at & 127}`), true);
    }
    manager.request(address("1.1.0.0"), true);
    expect(codeOf(() => manager.request(address("1.2.0.0"), false))).toBe("queue/full");
  });

  it("gives up a handshake when it stops", async () => {
    const [dialer, listener] = wirePair();
    const { manager, hub } = setUp({ outbound: 0, dial: () => Promise.resolve(dialer) });
    manager.request(address("1.1.0.1"), true);
    manager.start();
    await settle();
    await manager.stop();
    expect([dialer.isClosed, listener.isClosed, hub.peers]).toEqual([true, false, []]);
  });

  it("forgets its own address, and those that never answer", async () => {
    const { manager, book } = setUp({ outbound: 8 });
    book.add([address("1.1.0.1"), address("1.2.0.1")]);
    hosts.set("1.1.0.1", 0);
    manager.start();
    await settle();
    expect(book.list().map(addressText)).toEqual(["1.2.0.1:1"]);
    for (let round = 0; round < 3; round += 1) await nextRound();
    expect(book.size).toBe(0);
  });
});
