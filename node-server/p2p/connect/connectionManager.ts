/**
 * Connection manager (dialling): keeps as many outbound peers as the operator wants. It dials the peers asked for, fills up
 * from the address book, and asks the seeders when nobody else is known (specification network 1.5).
 *
 * A round does a bounded number of dials, a few at a time, and prefers neighbourhoods where there is no peer yet, so that
 * whoever owns one does not own all our peers.
 */
import { forEachConcurrent } from "@svc/shared/base/forEachConcurrent.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { Log } from "../../platform/log/log.ts";
import type { AddressBook } from "../addresses/addressBook.ts";
import type { BanList } from "../addresses/banList.ts";
import {
  addressText,
  bucketOf,
  hostOf,
  isName,
  isRoutable,
  type NetAddress,
} from "../../platform/net/netAddress.ts";

import type { RemoteAddress, Wire } from "../link/wire.ts";
import type { PeerHub } from "../peers/peerHub.ts";

/** Dependencies of the connection manager. */
export type ConnectionParts = {
  readonly hub: Pick<PeerHub, "take" | "peers">;
  readonly book: AddressBook;
  readonly bans: BanList;
  readonly dial: (remote: RemoteAddress, signal: AbortSignal) => Promise<Wire>;
  /** Addresses from the seeders, about as many as asked for; null where none are to be asked. */
  readonly askSeeders: ((count: number, signal: AbortSignal) => Promise<NetAddress[]>) | null;
  /** Outbound peers beside those asked for. */
  readonly outbound: number;
  readonly clock: Clock;
  readonly log: Log;
};

/** A host that was asked for. */
type Request = {
  readonly address: NetAddress;
  readonly host: string;
  readonly isPermanent: boolean;
  attempts: number;
  /** Unix milliseconds. */
  dueMs: bigint;
};

/** Dials peers and keeps the number of outbound connections up. */
export class ConnectionManager {
  readonly #parts: ConnectionParts;
  readonly #requests = new Map<string, Request>();
  readonly #dialling = new Set<string>();
  readonly #stop = new AbortController();
  /** Dials beside the rounds. */
  readonly #hurried = new Set<Promise<void>>();
  #wake: () => void = () => {};
  #isStarted = false;
  #seedDueMs: bigint;
  #running: Promise<void> = Promise.resolve();

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.#seedDueMs = parts.clock.steadyMs();
  }

  /** Begins; the first round is at once. */
  start(): void {
    this.#isStarted = true;
    this.#running = this.#run();
  }

  /** Dials no more and gives up what is being dialled. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#wake();
    await this.#running;
    await Promise.all(this.#hurried);
  }

  /**
   * Asks for a peer, which is dialled at once, whatever a round is busy with: operators wait for it. A permanent one is
   * dialled again whenever it is gone. Throws `queue/full`.
   */
  request(address: NetAddress, isPermanent: boolean): void {
    const dueMs = this.#parts.clock.steadyMs();
    const [name, limit] = [addressText(address), P2P_LIMITS.p2pRequests];
    if (this.#requests.size >= limit && !this.#requests.has(name)) {
      throw new SvcError("queue/full", { queue: "requested peers", limit });
    }
    const host = hostOf(address.ip);
    // Asking once more for somebody who is wanted for good does not change that.
    const isForGood = isPermanent || this.#requests.get(name)?.isPermanent === true;
    const request = { address, host, isPermanent: isForGood, attempts: 0, dueMs };
    this.#requests.set(name, request);
    if (!this.#isStarted || this.#stop.signal.aborted) return;
    const dialled = this.#dialRequest(name, request)
      .catch((error: unknown) => {
        this.#parts.log.error({ err: error }, "a peer that was asked for could not be dialled");
      })
      .finally(() => this.#hurried.delete(dialled));
    this.#hurried.add(dialled);
  }

  /** No longer asks for peers of a host. */
  withdraw(ip: string): void {
    for (const [name, { address }] of this.#requests) {
      if (address.ip === ip) this.#requests.delete(name);
    }
  }

  /** Whether the operator wants a host for good. */
  isWanted(ip: string): boolean {
    const host = hostOf(ip);
    return [...this.#requests.values()].some(
      (request) => request.isPermanent && request.host === host,
    );
  }

  /** Whether more peers may be there soon: one that was asked for is missing, or places are free and addresses known. */
  get isLooking(): boolean {
    const { askSeeders, book } = this.#parts;
    const isMissed = [...this.#requests.values()].some(({ address }) => !this.#isLinked(address));
    const mayFill = this.#missing() > 0 && (askSeeders !== null || book.size > 0);
    return isMissed || mayFill || this.#dialling.size > 0;
  }

  /** A round before its time: a peer is gone, or addresses have come. There is a pause before it all the same. */
  wake(): void {
    this.#wake();
  }

  async #run(): Promise<void> {
    const { clock } = this.#parts;
    while (!this.#stop.signal.aborted) {
      const woken = new AbortController();
      this.#wake = () => woken.abort();
      await this.#round();
      const nextMs = clock.steadyMs() + BigInt(P2P_LIMITS.p2pRoundMs);
      await clock.sleep(P2P_LIMITS.p2pWakePauseMs, this.#stop.signal).catch(() => undefined);
      const restMs = Number(nextMs - clock.steadyMs());
      if (restMs > 0) await clock.sleep(restMs, woken.signal).catch(() => undefined);
    }
  }

  async #round(): Promise<void> {
    try {
      for (const remote of this.#outbound()) this.#parts.book.succeeded(remote);
      await this.#dialRequested();
      const tried = new Set<string>();
      await this.#fill(tried);
      if (this.#missing() > 0) await this.#seed(tried);
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      this.#parts.log.error({ err: error }, "a round of connecting failed");
    }
  }

  async #dialRequested(): Promise<void> {
    const nowMs = this.#parts.clock.steadyMs();
    const due = [...this.#requests].filter(
      ([name, { dueMs, address }]) =>
        dueMs <= nowMs && !this.#dialling.has(name) && !this.#isLinked(address),
    );
    await forEachConcurrent(due, P2P_LIMITS.p2pDialsAtOnce, ([name, request]) =>
      this.#dialRequest(name, request),
    );
  }

  async #dialRequest(name: string, request: Request): Promise<void> {
    const { address } = request;
    const reached = !this.#isLinked(address) && (await this.#dial(address));
    if (!request.isPermanent) {
      if (this.#requests.get(name) === request) this.#requests.delete(name);
      return;
    }
    request.attempts = reached ? 0 : request.attempts + 1;
    const factor = 2 ** Math.min(request.attempts, P2P_LIMITS.p2pRetryDoublings);
    request.dueMs = this.#parts.clock.steadyMs() + BigInt(P2P_LIMITS.p2pRoundMs * factor);
  }

  /** Dials until there are enough, or nobody is left whom this round may try. */
  async #fill(tried: Set<string>): Promise<void> {
    const { bans, book } = this.#parts;
    const known = this.#knownHosts();
    const skip = (address: NetAddress): boolean =>
      known.has(hostOf(address.ip)) || bans.has(address.ip) || tried.has(addressText(address));
    const chosen =
      this.#missing() > 0 ? book.pick(P2P_LIMITS.p2pDialsPerRound - tried.size, skip) : [];
    const inFlight = new Set<NetAddress>();
    const dialOn = async (): Promise<void> => {
      while (this.#missing() > inFlight.size && !this.#stop.signal.aborted) {
        const address = takeNext(chosen, [...this.#outbound(), ...inFlight]);
        if (address === undefined) return;
        tried.add(addressText(address));
        inFlight.add(address);
        await this.#dial(address);
        inFlight.delete(address);
      }
    };
    const atOnce = Math.max(0, Math.min(this.#missing(), P2P_LIMITS.p2pDialsAtOnce));
    await Promise.all(Array.from({ length: atOnce }, dialOn));
  }

  async #seed(tried: Set<string>): Promise<void> {
    const { askSeeders, book, clock, log } = this.#parts;
    const nowMs = clock.steadyMs();
    if (askSeeders === null || this.#stop.signal.aborted || nowMs < this.#seedDueMs) return;
    this.#seedDueMs = nowMs + BigInt(P2P_LIMITS.p2pSeedPauseMs);
    try {
      const wanted = P2P_LIMITS.p2pSeedFactor * this.#missing();
      const addresses = await askSeeders(wanted, this.#stop.signal);
      if (addresses.length === 0) return;
      book.add(addresses.filter(({ ip }) => !isName(ip)));
      // A proxy knows where a name leads: to one of the network's nodes, which is asked for addresses.
      for (const address of addresses) {
        const isDialled = isName(address.ip) && this.#missing() > 0 && !this.#isLinked(address);
        if (isDialled && !this.#stop.signal.aborted) await this.#dial(address);
      }
      await this.#fill(tried);
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      log.warn({ err: error }, "the seeders did not answer");
    }
  }

  /** Dials and shakes hands. False when there is no peer in the end. */
  async #dial(address: NetAddress): Promise<boolean> {
    const { book, dial, hub, log } = this.#parts;
    const name = addressText(address);
    if (this.#dialling.has(name)) return false;
    this.#dialling.add(name);
    try {
      const { signal } = this.#stop;
      await hub.take(await dial(address, signal), signal);
      book.succeeded(address);
      return true;
    } catch (error) {
      const fault = SvcError.from(error);
      log.debug({ err: fault, address: name }, "a peer could not be reached");
      if (this.#stop.signal.aborted) return false;
      if (fault.code === "p2p/own-connection") book.forget(address.ip);
      // Whoever is linked already can be reached all the same.
      else if (fault.code !== "p2p/duplicate-connection") book.failed(address);
      return false;
    } finally {
      this.#dialling.delete(name);
    }
  }

  #outbound(): NetAddress[] {
    const { peers } = this.#parts.hub;
    return peers.filter(({ link }) => link.isOutbound).map(({ link }) => link.remote);
  }

  #missing(): number {
    const own = this.#outbound().filter(({ ip }) => !this.isWanted(ip));
    return this.#parts.outbound - own.length;
  }

  #isLinked({ ip, port }: NetAddress): boolean {
    return this.#outbound().some((remote) => remote.ip === ip && remote.port === port);
  }

  /** Hosts that are peers already, or are dialled because they were asked for. */
  #knownHosts(): Set<string> {
    const requested = [...this.#requests.values()].filter(({ isPermanent }) => isPermanent);
    const peers = this.#parts.hub.peers.map(({ link }) => hostOf(link.remote.ip));
    return new Set([...peers, ...requested.map(({ host }) => host)]);
  }
}

/**
 * Takes the first address of a neighbourhood where nobody is, else of one that may have another peer. In a private network
 * there is but one neighbourhood.
 */
function takeNext(chosen: NetAddress[], busy: readonly NetAddress[]): NetAddress | undefined {
  const hosts = new Set(busy.map(({ ip }) => hostOf(ip)));
  const inBucket = new Map<string, number>();
  for (const { ip } of busy) {
    const bucket = bucketOf(ip);
    inBucket.set(bucket, (inBucket.get(bucket) ?? 0) + 1);
  }
  const neighbours = (ip: string): number =>
    isRoutable(ip) ? (inBucket.get(bucketOf(ip)) ?? 0) : 0;
  for (let most = 0; most < P2P_LIMITS.p2pOutboundPerBucket; most += 1) {
    const at = chosen.findIndex(({ ip }) => !hosts.has(hostOf(ip)) && neighbours(ip) <= most);
    if (at !== -1) return chosen.splice(at, 1)[0];
  }
  return undefined;
}
