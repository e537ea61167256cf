/**
 * Keeps as many peers as the operator wants: dials those asked for, fills up from the address book, and asks the
 * seeders when nobody else is known (specification network 1.5).
 */
import { LIMITS } from "@svc/shared/base/limits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { AddressBook } from "../addresses/addressBook.ts";
import type { BanList } from "../addresses/banList.ts";
import { addressText, type NetAddress } from "../addresses/netAddress.ts";
import type { RemoteAddress, Wire } from "../link/wire.ts";
import type { PeerHub } from "../peers/peerHub.ts";

/** What the manager works with. */
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
  readonly isPermanent: boolean;
  attempts: number;
  /** Unix milliseconds. */
  dueMs: bigint;
};

/** The outbound side of a node. */
export class ConnectionManager {
  readonly #parts: ConnectionParts;
  readonly #requests = new Map<string, Request>();
  readonly #dialling = new Set<string>();
  readonly #stop = new AbortController();
  #wake: () => void = () => {};
  #running: Promise<void> = Promise.resolve();

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
  }

  /** Begins; the first round is at once. */
  start(): void {
    this.#running = this.#run();
  }

  /** Dials no more and gives up what is being dialled. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** Asks for a peer; a permanent one is dialled again whenever it is gone. */
  request(address: NetAddress, isPermanent: boolean): void {
    const dueMs = this.#parts.clock.nowMs();
    this.#requests.set(addressText(address), { address, isPermanent, attempts: 0, dueMs });
    this.#wake();
  }

  /** No longer asks for peers of a host. */
  withdraw(ip: string): void {
    for (const [name, { address }] of this.#requests) {
      if (address.ip === ip) this.#requests.delete(name);
    }
  }

  /** Whether the operator wants a host for good. */
  isWanted(ip: string): boolean {
    return [...this.#requests.values()].some(
      ({ address, isPermanent }) => isPermanent && address.ip === ip,
    );
  }

  /** A round before its time: a peer is gone, or addresses have come. */
  wake(): void {
    this.#wake();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const woken = new AbortController();
      this.#wake = () => woken.abort();
      await this.#round();
      const either = AbortSignal.any([signal, woken.signal]);
      await this.#parts.clock.sleep(LIMITS.p2pRoundMs, either).catch(() => undefined);
    }
  }

  async #round(): Promise<void> {
    try {
      await this.#dialRequested();
      await this.#fill();
      if (this.#missing() > 0) await this.#seed();
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      this.#parts.log.error({ err: error }, "a round of connecting failed");
    }
  }

  async #dialRequested(): Promise<void> {
    const nowMs = this.#parts.clock.nowMs();
    const due = [...this.#requests].filter(
      ([, request]) => request.dueMs <= nowMs && !this.#isLinked(request.address),
    );
    await Promise.all(due.map(([name, request]) => this.#dialRequest(name, request)));
  }

  async #dialRequest(name: string, request: Request): Promise<void> {
    const reached = await this.#dial(request.address);
    if (!request.isPermanent) {
      if (this.#requests.get(name) === request) this.#requests.delete(name);
      return;
    }
    request.attempts = reached ? 0 : request.attempts + 1;
    const factor = 2 ** Math.min(request.attempts, LIMITS.p2pRetryDoublings);
    request.dueMs = this.#parts.clock.nowMs() + BigInt(LIMITS.p2pRoundMs * factor);
  }

  /** Dials until there are enough, or nobody is left whom this round has not tried. */
  async #fill(): Promise<void> {
    const tried = new Set<string>();
    for (let missing = this.#missing(); missing > 0; missing = this.#missing()) {
      if (this.#stop.signal.aborted) return;
      const skip = (address: NetAddress): boolean =>
        tried.has(addressText(address)) || !this.#isCandidate(address);
      const picked = this.#parts.book.pick(missing, skip);
      if (picked.length === 0) return;
      for (const address of picked) tried.add(addressText(address));
      await Promise.all(picked.map((address) => this.#dial(address)));
    }
  }

  async #seed(): Promise<void> {
    const { askSeeders, book, log } = this.#parts;
    if (askSeeders === null) return;
    try {
      const wanted = LIMITS.p2pSeedFactor * this.#missing();
      const addresses = await askSeeders(wanted, this.#stop.signal);
      if (addresses.length === 0) return;
      book.add(addresses);
      await this.#fill();
    } catch (error) {
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
      await hub.take(await dial(address, this.#stop.signal));
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

  /** Hosts that are neither peers nor banned; those asked for are dialled as such. */
  #isCandidate(address: NetAddress): boolean {
    const { bans, hub } = this.#parts;
    const isHost = hub.peers.some(({ link }) => link.remote.ip === address.ip);
    return !isHost && !bans.has(address.ip) && !this.isWanted(address.ip);
  }
}
