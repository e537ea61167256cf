/**
 * Prepare jobs: payments that are prepared for a device while nobody waits for the answer. The answer is kept with the job; its session
 * lives as long as any other, so a job that a former run of the program left has failed.
 */
import type { TimestampMs } from "@svc/shared/base/brand.ts";
import { jsonText } from "@svc/shared/base/jsonText.ts";
import { stableJson } from "@svc/shared/base/stableJson.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Log } from "../../platform/log/log.ts";
import type { WalletToken } from "../keys/walletToken.ts";
import { hasEnded, type JobRow } from "../store/jobTable.ts";
import type { WalletStore } from "../store/walletStore.ts";
import type { PrepareRequest } from "./prepareOrder.ts";
import type { PreparedBody, PreparedSessions } from "./preparedSessions.ts";

/** Dependencies of the jobs. */
export type PrepareJobsParts = {
  readonly sessions: Pick<PreparedSessions, "begin">;
  readonly store: Pick<WalletStore, "commit" | "jobs">;
  readonly clock: { nowMs(): TimestampMs };
  readonly log: Log;
  /** 16 random bytes as hex. */
  readonly newId: () => string;
};

/** The kind of these jobs in the table. */
const PROVE = "prove";

type LiveJob = {
  readonly token: WalletToken;
  readonly cancel: AbortController;
  readonly ended: Promise<void>;
};
type End = Pick<JobRow, "state" | "answer" | "error">;

/** Runs the jobs of all wallets. */
export class PrepareJobs {
  readonly #parts: PrepareJobsParts;
  readonly #live = new Map<string, LiveJob>();

  constructor(parts: PrepareJobsParts) {
    this.#parts = parts;
  }

  /** Begins a job; resolves with its id when the request is checked. Rejects as `PreparedSessions.begin` does, and with the store's errors. */
  async begin(token: WalletToken, request: PrepareRequest): Promise<string> {
    const { sessions, newId } = this.#parts;
    const cancel = new AbortController();
    const { prepared } = await sessions.begin(token, request, cancel.signal);
    const id = newId();
    try {
      this.#add(id, token, request);
    } catch (error) {
      cancel.abort();
      throw error;
    }
    const ended = this.#finish(id, prepared, cancel.signal);
    this.#live.set(id, { token, cancel, ended });
    return id;
  }

  /** Cancels a job of a wallet and resolves when it has ended; false where it is none that is at work. */
  async cancel(token: WalletToken, id: string): Promise<boolean> {
    const live = this.#live.get(id);
    if (live?.token !== token) return false;
    live.cancel.abort();
    await live.ended;
    return true;
  }

  /** What a former run of the program began has failed. Throws the store's errors. */
  failInterrupted(): void {
    const { jobs } = this.#parts.store;
    const open = [...jobs.inState("running")].filter(({ kind }) => kind === PROVE);
    const error = new SvcError("wallet/no-session", {}).toJSON();
    for (const { id } of open) this.#end(id, { state: "failed", answer: null, error });
  }

  /** Cancels all of them. Harmless when repeated. */
  async stop(): Promise<void> {
    const live = [...this.#live.values()];
    for (const { cancel } of live) cancel.abort();
    await Promise.all(live.map(({ ended }) => ended));
  }

  #add(id: string, token: WalletToken, request: PrepareRequest): void {
    const { store, clock } = this.#parts;
    const nowMs = clock.nowMs();
    // The key is the wallet's own, and who asked is known by the session: neither is for the table.
    const { fvk: _, by: __, ...asked } = request;
    const row: JobRow = {
      id,
      token,
      kind: PROVE,
      request: stableJson(asked),
      phase: "proving",
      done: 0,
      total: 1,
      createdMs: nowMs,
      updatedMs: nowMs,
      state: "running",
      answer: null,
      error: null,
    };
    store.commit((batch) => store.jobs.put(batch, row));
  }

  async #finish(id: string, prepared: Promise<PreparedBody>, signal: AbortSignal): Promise<void> {
    const end = await prepared.then(
      (body): End => ({ state: "done", answer: jsonText(body), error: null }),
      (thrown: unknown): End => ({
        state: signal.aborted ? "cancelled" : "failed",
        answer: null,
        error: SvcError.from(thrown).toJSON(),
      }),
    );
    try {
      this.#end(id, end);
    } catch (thrown) {
      this.#parts.log.warn(
        { job: id, err: SvcError.from(thrown) },
        "the end of a job was not stored",
      );
    } finally {
      this.#live.delete(id);
    }
  }

  #end(id: string, end: End): void {
    const { store, clock } = this.#parts;
    store.commit((batch) => {
      const row = store.jobs.get(id, batch);
      if (row === undefined || hasEnded(row)) return;
      const done = end.state === "done" ? 1 : 0;
      store.jobs.put(batch, { ...row, ...end, phase: "", done, updatedMs: clock.nowMs() });
    });
  }
}
