/** Turns of hosts that ask the engine. */
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../platform/time/clock.ts";
import { NODE_SHARES } from "./nodeShares.ts";
import { TurnQuotas } from "./turnQuotas.ts";

const never = new AbortController().signal;
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("questions", () => {
  it("take turns by host, and a host has so many waiting", async () => {
    const bounds = { ...NODE_SHARES, turns: 1, waitingPerHost: 3 };
    const all = new TurnQuotas(new ManualClock(0n), bounds);
    const order: string[] = [];
    const ends: (() => void)[] = [];
    const ask = (host: string): Promise<void> =>
      all.turn(host, never, () => {
        order.push(host);
        return new Promise((resolve) => ends.push(resolve));
      });
    const asked = ["flood", "flood", "flood", "honest"].map(ask);
    await expect(ask("flood")).rejects.toThrow("http/too-many-requests");
    for (let turn = 0; turn < 4; turn += 1) {
      await settle();
      ends[turn]?.();
    }
    await Promise.all(asked);
    expect(order).toEqual(["flood", "honest", "flood", "flood"]);
  });
});
