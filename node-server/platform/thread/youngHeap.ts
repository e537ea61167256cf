/** Heap tuning: how much each thread allocates before it collects garbage. */
import { setFlagsFromString } from "node:v8";
import { PLATFORM_LIMITS } from "../platformLimits.ts";

/**
 * Sets the young generation of threads that are started from now on to `PLATFORM_LIMITS.youngHeapMib`, no less to begin with
 * and never more. The main thread has begun before: `scripts/run.sh` gives it the same.
 */
export function boundYoungHeap(): void {
  setFlagsFromString(`--min-semi-space-size=${PLATFORM_LIMITS.youngHeapMib}`);
  setFlagsFromString(`--max-semi-space-size=${PLATFORM_LIMITS.youngHeapMib}`);
}
