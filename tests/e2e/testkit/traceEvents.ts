/** Trace of a browser: the events that have a name, a thread and a time. */
import * as v from "valibot";

const event = v.object({
  name: v.string(),
  cat: v.string(),
  pid: v.number(),
  tid: v.number(),
  ts: v.number(),
  /** Phase: `X` for what lasted, `I` for what began and ended in the same microsecond. */
  ph: v.string(),
  /** Microseconds of the processor; left out of very short ones. */
  tdur: v.optional(v.number()),
  /** Microseconds by the clock: never less. */
  dur: v.optional(v.number()),
});
const trace = v.object({ traceEvents: v.array(v.unknown()) });

/** An event. */
export type TraceEvent = v.InferOutput<typeof event>;

/** Reads what a browser wrote when its tracing ended. */
export function readTrace(bytes: Buffer): readonly TraceEvent[] {
  const { traceEvents } = v.parse(trace, JSON.parse(bytes.toString("utf8")));
  return traceEvents.filter((each) => v.is(event, each));
}
