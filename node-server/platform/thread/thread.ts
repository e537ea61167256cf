/** A worker thread as its owner sees it: typed messages in both directions, and a noticed end. */
import { Worker } from "node:worker_threads";
import { PLATFORM_LIMITS } from "../platformLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";

/** A running thread. */
export interface Thread<Request, Report> {
  /** Sends a message; after the thread has ended it is dropped. `moved` buffers leave this thread. */
  post(request: Request, moved?: readonly ArrayBuffer[]): void;
  onMessage(listener: (report: Report) => void): void;
  /** Called once when the thread has ended for any reason, after its last message. */
  onExit(listener: (reason: SvcError) => void): void;
  /** Waits for the thread to end on its own, then ends it. Resolves when it is gone. */
  end(waitMs: number): Promise<void>;
}

/** Starts a thread from its entry file. */
export function startThread<Request, Report>(
  entry: URL,
  workerData: unknown,
): Thread<Request, Report> {
  const resourceLimits = { maxOldGenerationSizeMb: PLATFORM_LIMITS.threadHeapMib };
  const worker = new Worker(entry, { workerData, resourceLimits });
  const exited = Promise.withResolvers<void>();
  let crash: Error | null = null;
  worker.on("error", (error: Error) => {
    crash = error;
  });
  worker.once("exit", () => exited.resolve());
  return {
    post: (request, moved = []) => worker.postMessage(request, moved),
    onMessage: (listener) => void worker.on("message", listener),
    onExit: (listener) => void exited.promise.then(() => listener(exitReason(crash))),
    async end(waitMs) {
      const timer = setTimeout(() => void worker.terminate(), waitMs);
      await exited.promise;
      clearTimeout(timer);
    },
  };
}

function exitReason(crash: Error | null): SvcError {
  return crash === null
    ? new SvcError("internal/unexpected", { message: "a thread ended" })
    : SvcError.from(crash);
}
