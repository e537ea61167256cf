/** Cancelling work that waits: every long await in the project takes an `AbortSignal`. */
import { SvcError } from "./svcError.ts";

/** Throws `run/aborted` when the caller has cancelled. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new SvcError("run/aborted", {}, signal.reason);
}

/** Settles like `work`, or with `run/aborted` as soon as the caller cancels. The work itself goes on unseen. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(new SvcError("run/aborted", {}, signal.reason));
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
