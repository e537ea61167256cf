/** Broadcasts again, until a node has said its last word, what a settlement wrote down and a kill or a silent node kept from an answer. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Log } from "../../platform/log/log.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import type { ChallengeDesk } from "./challengeDesk.ts";
import type { Facilitator } from "./facilitator.ts";

/** Dependencies. */
export type SettlementLoopParts = {
  readonly facilitator: Pick<Facilitator, "sendAgain">;
  readonly challenges: Pick<ChallengeDesk, "forgetEnded" | "forgetUnpaid">;
  readonly clock: Pick<Clock, "sleep">;
  readonly log: Pick<Log, "error">;
};

/** The loop of a gateway. */
export class SettlementLoop {
  readonly #parts: SettlementLoopParts;
  readonly #life = new AbortController();
  #run: Promise<void> | null = null;

  constructor(parts: SettlementLoopParts) {
    this.#parts = parts;
  }

  /** Begins. */
  start(): void {
    this.#run ??= this.#loop(this.#life.signal);
  }

  /** Ends; resolves when nothing runs any more. */
  async stop(): Promise<void> {
    this.#life.abort();
    await this.#run;
  }

  async #loop(signal: AbortSignal): Promise<void> {
    const { facilitator, challenges, clock, log } = this.#parts;
    while (!signal.aborted) {
      try {
        await facilitator.sendAgain(signal);
        await challenges.forgetEnded(GATEWAY_LIMITS.settleBatch);
        await challenges.forgetUnpaid(GATEWAY_LIMITS.challengeBatch);
      } catch (thrown) {
        if (!signal.aborted)
          log.error({ err: SvcError.from(thrown) }, "payments were not sent again");
      }
      await clock.sleep(GATEWAY_LIMITS.settleRetryMs, signal).catch(() => undefined);
    }
  }
}
