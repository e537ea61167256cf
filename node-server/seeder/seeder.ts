/** The seeder: crawls the network, keeps what it learns, and answers DNS queries for addresses of nodes. */
import { SEEDER_LIMITS } from "./seederLimits.ts";
import { P2P_LIMITS } from "../p2p/p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { isOneHost, isRoutable, type NetAddress } from "../platform/net/netAddress.ts";
import type { AskSeeders } from "../p2p/connect/askSeeders.ts";
import type { Clock } from "../platform/time/clock.ts";
import type { Log } from "../platform/log/log.ts";
import { Crawler } from "./crawler.ts";
import { startDnsServer, type DnsServer } from "./dnsServer.ts";
import { answerQuery, type ZoneNames } from "./dnsZone.ts";
import { NodeBook } from "./nodeBook.ts";
import { readNodeFile, writeNodeFile } from "./nodeFile.ts";
import { NodeSample } from "./nodeSample.ts";
import { probePeer, type ProbeParts } from "./probePeer.ts";

/** Dependencies and settings of a seeder. */
export type SeederParts = Pick<ProbeParts, "dial" | "own" | "digest"> & {
  readonly zone: ZoneNames;
  /** Where questions come to; port 0 lets the system choose. */
  readonly listen: { readonly host: string; readonly port: number };
  /** Of the nodes that are named: those who ask learn no port. */
  readonly port: number;
  /** On a public network addresses that only neighbours reach are of no use. */
  readonly publicOnly: boolean;
  /** Nodes to begin with, which are tried for ever. */
  readonly peers: readonly NetAddress[];
  /** Other seeders, asked while no node is known that answers. */
  readonly askSeeders: AskSeeders | null;
  /** The file of the nodes; null keeps them in memory. */
  readonly path: string | null;
  /** At least 0 and below 1, nobody knows which. */
  readonly random: () => number;
  readonly clock: Clock;
  readonly log: Log;
};

/** A running seeder. */
export type Seeder = {
  /** Where it answers. */
  readonly port: number;
  readonly book: Pick<NodeBook, "size" | "isLost" | "reliable">;
  /** Ends it and writes down what it knows. Calling it again waits for the same stop. */
  stop(): Promise<void>;
};

/** Starts a seeder. Rejects with `store/corrupt` and `node/port-in-use`. */
export async function startSeeder(parts: SeederParts): Promise<Seeder> {
  const { zone, listen, clock, log, path } = parts;
  const book = new NodeBook({
    peers: parts.peers,
    isOfUse: ({ ip }) => (parts.publicOnly ? isRoutable(ip) : isOneHost(ip)),
    random: parts.random,
  });
  const startMs = Number(clock.nowMs());
  if (path !== null) book.restore(await readNodeFile(path), startMs);
  book.addPeers(startMs);
  const nodes = listOf(book, parts);
  const dns = await startDnsServer({
    ...listen,
    answer: (message, room) => answerQuery(message, room, { ...zone, nodes, random: parts.random }),
    clock,
    log,
  });
  const crawler = new Crawler({
    book,
    probe: (address, signal) => probePeer(address, parts, signal),
    clock,
    log,
  });
  const stopping = new AbortController();
  const chores = Promise.all([
    findSomebody(book, parts, stopping.signal),
    saveNowAndThen(book, parts, stopping.signal),
  ]);
  crawler.start();
  let stopped: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    stopping.abort();
    await stopAll(dns, crawler, chores);
    if (path !== null) await writeNodeFile(path, book.nodes());
  };
  return { port: dns.port, book, stop: () => (stopped ??= stop()) };
}

async function stopAll(dns: DnsServer, crawler: Crawler, chores: Promise<unknown>): Promise<void> {
  await Promise.all([dns.stop(), crawler.stop(), chores]);
}

/** The nodes to name, looked up anew after a while: a question must cost little. */
function listOf(book: NodeBook, { port, clock }: SeederParts): () => NodeSample {
  let list = new NodeSample([]);
  let madeMs: number | null = null;
  return () => {
    const steadyMs = Number(clock.steadyMs());
    if (madeMs === null || steadyMs - madeMs >= SEEDER_LIMITS.seederListMs) {
      list = new NodeSample(book.reliable(port, Number(clock.nowMs())));
      madeMs = steadyMs;
    }
    return list;
  };
}

/** Begins anew whenever nobody is left who may answer: the network may have been away, or this machine. */
async function findSomebody(
  book: NodeBook,
  { askSeeders, clock, log }: SeederParts,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    book.addPeers(Number(clock.nowMs()));
    if (askSeeders !== null && book.isLost) {
      try {
        const found = await askSeeders(P2P_LIMITS.p2pSeedAnswers, signal);
        book.add(found, null, Number(clock.nowMs()));
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, "the other seeders did not answer");
      }
    }
    await clock.sleep(P2P_LIMITS.p2pSeedPauseMs, signal).catch(() => undefined);
  }
}

async function saveNowAndThen(
  book: NodeBook,
  { path, clock, log }: SeederParts,
  signal: AbortSignal,
): Promise<void> {
  if (path === null) return;
  for (;;) {
    try {
      await clock.sleep(SEEDER_LIMITS.seederSaveMs, signal);
    } catch {
      return;
    }
    try {
      await writeNodeFile(path, book.nodes());
    } catch (error) {
      log.error({ err: SvcError.from(error) }, "the nodes could not be written down");
    }
  }
}
