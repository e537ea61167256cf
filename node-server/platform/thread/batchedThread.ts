/** A worker thread whose messages are batched, for threads with many small ones. */
import { Outbox } from "./outbox.ts";
import { startThread, type Thread } from "./thread.ts";

/** Starts a thread whose entry file takes and sends lists of messages; to its owner it looks like any other. */
export function startBatchedThread<Request, Report>(
  entry: URL,
  workerData: unknown,
): Thread<Request, Report> {
  const thread = startThread<readonly Request[], readonly Report[]>(entry, workerData);
  const outbox = new Outbox<Request>((requests, moved) => thread.post(requests, moved));
  return {
    post: (request, moved) => outbox.post(request, moved),
    onMessage: (listener) => thread.onMessage((reports) => reports.forEach(listener)),
    onExit: (listener) => thread.onExit(listener),
    end: (waitMs) => {
      outbox.flush();
      return thread.end(waitMs);
    },
  };
}
