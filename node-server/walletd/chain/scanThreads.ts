/** Scan threads: find the notes of many viewing keys in pages of records, beside the thread that serves. */
import type { SvcError } from "@svc/shared/base/svcError.ts";
import { pageSlice } from "@svc/shared/wallet/state/chainView.ts";
import type { RecordPage } from "@svc/shared/wallet/state/ports.ts";
import {
  joinedFacts,
  readKeyedFacts,
  type KeyedFacts,
} from "@svc/shared/wallet/state/scanFacts.ts";
import type { Log } from "../../platform/log/log.ts";
import { siblingModule } from "../../platform/thread/siblingModule.ts";
import { startThread, type Thread } from "../../platform/thread/thread.ts";
import { ThreadRpc } from "../../platform/thread/threadRpc.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import type { KeyOwner, KeySet } from "./keySet.ts";
import type { ScanCall, ScanReport, ScanRequest, ScanWorkerData } from "./scanMessages.ts";

/** The scanner of the daemon: tries sets of keys on a page. */
export interface KeyScanPort {
  /**
   * The facts of a page, one entry for each set. Errors follow from the page alone (`codec/…`, `wallet/bad-page`,
   * `shielded/…`), or from this machine (`engine/restarted`, `node/stopping`, `run/aborted`).
   */
  scan(
    page: RecordPage,
    sets: readonly Pick<KeySet<KeyOwner>, "id" | "keys">[],
    signal: AbortSignal,
  ): Promise<readonly KeyedFacts[]>;
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
 * prepared. A long one is cut, and each thread has its part: so they work together also for few wallets.
 */
export class ScanThreads implements KeyScanPort {
  readonly #threads: readonly Rpc[];

  /** Starts the threads; one that fails is replaced a bounded number of times. */
  constructor({ profileJson, threads, log }: ScanThreadOptions) {
    const data: ScanWorkerData = { profileJson };
    const spawn = (): Thread<ScanRequest, ScanReport> =>
      startThread(siblingModule("scanWorker", import.meta.url), data);
    this.#threads = Array.from({ length: Math.max(1, threads) }, () => {
      const limit = WALLETD_LIMITS.scanCallsWaiting;
      const onFailure = (err: SvcError, failures: number): boolean => {
        log.error({ err, failures }, "a scan thread failed");
        return true;
      };
      const rpc: Rpc = new ThreadRpc({ name: "scan", limit, spawn, onFailure });
      rpc.start();
      return rpc;
    });
  }

  async scan(
    page: RecordPage,
    sets: readonly Pick<KeySet<KeyOwner>, "id" | "keys">[],
    signal: AbortSignal,
  ): Promise<readonly KeyedFacts[]> {
    const parts = this.#partsOf(page);
    const answers = sets.map(async ({ id, keys }) => {
      const calls = parts.map(({ body, count }, part) => {
        const thread = this.#threads[(id + part) % this.#threads.length];
        if (thread === undefined) throw new TypeError("there is at least one thread");
        return thread.call({ call: { set: id, keys, body, count } }, signal);
      });
      return joinedFacts((await Promise.all(calls)).map(({ json }) => readKeyedFacts(json)));
    });
    return Promise.all(answers);
  }

  #partsOf(page: RecordPage): readonly RecordPage[] {
    const most = Math.floor(page.count / WALLETD_LIMITS.scanPartBlocks);
    const parts = Math.max(1, Math.min(this.#threads.length, most));
    const cuts = Array.from({ length: parts + 1 }, (_, part) =>
      Math.round((part * page.count) / parts),
    );
    return cuts.slice(1).map((to, part) => pageSlice(page, cuts[part] ?? 0, to));
  }

  /** Ends the threads. Calling it again does nothing. */
  async stop(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.stop()));
  }
}
