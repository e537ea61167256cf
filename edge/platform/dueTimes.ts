/**
 * Due times of Durable Objects, as rows of D1: when each object has asked to be woken. The platform may lose an alarm; the sweep
 * finds here whose alarm did not come. A row may be out of date, and then the object puts it right when it is woken.
 */
import type { TimestampMs } from "@svc/shared/base/brand.ts";

/** An object, by the name of its class's binding and by its id. */
export type DueRow = { readonly kind: string; readonly object: string };

/** Writes down when an object has asked to be woken. */
export async function putDueTime(
  db: D1Database,
  { kind, object }: DueRow,
  dueMs: TimestampMs,
): Promise<void> {
  await db
    .prepare(
      "INSERT INTO due_times (kind, object, due_ms) VALUES (?1, ?2, ?3) ON CONFLICT (kind, object) DO UPDATE SET due_ms = ?3, looked_ms = 0",
    )
    .bind(kind, object, Number(dueMs))
    .run();
}

/** Forgets an object, which waits for nothing. */
export async function removeDueTime(db: D1Database, { kind, object }: DueRow): Promise<void> {
  await db
    .prepare("DELETE FROM due_times WHERE kind = ?1 AND object = ?2")
    .bind(kind, object)
    .run();
}

/** Takes up to `limit` objects that were due before a time and were not taken since then, those longest untaken first. */
export async function takeOverdue(
  db: D1Database,
  before: TimestampMs,
  { now, limit }: { readonly now: TimestampMs; readonly limit: number },
): Promise<readonly DueRow[]> {
  const { results } = await db
    .prepare(
      "UPDATE due_times SET looked_ms = ?2 WHERE (kind, object) IN (SELECT kind, object FROM due_times WHERE due_ms < ?1 AND looked_ms < ?1 ORDER BY looked_ms, due_ms LIMIT ?3) RETURNING kind, object",
    )
    .bind(Number(before), Number(now), limit)
    .all<DueRow>();
  return results;
}
