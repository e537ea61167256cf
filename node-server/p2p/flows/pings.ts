/** Keepalive by ping and pong, and the round-trip time of each peer (specification network 1.4). */
import { P2P_LIMITS } from "../p2pLimits.ts";
import { badField } from "@svc/shared/protocol/p2p/p2pFields.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { Flow } from "./runFlows.ts";

/** Answers every ping with a pong. */
export const answerPings: Flow = ({ link }) => {
  const pings = link.route(["ping"]);
  return async () => {
    for (;;) {
      const { payload } = await pings.next(null);
      link.send({ $case: "pong", value: payload.value });
    }
  };
};

/** Pings every `P2P_LIMITS.p2pPingMs` and notes the round-trip time; `nonce` gives numbers that nobody knows. */
export function sendPings(clock: Clock, nonce: () => bigint): Flow {
  return ({ link, record }) => {
    const pongs = link.route(["pong"], { capacity: 1 });
    return async () => {
      for (;;) {
        await clock.sleep(P2P_LIMITS.p2pPingMs, link.signal);
        const sent = { nonce: nonce(), atMs: clock.steadyMs() };
        link.send({ $case: "ping", value: { nonce: sent.nonce } });
        const { payload } = await pongs.next(P2P_LIMITS.p2pAnswerMs);
        if (payload.value.nonce !== sent.nonce) throw badField("nonce", "it is another one");
        record.lastPingMs = Number(clock.steadyMs() - sent.atMs);
      }
    };
  };
}
