/** A seeder's name server, asked by the resolver of Node and by hand. */
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import packet, { type Packet } from "dns-packet";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SEEDER_LIMITS } from "./seederLimits.ts";
import { ManualClock } from "../platform/time/clock.ts";
import { createLog } from "../platform/log/log.ts";
import { startDnsServer, type DnsServer } from "./dnsServer.ts";
import { answerQuery, type ZoneParts } from "./dnsZone.ts";
import { NodeSample } from "./nodeSample.ts";

const closers: (() => Promise<void> | void)[] = [];
let nodes: string[] = [];
let clock = new ManualClock(0n);
beforeEach(() => {
  nodes = [];
  clock = new ManualClock(0n);
});
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

const zone: ZoneParts = {
  host: "seed.test",
  nameserver: "ns.seed.test",
  nodes: () => new NodeSample(nodes),
  random: Math.random,
};

async function start(): Promise<{ server: DnsServer; resolver: Resolver }> {
  const server = await startDnsServer({
    host: "127.0.0.1",
    port: 0,
    answer: (message, room) => answerQuery(message, room, zone),
    clock,
    log: createLog("silent"),
  });
  closers.push(() => server.stop());
  const resolver = new Resolver({ tries: 1 });
  resolver.setServers([`127.0.0.1:${server.port}`]);
  return { server, resolver };
}

const ask = (fields: Packet): Buffer => packet.encode({ type: "query", id: 7, ...fields });
const question = (type: "A" | "AAAA" | "TXT" | "SOA", name = "seed.test") =>
  ask({ questions: [{ type, name }] });
const answerTo = (query: Buffer, room = 512) => {
  const reply = answerQuery(query, room, zone);
  return reply === null ? null : packet.decode(reply);
};

/** Asks over TCP, all messages at once; resolves with the answers when the server closes or has said as many. */
async function overTcp(port: number, bytes: Buffer, wanted: number): Promise<Buffer[]> {
  const socket = connect(port, "127.0.0.1");
  closers.push(() => void socket.destroy());
  socket.on("error", () => undefined);
  let heard = Buffer.alloc(0);
  const answers: Buffer[] = [];
  socket.write(bytes);
  const enough = new Promise<void>((resolve) => {
    socket.on("data", (chunk) => {
      heard = Buffer.concat([heard, chunk]);
      while (heard.length >= 2 && heard.length >= 2 + heard.readUInt16BE(0)) {
        const length = heard.readUInt16BE(0);
        answers.push(heard.subarray(2, 2 + length));
        heard = heard.subarray(2 + length);
      }
      if (answers.length >= wanted) resolve();
    });
    socket.on("close", () => resolve());
  });
  await enough;
  socket.destroy();
  return answers;
}

async function open(port: number, localAddress = "127.0.0.1"): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  closers.push(() => void socket.destroy());
  await once(socket, "connect");
  return socket;
}

const framed = (message: Buffer): Buffer => {
  const head = Buffer.alloc(2);
  head.writeUInt16BE(message.length);
  return Buffer.concat([head, message]);
};

describe("a seeder's name server", () => {
  it("names nodes of both families, any of them, and who is in charge", async () => {
    const { resolver } = await start();
    nodes = [...Array.from({ length: 40 }, (_, at) => `1.0.0.${at}`), "2001:db8::1"];
    const seen = new Set<string>();
    for (let round = 0; round < 30; round += 1) {
      const found = await resolver.resolve4("seed.test", { ttl: true });
      expect(found).toHaveLength(SEEDER_LIMITS.dnsAnswers);
      expect(found.every(({ ttl }) => ttl === SEEDER_LIMITS.dnsTtlSeconds)).toBe(true);
      expect(new Set(found.map(({ address }) => address)).size).toBe(SEEDER_LIMITS.dnsAnswers);
      for (const { address } of found) seen.add(address);
    }
    expect(seen.size).toBe(40);
    expect(await resolver.resolve6("seed.test")).toEqual(["2001:db8::1"]);
    expect(await resolver.resolveNs("seed.test")).toEqual(["ns.seed.test"]);
    expect((await resolver.resolveSoa("SEED.test")).hostmaster).toBe("hostmaster.seed.test");
  });

  it("says when it has none, and refuses other names", async () => {
    const { resolver } = await start();
    nodes = ["1.0.0.1"];
    await expect(resolver.resolve6("seed.test")).rejects.toMatchObject({ code: "ENODATA" });
    await expect(resolver.resolveTxt("seed.test")).rejects.toMatchObject({ code: "ENODATA" });
    await expect(resolver.resolve4("other.test")).rejects.toMatchObject({ code: "EREFUSED" });
  });

  it("names as many as fit, cuts what else does not and says so; over TCP all of it comes", async () => {
    const { server } = await start();
    nodes = Array.from({ length: 40 }, (_, at) => `2001:db8:0:${at}::`);
    const fewer = answerTo(question("AAAA"), 200);
    expect([fewer?.flag_tc, fewer?.answers?.length]).toEqual([false, 6]);
    const none = answerTo(question("AAAA"), 40);
    expect([none?.flag_tc, none?.answers]).toEqual([true, []]);
    const whole = answerTo(question("AAAA"));
    expect([whole?.flag_tc, whole?.answers?.length]).toEqual([false, SEEDER_LIMITS.dnsAnswers]);
    const bare = answerTo(question("SOA"), 40);
    expect([bare?.flag_tc, bare?.answers]).toEqual([true, []]);
    expect(answerQuery(question("SOA"), 20, zone)).toBeNull();
    const two = Buffer.concat([framed(question("AAAA")), framed(question("A"))]);
    const [first, second] = await overTcp(server.port, two, 2);
    expect(packet.decode(first ?? Buffer.alloc(0)).answers).toHaveLength(SEEDER_LIMITS.dnsAnswers);
    expect(packet.decode(second ?? Buffer.alloc(0)).answers).toEqual([]);
  });

  it("never sends more over UDP than a part of what it was sent", () => {
    nodes = Array.from({ length: 40 }, (_, at) =>
      at % 2 === 0 ? `1.0.0.${at}` : `2001:db8:0:${at}::`,
    );
    for (const type of ["A", "AAAA", "TXT", "SOA"] as const) {
      const query = question(type);
      const room = Math.min(
        SEEDER_LIMITS.dnsUdpBytes,
        SEEDER_LIMITS.dnsAmplification * query.length,
      );
      expect(answerQuery(query, room, zone)?.length).toBeLessThanOrEqual(room);
    }
  });

  it("refuses what is not one plain question, and is silent on what is none", () => {
    const [two, none] = [ask({ questions: [] }), question("A")];
    const double = ask({
      questions: [
        { type: "A", name: "seed.test" },
        { type: "A", name: "seed.test" },
      ],
    });
    const rcodeOf = (query: Buffer) => (answerQuery(query, 512, zone)?.[3] ?? 0) & 15;
    expect([rcodeOf(two), rcodeOf(double)]).toEqual([1, 1]);
    expect(rcodeOf(ask({ flags: 4 << 11, questions: [{ type: "A", name: "seed.test" }] }))).toBe(4);
    expect(rcodeOf(ask({ questions: [{ type: "A", name: "seed.test", class: "CH" }] }))).toBe(5);
    const [counted, signed] = [question("A"), question("A")];
    for (const at of [6, 8, 10]) counted.writeUInt16BE(0xffff, at);
    expect(answerQuery(counted, 512, zone)).toEqual(
      Buffer.concat([Buffer.from([0, 7, 0x80, 1]), Buffer.alloc(8)]),
    );
    // A record is promised that does not come.
    signed.writeUInt16BE(1, 10);
    expect(answerQuery(signed, 512, zone)).toBeNull();
    none.writeUInt16BE(0x8000, 2);
    expect(answerQuery(none, 512, zone)).toBeNull();
    for (const bytes of [Buffer.alloc(0), Buffer.alloc(11), question("A").subarray(0, 20)]) {
      expect(answerQuery(bytes, 512, zone)).toBeNull();
    }
  });

  it("survives anything", () => {
    nodes = ["1.0.0.1"];
    const bytes = fc.uint8Array({ maxLength: 80 });
    const broken = fc.tuple(fc.nat(30), fc.nat(255)).map(([at, value]) => {
      const query = question("A");
      query[at % query.length] = value;
      return query;
    });
    fc.assert(
      fc.property(fc.oneof(bytes, broken), (message) => {
        const reply = answerQuery(Buffer.from(message), 512, zone);
        expect(reply === null || reply.length <= 512).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it("answers so many questions of a host", async () => {
    const { server, resolver } = await start();
    nodes = ["1.0.0.1"];
    const many = Array.from({ length: SEEDER_LIMITS.dnsQueriesBurst + 5 }, () =>
      framed(question("A")),
    );
    const answers = await overTcp(server.port, Buffer.concat(many), many.length);
    expect(answers).toHaveLength(SEEDER_LIMITS.dnsQueriesBurst);
    clock.advance(1_000);
    expect(await resolver.resolve4("seed.test")).toEqual(["1.0.0.1"]);
  });

  it("still answers over TCP when a host's questions over UDP are used up", async () => {
    const { server, resolver } = await start();
    nodes = ["1.0.0.1"];
    for (let at = 0; at < SEEDER_LIMITS.dnsQueriesBurst; at += 1)
      await resolver.resolve4("seed.test");
    expect(await overTcp(server.port, framed(question("A")), 1)).toHaveLength(1);
  });

  it("closes connections that send too much, and has few of a host", async () => {
    const { server } = await start();
    expect(await overTcp(server.port, Buffer.from([0xff, 0xff, 1]), 1)).toEqual([]);
    expect(await overTcp(server.port, framed(Buffer.from("nonsense")), 1)).toEqual([]);
    for (let at = 0; at < SEEDER_LIMITS.dnsConnectionsPerHost; at += 1) await open(server.port);
    expect(await overTcp(server.port, framed(question("A")), 1)).toEqual([]);
  });

  // Elsewhere a machine has one address of its own.
  it.skipIf(process.platform !== "linux")("lets the oldest connection give way", async () => {
    const { server } = await start();
    nodes = ["1.0.0.1"];
    const sockets: Socket[] = [];
    for (let at = 0; at < SEEDER_LIMITS.dnsConnections; at += 1) {
      sockets.push(await open(server.port, `127.0.1.${at + 1}`));
    }
    const [first, second] = sockets;
    const isClosed = first === undefined ? undefined : once(first.resume(), "close");
    expect(await overTcp(server.port, framed(question("A")), 1)).toHaveLength(1);
    await isClosed;
    second?.write(framed(question("A")));
    expect(await (second === undefined ? undefined : once(second, "data"))).toHaveLength(1);
  });

  it("says which port is taken", async () => {
    const { server } = await start();
    await expect(
      startDnsServer({
        host: "127.0.0.1",
        port: server.port,
        answer: () => null,
        clock,
        log: createLog("silent"),
      }),
    ).rejects.toMatchObject({ code: "node/port-in-use" });
  });
});
