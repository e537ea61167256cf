/** How much the program's threads allocate before they collect garbage. */
import { setFlagsFromString } from "node:v8";
import { LIMITS } from "@svc/shared/base/limits.ts";

/**
 * Gives threads that are started from now on `LIMITS.youngHeapMib`, no less to begin with and never more. The main thread has
 * begun before: `scripts/run.sh` gives it the same.
 */
export function boundYoungHeap(): void {
  setFlagsFromString(`--min-semi-space-size=${LIMITS.youngHeapMib}`);
  setFlagsFromString(`--max-semi-space-size=${LIMITS.youngHeapMib}`);
}
