/** Timeouts: runs work that may take only so long. */
import { withAnySignal } from "@svc/shared/base/abort.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Clock } from "./clock.ts";

/** The timeout, the work's name in the error, and who may cancel it. */
export type TimeBound = {
  readonly waitMs: number;
  readonly what: string;
  readonly signal: AbortSignal;
};

/** Reasons that are made once: one with a stack for each wait would cost more than the wait. */
const OVER = new SvcError("run/timeout", { what: "work", limitMs: 0 });
const DONE = new SvcError("run/aborted", {});

/**
 * Settles like the work, which gets a signal that aborts at the timeout or when the caller cancels, and one that aborts at the timeout
 * alone. Rejects with `run/timeout` when the time is over, whatever the work then says.
 */
export async function withinMs<T>(
  clock: Pick<Clock, "sleep">,
  { waitMs, what, signal }: TimeBound,
  work: (signal: AbortSignal, over: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const done = new AbortController();
  const timer = clock.sleep(waitMs, done.signal).then(
    () => limit.abort(OVER),
    () => undefined,
  );
  try {
    return await withAnySignal([signal, limit.signal], (either) => work(either, limit.signal));
  } catch (error) {
    if (!limit.signal.aborted || signal.aborted) throw error;
    throw new SvcError("run/timeout", { what, limitMs: waitMs });
  } finally {
    done.abort(DONE);
    await timer;
  }
}
