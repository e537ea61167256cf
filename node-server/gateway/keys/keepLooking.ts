/** Looks for viewing keys that an operator registered, again and again. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Log } from "../../platform/log/log.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";

/** Calls `look` every `merchantsEveryMs`; a failure is logged. Returns what ends that, and waits for the look at hand. */
export function keepLooking(
  look: () => Promise<void>,
  clock: Clock,
  log: Pick<Log, "error">,
): () => Promise<void> {
  const life = new AbortController();
  const run = async (): Promise<void> => {
    while (!life.signal.aborted) {
      await clock.sleep(GATEWAY_LIMITS.merchantsEveryMs, life.signal).catch(() => undefined);
      if (life.signal.aborted) return;
      await look().catch((thrown: unknown) => {
        log.error({ err: SvcError.from(thrown) }, "new merchants were not looked for");
      });
    }
  };
  const running = run();
  return async () => {
    life.abort();
    await running;
  };
}
