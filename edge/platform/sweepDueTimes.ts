/** Sweep of lost alarms, for a Cron: finds the objects whose due time has passed and has them set their alarms anew. */
import { asTimestampMs, type TimestampMs } from "@svc/shared/base/brand.ts";
import { forEachConcurrent } from "@svc/shared/base/forEachConcurrent.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { EDGE_LIMITS } from "../edgeLimits.ts";
import { takeOverdue, type DueRow } from "./dueTimes.ts";

/** The objects of one class, as the sweep asks them. */
export type SweptObjects = {
  idFromString(id: string): DurableObjectId;
  get(id: DurableObjectId): { rearm(): Promise<void> };
};

/** What a sweep found. */
export type SweepReport = {
  /** Objects whose alarm was late. */
  readonly overdue: number;
  /** Of these, those that could not be asked; the next sweep asks them again. */
  readonly failed: number;
};

/** Sweeps once. `classes` gives the objects by the `kind` of their class. Rejects where D1 fails. */
export async function sweepDueTimes(
  db: D1Database,
  now: TimestampMs,
  classes: ReadonlyMap<string, SweptObjects>,
): Promise<SweepReport> {
  const before = asTimestampMs(now - EDGE_LIMITS.sweepSlackMs);
  const overdue = await takeOverdue(db, before, { now, limit: EDGE_LIMITS.sweepRows });
  let failed = 0;
  await forEachConcurrent(overdue, EDGE_LIMITS.callsAtOnce, async (row) => {
    try {
      await rearm(classes, row);
    } catch (thrown) {
      failed += 1;
      console.error(`an object of ${row.kind} could not be swept: ${SvcError.from(thrown).code}`);
    }
  });
  return { overdue: overdue.length, failed };
}

async function rearm(
  classes: ReadonlyMap<string, SweptObjects>,
  { kind, object }: DueRow,
): Promise<void> {
  const objects = classes.get(kind);
  if (objects === undefined) throw new SvcError("store/missing", { table: "due_times", key: kind });
  await objects.get(objects.idFromString(object)).rearm();
}
