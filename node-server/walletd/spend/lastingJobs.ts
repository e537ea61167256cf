/**
 * Jobs that spend nothing and last: a wallet that is scanned again, a payment that is prepared for a device. A job is stored when
 * it is begun, goes on after a start from what its work can tell of itself, and is stored when it ends.
 */
import type { TimestampMs } from "@svc/shared/base/brand.ts";
import { asTimestampMs } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Log } from "../../platform/log/log.ts";
import { anchored, type Clock } from "../../platform/time/clock.ts";
import { asWalletToken, type WalletToken } from "../keys/walletToken.ts";
import { hasEnded, type JobKind, type JobRow } from "../store/jobTable.ts";
import type { WalletStore } from "../store/walletStore.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import type { OpenWallet } from "../wallets/openWallet.ts";
import type { OpenWallets } from "../wallets/openWallets.ts";
import type { JobView } from "./jobView.ts";

/** The kinds of jobs. */
export type LastingKind = Extract<JobKind, "prove" | "rescan">;

/** How far work is: parts that are done of this phase, and all of them; 0 of 0 where nobody knows. */
export type LastingProgress = {
  readonly phase: string;
  readonly done: number;
  readonly total: number;
};

/** A job as its work sees it. */
export type LastingJob = {
  readonly open: OpenWallet;
  readonly request: string;
  /** The phase that a run before this one came to. */
  readonly phase: string;
  /** A new phase is stored before this returns. Throws the store's errors. */
  readonly tell: (progress: LastingProgress) => void;
};

/** Work of one kind. */
export type LastingWork = {
  /** Does it; resolves with what is kept of it. The signal fires for a job that is cancelled, and when the program ends. */
  readonly run: (job: LastingJob, signal: AbortSignal) => Promise<string>;
  /** The JSON of the answer, from what is kept; null when it is gone. */
  readonly answerOf: (token: WalletToken, kept: string) => string | null;
  /** Puts back what a cancelled job began to change. */
  readonly undo: (open: OpenWallet) => Promise<void>;
};

/** Dependencies of the jobs. */
export type LastingJobsParts = {
  readonly store: Pick<WalletStore, "commit" | "jobs">;
  readonly wallets: Pick<OpenWallets, "open">;
  readonly works: Readonly<Record<LastingKind, LastingWork>>;
  readonly clock: Clock;
  readonly log: Log;
  /** 16 random bytes as hex. */
  readonly newId: () => string;
};

type Live = {
  readonly token: WalletToken;
  readonly kind: LastingKind;
  readonly cancel: AbortController;
  readonly ended: Promise<void>;
  progress: LastingProgress;
  /** When this phase began by the steady clock, and how much was done then. */
  since: { readonly ms: bigint; readonly done: number };
};

type JobEnd = Pick<JobRow, "state" | "answer" | "error">;

/** The jobs of all wallets. */
export class LastingJobs {
  readonly #parts: LastingJobsParts;
  readonly #wall: Pick<Clock, "nowMs">;
  readonly #live = new Map<string, Live>();
  readonly #life = new AbortController();

  constructor(parts: LastingJobsParts) {
    this.#parts = parts;
    this.#wall = anchored(parts.clock);
  }

  /**
   * Begins a job. One of the same kind of this wallet that has not ended is cancelled first. Rejects with `queue/full`,
   * `node/stopping` and the store's errors.
   */
  async begin(open: OpenWallet, kind: LastingKind, request: string): Promise<string> {
    const { store, newId } = this.#parts;
    const earlier = [...this.#live].filter(
      ([, live]) => live.token === open.token && live.kind === kind,
    );
    await Promise.all(earlier.map(([id]) => this.cancel(open.token, id)));
    if (this.#life.signal.aborted) throw new SvcError("node/stopping", {});
    const limit = WALLETD_LIMITS.lastingJobs;
    if (this.#live.size >= limit) throw new SvcError("queue/full", { queue: "jobs", limit });
    const nowMs = this.#now();
    const row: JobRow = {
      id: newId(),
      token: open.token,
      kind,
      request,
      phase: "waiting",
      done: 0,
      total: 0,
      createdMs: nowMs,
      updatedMs: nowMs,
      state: "running",
      answer: null,
      error: null,
    };
    store.commit((batch) => store.jobs.put(batch, row));
    this.#run(row, kind, open);
    return row.id;
  }

  /** A job of a wallet; null for none of these kinds. */
  view(token: WalletToken, id: string): JobView | null {
    const row = this.#rowOf(token, id);
    if (row === null) return null;
    const { kind, state, createdMs, updatedMs, error } = row;
    const work = this.#parts.works[row.kind];
    const body = row.answer === null ? null : work.answerOf(token, row.answer);
    const live = this.#live.get(id);
    const { phase, done, total } = live?.progress ?? row;
    const secondsLeft = live === undefined ? null : this.#secondsLeft(live);
    return {
      id,
      kind,
      state,
      phase,
      done,
      total,
      secondsLeft,
      createdMs,
      updatedMs,
      body,
      error,
    };
  }

  /** Cancels a job, and resolves with it when it has ended; null for none of these kinds. Rejects with `wallet/opening`. */
  async cancel(token: WalletToken, id: string): Promise<JobView | null> {
    const row = this.#rowOf(token, id);
    if (row === null) return null;
    const live = this.#live.get(id);
    if (live !== undefined) {
      live.cancel.abort();
      await live.ended;
    } else if (!hasEnded(row)) {
      throw new SvcError("wallet/opening", {});
    }
    return this.view(token, id);
  }

  /** Goes on with the jobs of a former run of the program. Resolves when those whose wallets can be opened are at work. */
  async resume(): Promise<void> {
    const { store, wallets, log } = this.#parts;
    const passOver = (id: string, err: SvcError): void =>
      log.warn({ job: id, err }, "a damaged job was not resumed");
    const rows = [...store.jobs.inState("running", passOver)].filter(isLasting);
    const resumed = rows.map(async (row) => {
      try {
        const open = await wallets.open(asWalletToken(row.token));
        // It is gone where the wallet that was opened has another key than the one that it is of.
        const isKept = store.jobs.get(row.id) !== undefined;
        if (isKept && !this.#life.signal.aborted) this.#run(row, row.kind, open);
      } catch (thrown) {
        log.warn({ job: row.id, err: SvcError.from(thrown) }, "a job was not resumed");
      }
    });
    await Promise.all(resumed);
  }

  /** Stops all jobs where they are; a start goes on with them. Harmless when repeated. */
  async stop(): Promise<void> {
    this.#life.abort();
    const running = [...this.#live.values()];
    for (const { cancel } of running) cancel.abort();
    await Promise.all(running.map(({ ended }) => ended));
  }

  #rowOf(token: WalletToken, id: string): (JobRow & { readonly kind: LastingKind }) | null {
    const row = this.#parts.store.jobs.get(id);
    return row !== undefined && row.token === token && isLasting(row) ? row : null;
  }

  #run(row: JobRow, kind: LastingKind, open: OpenWallet): void {
    const cancel = new AbortController();
    const leave = open.use();
    const { phase, done, total } = row;
    const since = { ms: this.#parts.clock.steadyMs(), done };
    const { promise, resolve } = Promise.withResolvers<void>();
    const progress = { phase, done, total };
    this.#live.set(row.id, { token: open.token, kind, cancel, ended: promise, progress, since });
    const work = this.#work(row, { kind, open, signal: cancel.signal });
    void work.finally(() => {
      this.#live.delete(row.id);
      leave();
      resolve();
    });
  }

  /** Never rejects. */
  async #work(
    row: JobRow,
    {
      kind,
      open,
      signal,
    }: { readonly kind: LastingKind; readonly open: OpenWallet; readonly signal: AbortSignal },
  ): Promise<void> {
    const { request, phase } = row;
    const work = this.#parts.works[kind];
    const tell = (progress: LastingProgress): void => this.#tell(row.id, progress);
    try {
      const kept = await work.run({ open, request, phase, tell }, signal);
      await this.#endSoon(row.id, { state: "done", answer: kept, error: null });
    } catch (thrown) {
      if (this.#life.signal.aborted) return;
      const isCancelled = signal.aborted;
      if (isCancelled) await this.#undo(work, open);
      const error = isCancelled ? new SvcError("wallet/cancelled", {}) : SvcError.from(thrown);
      const state = isCancelled ? "cancelled" : "failed";
      await this.#endSoon(row.id, { state, answer: null, error: error.toJSON() });
    }
  }

  async #undo(work: LastingWork, open: OpenWallet): Promise<void> {
    try {
      await work.undo(open);
    } catch (thrown) {
      const err = SvcError.from(thrown);
      this.#parts.log.error({ err }, "what a cancelled job began was not put back");
    }
  }

  /** Until its end is stored, or the program stops, a job is at work: it tries again and again. */
  async #endSoon(id: string, end: JobEnd): Promise<void> {
    const { clock, log } = this.#parts;
    const { signal } = this.#life;
    while (!signal.aborted) {
      try {
        this.#end(id, end);
        return;
      } catch (thrown) {
        log.error({ job: id, err: SvcError.from(thrown) }, "the end of a job was not stored");
      }
      await clock.sleep(WALLETD_LIMITS.spendRetryMs, signal).catch(() => undefined);
    }
  }

  #tell(id: string, progress: LastingProgress): void {
    const live = this.#live.get(id);
    if (live === undefined) return;
    if (live.progress.phase !== progress.phase) {
      live.since = { ms: this.#parts.clock.steadyMs(), done: progress.done };
      this.#change(id, progress);
    }
    live.progress = progress;
  }

  #end(id: string, end: JobEnd): void {
    const progress = this.#live.get(id)?.progress;
    const { done = 0, total = 0 } = progress ?? {};
    this.#change(id, { ...end, phase: "", done, total });
  }

  /** Nothing for a job that is forgotten: its wallet was replaced. */
  #change(id: string, change: Partial<JobRow>): void {
    const { store } = this.#parts;
    store.commit((batch) => {
      const row = store.jobs.get(id, batch);
      if (row !== undefined) store.jobs.put(batch, { ...row, ...change, updatedMs: this.#now() });
    });
  }

  #secondsLeft({ progress, since }: Live): number | null {
    const made = progress.done - since.done;
    if (made <= 0) return null;
    const passedMs = Number(this.#parts.clock.steadyMs() - since.ms);
    return (Math.max(0, progress.total - progress.done) * passedMs) / made / 1_000;
  }

  #now(): TimestampMs {
    return asTimestampMs(this.#wall.nowMs());
  }
}

function isLasting<R extends JobRow>(row: R): row is R & { readonly kind: LastingKind } {
  return row.kind === "rescan" || row.kind === "prove";
}
