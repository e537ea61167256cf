/** Scan threads: find the notes of many viewing keys in pages of records, beside the thread that serves. */
import type { SvcError } from "@svc/shared/base/svcError.ts";
import { pageSlice } from "@svc/shared/wallet/state/chainView.ts";
import {
  joinedIncoming,
  readIncomingFacts,
  type IncomingFacts,
} from "@svc/shared/wallet/state/incomingFacts.ts";
import type { RecordPage } from "@svc/shared/wallet/state/ports.ts";
import {
  joinedFacts,
  readKeyedFacts,
  type KeyedFacts,
} from "@svc/shared/wallet/state/scanFacts.ts";
import type { Log } from "../platform/log/log.ts";
import { siblingModule } from "../platform/thread/siblingModule.ts";
import { startThread, type Thread } from "../platform/thread/thread.ts";
import { ThreadRpc } from "../platform/thread/threadRpc.ts";
import type { KeySet } from "./keySets.ts";
import { SCANNING_LIMITS } from "./scanningLimits.ts";
import type { KeyKind, ScanCall, ScanReport, ScanRequest, ScanWorkerData } from "./scanMessages.ts";

/** A set of keys as a scanner needs it. */
export type ScannedSet = Pick<KeySet<unknown>, "id" | "keys">;

/** A scanner of full viewing keys: tries sets of them on a page. */
export interface KeyScanPort {
  /**
   * The facts of a page, one entry for each set. Errors follow from the page alone (`codec/…`, `wallet/bad-page`,
   * `shielded/…`), or from this machine (`engine/restarted`, `node/stopping`, `run/aborted`).
   */
  scan(
    page: RecordPage,
    sets: readonly ScannedSet[],
    signal: AbortSignal,
  ): Promise<readonly KeyedFacts[]>;
}

/** A scanner of incoming viewing keys: tries sets of them on a page. */
export interface IncomingScanPort {
  /** The facts of a page, one entry for each set. Errors as of `KeyScanPort.scan`. */
  scanIncoming(
    page: RecordPage,
    sets: readonly ScannedSet[],
    signal: AbortSignal,
  ): Promise<readonly IncomingFacts[]>;
}

/** Settings of the threads. */
export type ScanThreadOptions = {
  /** Canonical JSON of the network profile. */
  readonly profileJson: string;
  readonly threads: number;
  readonly log: Log;
};

type Rpc = ThreadRpc<{ readonly call: ScanCall }, { readonly json: string }>;

/**
 * A fixed number of scan threads. A short page goes to one thread for each set of keys, always the same one, which has the set
 * prepared. A long one is cut, and each thread has its part: so they work together also for few keys.
 */
export class ScanThreads implements KeyScanPort, IncomingScanPort {
  readonly #threads: readonly Rpc[];

  /** Starts the threads; one that fails is replaced a bounded number of times. */
  constructor({ profileJson, threads, log }: ScanThreadOptions) {
    const data: ScanWorkerData = { profileJson };
    const spawn = (): Thread<ScanRequest, ScanReport> =>
      startThread(siblingModule("scanWorker", import.meta.url), data);
    this.#threads = Array.from({ length: Math.max(1, threads) }, () => {
      const limit = SCANNING_LIMITS.callsWaiting;
      const onFailure = (err: SvcError, failures: number): boolean => {
        log.error({ err, failures }, "a scan thread failed");
        return true;
      };
      const rpc: Rpc = new ThreadRpc({ name: "scan", limit, spawn, onFailure });
      rpc.start();
      return rpc;
    });
  }

  scan(
    page: RecordPage,
    sets: readonly ScannedSet[],
    signal: AbortSignal,
  ): Promise<readonly KeyedFacts[]> {
    const read = (parts: readonly string[]) => joinedFacts(parts.map(readKeyedFacts));
    return this.#ask("full", page, { sets, read, signal });
  }

  scanIncoming(
    page: RecordPage,
    sets: readonly ScannedSet[],
    signal: AbortSignal,
  ): Promise<readonly IncomingFacts[]> {
    const read = (parts: readonly string[]) => joinedIncoming(parts.map(readIncomingFacts));
    return this.#ask("incoming", page, { sets, read, signal });
  }

  /** For each set what `read` makes of the answers about the parts of the page. */
  async #ask<Facts>(
    kind: KeyKind,
    page: RecordPage,
    asked: {
      readonly sets: readonly ScannedSet[];
      readonly read: (parts: readonly string[]) => Facts;
      readonly signal: AbortSignal;
    },
  ): Promise<readonly Facts[]> {
    const parts = this.#partsOf(page, asked.sets.length);
    const answers = asked.sets.map(async ({ id, keys }) => {
      const calls = parts.map(({ body, count }, part) => {
        const thread = this.#threads[(id + part) % this.#threads.length];
        if (thread === undefined) throw new TypeError("there is at least one thread");
        return thread.call({ call: { set: id, kind, keys, body, count } }, asked.signal);
      });
      return asked.read((await Promise.all(calls)).map(({ json }) => json));
    });
    return Promise.all(answers);
  }

  /** The parts of a page that as many sets are to be tried on. */
  #partsOf(page: RecordPage, sets: number): readonly RecordPage[] {
    const most = Math.floor(page.count / SCANNING_LIMITS.partBlocks);
    const parts = Math.max(1, Math.min(this.#threads.length, most));
    const cuts = Array.from({ length: parts + 1 }, (_, part) =>
      Math.round((part * page.count) / parts),
    );
    const whole = parts * sets > 1 ? sharedPage(page) : page;
    return cuts.slice(1).map((to, part) => pageSlice(whole, cuts[part] ?? 0, to));
  }

  /** Ends the threads. Calling it again does nothing. */
  async stop(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.stop()));
  }
}

/** The page in memory that all threads see: it is copied once, not with each call. */
function sharedPage(page: RecordPage): RecordPage {
  const body = new Uint8Array(new SharedArrayBuffer(page.body.length));
  body.set(page.body);
  return { ...page, body };
}
