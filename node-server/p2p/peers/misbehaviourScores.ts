/** Misbehaviour scores of hosts: minor faults add up, grave ones end in a ban at once (the penalties of the error registry). */
import { infoOf } from "@svc/shared/base/errors.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { LruMap } from "@svc/shared/base/lruMap.ts";
import type { SvcError } from "@svc/shared/base/svcError.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { hostOf } from "../../platform/net/netAddress.ts";

const POINTS = {
  none: 0,
  minor: 1,
  major: P2P_LIMITS.p2pMajorPoints,
  ban: P2P_LIMITS.p2pBanPoints,
} as const;

type Score = { points: number; atMs: bigint };

/** Misbehaviour points by host. They fade with time, and a host that reconnects keeps its own. */
export class MisbehaviourScores {
  readonly #clock: Pick<Clock, "steadyMs">;
  readonly #scores = new LruMap<string, Score>(P2P_LIMITS.p2pBans);

  constructor(clock: Pick<Clock, "steadyMs">) {
    this.#clock = clock;
  }

  /** Notes what a host did. True when it has done enough to be banned; then it begins anew. */
  charge(ip: string, error: SvcError): boolean {
    const points = POINTS[infoOf(error).penalty];
    if (points === 0) return false;
    const nowMs = this.#clock.steadyMs();
    const host = hostOf(ip);
    const score = this.#scores.get(host) ?? { points: 0, atMs: nowMs };
    const passedMs = nowMs > score.atMs ? Number(nowMs - score.atMs) : 0;
    const left = Math.max(0, score.points - passedMs / P2P_LIMITS.p2pPointMs);
    const now = { points: left + points, atMs: nowMs };
    const isOver = now.points >= P2P_LIMITS.p2pBanPoints;
    this.#scores.set(host, isOver ? { points: 0, atMs: nowMs } : now);
    return isOver;
  }
}
