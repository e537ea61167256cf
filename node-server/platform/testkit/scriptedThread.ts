/** A fake thread whose messages and end a test decides: real ones take seconds to start and do not fail on demand. */
import type { SvcError } from "@svc/shared/base/svcError.ts";
import type { Thread } from "../thread/thread.ts";

/** Records what it is sent; the test reports and ends in its place. */
export class ScriptedThread<Request, Report> implements Thread<Request, Report> {
  readonly requests: Request[] = [];
  /** Sends a report to the owner. */
  report: (report: Report) => void = () => {};
  /** Ends as if by itself. */
  exit: (reason: SvcError) => void = () => {};

  post(request: Request): void {
    this.requests.push(request);
  }

  onMessage(listener: (report: Report) => void): void {
    this.report = listener;
  }

  onExit(listener: (reason: SvcError) => void): void {
    this.exit = listener;
  }

  end(): Promise<void> {
    return Promise.resolve();
  }
}
