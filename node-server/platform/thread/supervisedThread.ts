/**
 * A supervised worker thread: its owner hears its messages, and why it ended when it was to run. The owner decides whether another
 * one takes its place (`start` again).
 */
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";
import type { Thread } from "./thread.ts";

/** The last message of a thread that failed. */
export type FailedReport = { readonly kind: "failed"; readonly error: ErrorJson };

/** Dependencies of a supervised thread. */
export type Supervision<Request, Report> = {
  /** Starts a thread; null where there is none to start. */
  readonly spawn: (() => Thread<Request, Report | FailedReport>) | null;
  /** The message that asks it to end in good order. */
  readonly stop: Request;
  /** Hears every message but the last one of a thread that failed. */
  readonly onReport: (report: Report) => void;
  /** It ended though nobody asked it to: with the failure that it told of, else with how it ended. */
  readonly onLost: (error: SvcError) => void;
  /** It was asked to end, and failed on the way. */
  readonly onUncleanEnd?: (error: SvcError) => void;
  /** Whether messages are heard until a thread that was asked to end is gone: calls that wait still get their answers. */
  readonly hearsToTheEnd?: boolean;
};

/** At most one running thread. */
export class SupervisedThread<Request, Report extends { readonly kind: string }> {
  readonly #parts: Supervision<Request, Report>;
  #thread: Thread<Request, Report | FailedReport> | null = null;

  constructor(parts: Supervision<Request, Report>) {
    this.#parts = parts;
  }

  /** Whether a thread runs that nobody has asked to end. */
  get isRunning(): boolean {
    return this.#thread !== null;
  }

  /** Starts a thread, where there is one to start; the one before has ended or was asked to. */
  start(): void {
    const { spawn, onReport, onLost, onUncleanEnd, hearsToTheEnd = false } = this.#parts;
    if (spawn === null) return;
    const thread = spawn();
    this.#thread = thread;
    let failure: SvcError | null = null;
    thread.onMessage((report) => {
      if (isFailed(report)) failure = SvcError.fromJson(report.error);
      else if (hearsToTheEnd || this.#thread === thread) onReport(report);
    });
    thread.onExit((error) => {
      if (this.#thread === thread) {
        this.#thread = null;
        onLost(failure ?? error);
      } else if (failure !== null) onUncleanEnd?.(failure);
    });
  }

  /** Sends a message; without a running thread it is dropped. `moved` buffers leave this thread. */
  post(request: Request, moved: readonly ArrayBuffer[] = []): void {
    this.#thread?.post(request, moved);
  }

  /** Asks the thread to end, and ends it after `waitMs` at the latest. Resolves when it is gone; without one, at once. */
  async close(waitMs: number): Promise<void> {
    const thread = this.#thread;
    // Its end is expected from here on.
    this.#thread = null;
    thread?.post(this.#parts.stop);
    await thread?.end(waitMs);
  }
}

function isFailed(report: { readonly kind: string }): report is FailedReport {
  return report.kind === "failed";
}
