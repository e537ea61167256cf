import { describe, expect, it } from "vitest";
import { APP_LIMITS } from "../appLimits.ts";
import { P2P_LIMITS } from "../../p2p/p2pLimits.ts";
import { connectionRoom } from "./connectionRoom.ts";

const wanted = { http: 1_024, grpc: 256, inbound: 128 };
const OWN = APP_LIMITS.descriptorsOwn + P2P_LIMITS.p2pStreamless + P2P_LIMITS.p2pHalfOpen + 8;
const SUM = 1_024 + 256 + 128;
const LEAST = OWN + 3 * APP_LIMITS.connectionsLeast;
const roomAt = (limit: number | null) => connectionRoom({ limit, wanted, outbound: 8 });

describe("connectionRoom", () => {
  it("gives what is wanted where it fits", () => {
    for (const limit of [null, 1_000_000, OWN + SUM]) expect(roomAt(limit)).toEqual(wanted);
    expect(roomAt(OWN + SUM - 1)).not.toEqual(wanted);
  });

  it("never gives more than there is, nor less than the least", () => {
    for (let limit = LEAST; limit < OWN + SUM; limit += 7) {
      const shares = Object.values(roomAt(limit));
      expect(OWN + shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(limit);
      expect(Math.min(...shares)).toBeGreaterThanOrEqual(APP_LIMITS.connectionsLeast);
    }
    const { http, grpc, inbound } = roomAt(OWN + SUM / 2);
    expect([http, grpc, inbound].map((share) => share > 40)).toEqual([true, true, true]);
  });

  it("refuses a limit with which the node could not work, in words", () => {
    expect(roomAt(LEAST).inbound).toBe(APP_LIMITS.connectionsLeast);
    expect(() => roomAt(LEAST - 1)).toThrow(
      `ulimit -n, reason=the system allows ${LEAST - 1} open files, and this node needs ${LEAST}`,
    );
  });

  it("counts nothing for a server that is not wanted", () => {
    const alone = { http: 1_024, grpc: 0, inbound: 0 };
    const limit = APP_LIMITS.descriptorsOwn + 1_024;
    expect(connectionRoom({ limit, wanted: alone, outbound: 0 })).toEqual(alone);
  });
});
