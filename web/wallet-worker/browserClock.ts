/** Clock of the browser: adapter of the wallet's clock port. */
import { asTimestampMs } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { ClockPort } from "@svc/shared/wallet/state/ports.ts";

/** Implements the clock of `@svc/shared/wallet/state/ports.ts`. */
export const browserClock: ClockPort = {
  nowMs: () => asTimestampMs(BigInt(Date.now())),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const abort = () => {
        clearTimeout(timer);
        reject(new SvcError("run/aborted", {}, signal.reason));
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", abort);
        resolve();
      }, ms);
      signal.addEventListener("abort", abort, { once: true });
      if (signal.aborted) abort();
    }),
};
