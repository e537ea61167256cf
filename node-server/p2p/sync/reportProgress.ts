/** Logs the progress of sync and of the history download at intervals. */
import { P2P_LIMITS } from "../p2pLimits.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { Log } from "../../platform/log/log.ts";
import { describeProgress } from "./describeProgress.ts";
import type { SyncProgress } from "./syncMeter.ts";

/** Dependencies of the report. */
export type ReportParts = {
  /** null when nothing is being done. */
  readonly progress: () => SyncProgress | null;
  readonly clock: Clock;
  readonly log: Log;
};

/** Logs a line every `P2P_LIMITS.syncReportMs` while there is something to tell. Resolves when the signal aborts. */
export async function reportProgress(
  { progress, clock, log }: ReportParts,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(P2P_LIMITS.syncReportMs, signal).catch(() => undefined);
    const now = signal.aborted ? null : progress();
    if (now !== null) log.info({ progress: now }, describeProgress(now));
  }
}
