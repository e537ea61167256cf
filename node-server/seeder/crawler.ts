/** The crawler: probes the nodes that a seeder knows, again and again, and learns of others from them. */
import { setMaxListeners } from "node:events";
import { forEachConcurrent } from "@svc/shared/base/forEachConcurrent.ts";
import { SEEDER_LIMITS } from "./seederLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { addressText, type NetAddress } from "../platform/net/netAddress.ts";
import type { Clock } from "../platform/time/clock.ts";
import type { Log } from "../platform/log/log.ts";
import type { NodeBook } from "./nodeBook.ts";

/** Dependencies of the crawler. */
export type CrawlerParts = {
  readonly book: NodeBook;
  /** Resolves with addresses when a node is there. */
  readonly probe: (address: NetAddress, signal: AbortSignal) => Promise<NetAddress[]>;
  readonly clock: Clock;
  readonly log: Log;
};

/** Probes nodes until it is stopped. */
export class Crawler {
  readonly #parts: CrawlerParts;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(parts: CrawlerParts) {
    this.#parts = parts;
    // Each probe under way hears of the stop.
    setMaxListeners(SEEDER_LIMITS.seederTriesAtOnce + 1, this.#stop.signal);
  }

  /** Begins. */
  start(): void {
    this.#running = this.#run();
  }

  /** Tries nobody any more and gives up what is under way. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { book, clock } = this.#parts;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const due = book.due(Number(clock.nowMs()), SEEDER_LIMITS.seederTriesPerRound);
      await forEachConcurrent(due, SEEDER_LIMITS.seederTriesAtOnce, (address) =>
        this.#try(address),
      );
      if (due.length > 0) continue;
      await clock.sleep(SEEDER_LIMITS.seederIdleMs, signal).catch(() => undefined);
    }
  }

  async #try(address: NetAddress): Promise<void> {
    const { book, probe, clock, log } = this.#parts;
    const { signal } = this.#stop;
    if (signal.aborted) return;
    const name = addressText(address);
    try {
      const found = await probe(address, signal);
      const nowMs = Number(clock.nowMs());
      book.tried(address, true, nowMs);
      book.add(found, address.ip, nowMs);
      log.debug({ address: name, found: found.length, nodes: book.size }, "a node answered");
    } catch (error) {
      if (signal.aborted) return;
      const fault = SvcError.from(error);
      log.debug({ err: fault, address: name }, "a node did not answer");
      if (fault.code === "p2p/own-connection") book.forget(address);
      else book.tried(address, false, Number(clock.nowMs()));
    }
  }
}
