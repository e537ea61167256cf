/** Cancellation of work that waits: every long await in the project takes an `AbortSignal`. */
import { SvcError } from "./svcError.ts";

/** Throws `run/aborted` when the caller has cancelled. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new SvcError("run/aborted", {}, signal.reason);
}

/** Settles like `work`, or with `run/aborted` as soon as the caller cancels. The work itself goes on unseen. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    // Nobody hears how it ends, and a rejection that nobody hears ends the process.
    work.catch(() => undefined);
    return Promise.reject(new SvcError("run/aborted", {}, signal.reason));
  }
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(new SvcError("run/aborted", {}, signal.reason));
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** Resolves when the caller cancels. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/**
 * Settles like the work, which gets a signal that aborts with the first of these, and with its reason. Nothing of it stays
 * on signals that outlive the work, which `AbortSignal.any` does not promise.
 */
export async function withAnySignal<T>(
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const any = new AbortController();
  const listening = signals.map((signal) => {
    const onAbort = (): void => any.abort(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    return { signal, onAbort };
  });
  try {
    return await work(any.signal);
  } finally {
    for (const { signal, onAbort } of listening) signal.removeEventListener("abort", onAbort);
  }
}
