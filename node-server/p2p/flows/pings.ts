/** Signs of life, and how long they take (specification network 1.4). */
import { LIMITS } from "@svc/shared/base/limits.ts";
import { badField } from "@svc/shared/protocol/p2p/p2pFields.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Flow } from "./runFlows.ts";

/** Answers every ping. */
export const answerPings: Flow = ({ link }) => {
  const pings = link.route(["ping"]);
  return async () => {
    for (;;) {
      const { payload } = await pings.next(null);
      link.send({ $case: "pong", value: payload.value });
    }
  };
};

/** Pings every `LIMITS.p2pPingMs` and notes how long the answer takes; `nonce` gives numbers that nobody knows. */
export function sendPings(clock: Clock, nonce: () => bigint): Flow {
  return ({ link, record }) => {
    const pongs = link.route(["pong"], { capacity: 1 });
    return async () => {
      for (;;) {
        await clock.sleep(LIMITS.p2pPingMs, link.signal);
        const sent = { nonce: nonce(), atMs: clock.steadyMs() };
        link.send({ $case: "ping", value: { nonce: sent.nonce } });
        const { payload } = await pongs.next(LIMITS.p2pAnswerMs);
        if (payload.value.nonce !== sent.nonce) throw badField("nonce", "it is another one");
        record.lastPingMs = Number(clock.steadyMs() - sent.atMs);
      }
    };
  };
}
