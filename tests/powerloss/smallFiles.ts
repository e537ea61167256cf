/** Settings that the recorded programs and the power-loss tests share. */
import { STORAGE_LIMITS } from "@svc/node-server/storage/storageLimits.ts";

/** The folder of the network in a data folder. */
export const STORE_NETWORK = "net-power";

/** Segment files so small that a short run fills several. */
export const SMALL_FILES = {
  bytes: 64 * 1024,
  /** From now on in this process. */
  use(): void {
    Object.assign(STORAGE_LIMITS, { segmentFileBytes: SMALL_FILES.bytes });
  },
};
