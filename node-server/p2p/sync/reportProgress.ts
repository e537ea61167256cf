/** Tells the operator from time to time how far catching up, or fetching history, is. */
import { LIMITS } from "@svc/shared/base/limits.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { describeProgress } from "./describeProgress.ts";
import type { SyncProgress } from "./syncMeter.ts";

/** What is reported, and where. */
export type ReportParts = {
  /** null when nothing is being done. */
  readonly progress: () => SyncProgress | null;
  readonly clock: Clock;
  readonly log: Log;
};

/** Writes a line every `LIMITS.syncReportMs` while there is something to tell. Resolves when the signal aborts. */
export async function reportProgress(
  { progress, clock, log }: ReportParts,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(LIMITS.syncReportMs, signal).catch(() => undefined);
    const now = signal.aborted ? null : progress();
    if (now !== null) log.info({ progress: now }, describeProgress(now));
  }
}
