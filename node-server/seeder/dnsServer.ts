/** The DNS server: answers queries over UDP and TCP at one port, each with a rate limit of its own. */
import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { SEEDER_LIMITS } from "./seederLimits.ts";
import type { SvcError } from "@svc/shared/base/svcError.ts";
import type { Clock } from "../platform/time/clock.ts";
import { guarded, logFault } from "../platform/net/guarded.ts";
import { listenError } from "../platform/net/listenAt.ts";
import type { Log } from "../platform/log/log.ts";
import { HostRateLimiter, type SourceRateBounds } from "../platform/time/hostRateLimiter.ts";
import { DnsConnections } from "./dnsConnections.ts";
import { serveDatagrams } from "./dnsDatagrams.ts";

/** Dependencies of the DNS server. */
export type DnsServerParts = {
  readonly host: string;
  /** 0 lets the system choose; it is the same for UDP and TCP. */
  readonly port: number;
  /** The answer to a message, of `room` bytes at most; null to say nothing. */
  readonly answer: (message: Buffer, room: number) => Buffer | null;
  readonly clock: Pick<Clock, "steadyMs">;
  readonly log: Log;
};

/** A running server. */
export type DnsServer = {
  readonly port: number;
  /** Stops listening and closes connections. Calling it again waits for the same stop. */
  stop(): Promise<void>;
};

/** Rate limit of queries over UDP, and the same again over TCP. */
export const DNS_RATES: SourceRateBounds = {
  each: { perSecond: SEEDER_LIMITS.dnsQueriesPerSecond, burst: SEEDER_LIMITS.dnsQueriesBurst },
  all: { perSecond: SEEDER_LIMITS.dnsQueriesPerSecondAll, burst: SEEDER_LIMITS.dnsQueriesBurstAll },
  sources: SEEDER_LIMITS.dnsSources,
};

/** Starts the server. Rejects with `node/port-in-use`, `node/bad-option`. */
export async function startDnsServer(parts: DnsServerParts): Promise<DnsServer> {
  const { host, answer, clock, log } = parts;
  const tcp = createServer();
  // What forged datagrams use up is not missing over TCP, where nobody speaks for another.
  const connections = new DnsConnections({
    answer,
    rates: new HostRateLimiter(clock, DNS_RATES),
    log,
  });
  const take = (socket: Socket): void => connections.take(socket);
  const onFault = (fault: SvcError, socket: Socket): void => {
    socket.destroy();
    logFault(log, fault);
  };
  tcp.on("connection", guarded(take, onFault));
  await bound(parts, tcp, () => tcp.listen(parts.port, host));
  const at = tcp.address();
  const port = typeof at === "object" && at !== null ? at.port : parts.port;
  const udp = createSocket(host.includes(":") ? "udp6" : "udp4");
  serveDatagrams(udp, { answer, rates: new HostRateLimiter(clock, DNS_RATES), log });
  try {
    await bound({ host, port }, udp, () => udp.bind(port, host));
  } catch (error) {
    tcp.close();
    throw error;
  }
  const onError = (error: Error): void => log.warn({ err: error }, "a socket failed");
  for (const socket of [udp, tcp]) socket.on("error", guarded(onError, onError));
  let stopping: Promise<void> | null = null;
  return { port, stop: () => (stopping ??= stopAll(udp, tcp, connections)) };
}

type Place = Pick<DnsServerParts, "host" | "port">;

async function bound(
  { host, port }: Place,
  socket: UdpSocket | Server,
  begin: () => void,
): Promise<void> {
  begin();
  try {
    await once(socket, "listening");
  } catch (cause) {
    throw listenError(cause, { host, port, option: "--listen" });
  }
}

async function stopAll(udp: UdpSocket, tcp: Server, connections: DnsConnections): Promise<void> {
  const closed = Promise.all([once(udp, "close"), once(tcp, "close")]);
  udp.close();
  tcp.close();
  connections.close();
  await closed;
}
