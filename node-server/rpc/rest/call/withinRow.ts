/** The deadline of a call of the public REST interface: that of its row. */
import { abortable } from "@svc/shared/base/abort.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { RouteContract } from "@svc/shared/protocol/contract/routeContract.ts";
import type { Clock } from "../../../platform/time/clock.ts";
import { withinMs } from "../../../platform/time/withinMs.ts";

/** Bounds of a call: clock, deadline of its row, signal of its caller. */
export type CallBound = {
  readonly clock: Pick<Clock, "sleep">;
  readonly row: Pick<RouteContract, "path" | "timeoutMs">;
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal;
};

/** Work that heeds its signal or not: `cut` settles like it, and rejects at the deadline even where the work goes on. */
type BoundWork<T> = (signal: AbortSignal, cut: <A>(work: Promise<A>) => Promise<A>) => Promise<T>;

/**
 * Settles like the work, waiting for its turn included; its signal aborts at the deadline of the row or when the caller goes away.
 * Rejects with `http/timeout` (ms) at the deadline. Work that does not heed its signal keeps its turn until then and no longer: a caller who
 * leaves early cannot have another piece of work begun beside it.
 */
export async function withinRow<T>(
  { clock, row, signal }: CallBound,
  work: BoundWork<T>,
): Promise<T> {
  const { path: what, timeoutMs: waitMs } = row;
  try {
    return await withinMs(clock, { waitMs, what, signal }, (within, over) =>
      work(within, (part) => abortable(part, over)),
    );
  } catch (error) {
    const isOver = SvcError.is(error, "run/timeout") && error.data["what"] === what;
    throw isOver ? new SvcError("http/timeout", { ms: waitMs }) : error;
  }
}
