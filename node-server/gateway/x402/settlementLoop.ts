/** Broadcasts again, until a node has said its last word, what a settlement wrote down and a kill or a silent node kept from an answer. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Log } from "../../platform/log/log.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { Repeater } from "../../platform/time/repeater.ts";
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

/** The loop of a gateway, which begins with `start`. */
export function settlementLoop(parts: SettlementLoopParts): Repeater {
  const { facilitator, challenges, clock, log } = parts;
  return new Repeater({
    work: async (signal) => {
      await facilitator.sendAgain(signal);
      await challenges.forgetEnded(GATEWAY_LIMITS.settleBatch);
      await challenges.forgetUnpaid(GATEWAY_LIMITS.challengeBatch);
    },
    pauseMs: GATEWAY_LIMITS.settleRetryMs,
    clock,
    onError: (thrown) => log.error({ err: SvcError.from(thrown) }, "payments were not sent again"),
  });
}
