/** Answers questions over UDP and TCP, with a rate for each host and for all. */
import { createSocket, type RemoteInfo, type Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { LIMITS } from "@svc/shared/base/limits.ts";
import { LruMap } from "@svc/shared/base/lruMap.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { hostOf } from "../p2p/addresses/netAddress.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import { TokenBucket } from "../platform/tokenBucket.ts";

/** What the server works with. */
export type DnsServerParts = {
  readonly host: string;
  /** 0 lets the system choose; it is the same for UDP and TCP. */
  readonly port: number;
  /** The answer to a message, of `room` bytes at most; null to say nothing. */
  readonly answer: (message: Buffer, room: number) => Buffer | null;
  readonly clock: Pick<Clock, "nowMs">;
  readonly log: Log;
};

/** A running server. */
export type DnsServer = {
  readonly port: number;
  /** Stops listening and closes connections. Calling it again waits for the same stop. */
  stop(): Promise<void>;
};

const LENGTH_BYTES = 2;
const TCP_MAX = 0xffff;

/** Starts the server. Rejects with `node/port-in-use`. */
export async function startDnsServer(parts: DnsServerParts): Promise<DnsServer> {
  const rates = new SourceRates(parts.clock);
  const tcp = createServer();
  const connections = new Set<Socket>();
  tcp.on("connection", (socket) => serveConnection(socket, connections, { ...parts, rates }));
  await bound(parts.port, tcp, () => tcp.listen(parts.port, parts.host));
  const at = tcp.address();
  const port = typeof at === "object" && at !== null ? at.port : parts.port;
  const udp = createSocket(parts.host.includes(":") ? "udp6" : "udp4");
  udp.on("message", (message, from) => answerDatagram(udp, message, from, { ...parts, rates }));
  try {
    await bound(port, udp, () => udp.bind(port, parts.host));
  } catch (error) {
    tcp.close();
    throw error;
  }
  const onError = (error: Error): void => parts.log.warn({ err: error }, "a socket failed");
  for (const socket of [udp, tcp]) socket.on("error", onError);
  let stopping: Promise<void> | null = null;
  return { port, stop: () => (stopping ??= stopAll(udp, tcp, connections)) };
}

async function bound(port: number, socket: UdpSocket | Server, begin: () => void): Promise<void> {
  begin();
  try {
    await once(socket, "listening");
  } catch (cause) {
    throw new SvcError("node/port-in-use", { port }, cause);
  }
}

async function stopAll(udp: UdpSocket, tcp: Server, connections: Set<Socket>): Promise<void> {
  const closed = Promise.all([once(udp, "close"), once(tcp, "close")]);
  udp.close();
  tcp.close();
  for (const socket of connections) socket.destroy();
  await closed;
}

type Serving = Pick<DnsServerParts, "answer"> & { readonly rates: SourceRates };

/** The sender may be forged: what comes back is bounded by what was sent. */
function answerDatagram(
  udp: UdpSocket,
  message: Buffer,
  { address, port }: RemoteInfo,
  { answer, rates }: Serving,
): void {
  if (message.length > LIMITS.dnsQueryBytes || !rates.takes(sourceOf(address))) return;
  const room = Math.min(LIMITS.dnsUdpBytes, LIMITS.dnsAmplification * message.length);
  const reply = answer(message, room);
  // Nobody waits for the outcome, and the next question comes on the same socket.
  if (reply !== null) udp.send(reply, port, address, () => {});
}

/** Questions and answers with their lengths before them, in order. */
function serveConnection(socket: Socket, open: Set<Socket>, { answer, rates }: Serving): void {
  const source = sourceOf(socket.remoteAddress);
  const ofHost = [...open].filter(({ remoteAddress }) => sourceOf(remoteAddress) === source);
  if (open.size >= LIMITS.dnsConnections || ofHost.length >= LIMITS.dnsConnectionsPerHost) {
    socket.destroy();
    return;
  }
  open.add(socket);
  // However it spreads its questions: another one is waiting for the place.
  const limit = setTimeout(() => socket.destroy(), LIMITS.dnsConnectionMs);
  socket.on("close", () => {
    clearTimeout(limit);
    open.delete(socket);
  });
  socket.on("error", () => socket.destroy());
  let waiting = Buffer.alloc(0);
  socket.on("data", (chunk) => {
    waiting = Buffer.concat([waiting, chunk]);
    while (waiting.length >= LENGTH_BYTES) {
      const length = waiting.readUInt16BE(0);
      if (length > LIMITS.dnsQueryBytes) return void socket.destroy();
      if (waiting.length < LENGTH_BYTES + length) return undefined;
      const reply = rates.takes(source)
        ? answer(waiting.subarray(LENGTH_BYTES, LENGTH_BYTES + length), TCP_MAX)
        : null;
      waiting = waiting.subarray(LENGTH_BYTES + length);
      // Whoever asks too much, says nothing sensible or does not read is not worth a connection.
      if (reply === null || socket.writableNeedDrain) return void socket.destroy();
      const head = Buffer.alloc(LENGTH_BYTES);
      head.writeUInt16BE(reply.length);
      socket.write(Buffer.concat([head, reply]));
    }
    return undefined;
  });
}

/** What counts as one host; a connection that is gone has no address. */
function sourceOf(ip: string | undefined): string {
  return ip === undefined ? "" : hostOf(ip.replace(/%.*$/, ""));
}

/** How much each host may ask, and all of them together. */
class SourceRates {
  readonly #clock: Pick<Clock, "nowMs">;
  readonly #all: TokenBucket;
  readonly #each = new LruMap<string, TokenBucket>(LIMITS.dnsSources);

  constructor(clock: Pick<Clock, "nowMs">) {
    this.#clock = clock;
    const [perSecond, burst] = [LIMITS.dnsQueriesPerSecondAll, LIMITS.dnsQueriesBurstAll];
    this.#all = new TokenBucket({ perSecond, burst }, clock.nowMs());
  }

  takes(host: string): boolean {
    const nowMs = this.#clock.nowMs();
    const rate = { perSecond: LIMITS.dnsQueriesPerSecond, burst: LIMITS.dnsQueriesBurst };
    const own = this.#each.get(host) ?? new TokenBucket(rate, nowMs);
    this.#each.set(host, own);
    return own.take(1, nowMs) === 1 && this.#all.take(1, nowMs) === 1;
  }
}
