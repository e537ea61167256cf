/** What the recorded programs and those who look at their disks share. */
import { LIMITS } from "@svc/shared/base/limits.ts";

/** The folder of the network in a data folder. */
export const STORE_NETWORK = "net-power";

/** Segment files so small that a short run fills several. */
export const SMALL_FILES = {
  bytes: 64 * 1024,
  /** From now on in this process. */
  use(): void {
    Object.assign(LIMITS, { segmentFileBytes: SMALL_FILES.bytes });
  },
};
