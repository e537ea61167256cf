/** The flood: however much is asked of the explorer, a node is asked for a path no more than twice a second, and no visitor shuts out another. */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { StandInCall } from "../../../tests/edge/standInWords.ts";
import { ExplorerHost } from "../../testkit/explorerHost.ts";
import { ManualCount } from "../../testkit/manualCount.ts";
import explorerWorker from "../explorerWorker.ts";

let host: ExplorerHost;
beforeEach(async () => {
  host = await ExplorerHost.open();
});
afterEach(() => host.close());

const PATHS = [
  ...["/info/blockdag", "/blocks/recent?limit=50", "/info/shielded", "/health"],
  "/evidence/tip?depth=150",
];
const SECONDS = 5;
const STEP_MS = 50;
const VISITORS = 40;

function countOf(calls: readonly StandInCall[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { node, path } of calls) {
    const place = `${node} ${path}`;
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return counts;
}

describe("under a flood", () => {
  it("each path is asked of a node at most twice in any second", async () => {
    const perStep: ReadonlyMap<string, number>[] = [];
    let before = 0;
    for (let ms = 0; ms < SECONDS * 1_000; ms += STEP_MS) {
      await Promise.all(
        PATHS.flatMap((path) =>
          Array.from({ length: 3 }, (_, at) =>
            host.status(`/api${path}`, `198.51.100.${(ms / STEP_MS + at) % VISITORS}`),
          ),
        ),
      );
      const all = await host.asked();
      perStep.push(countOf(all.slice(before)));
      before = all.length;
      host.pass(STEP_MS);
    }
    const places = new Set(perStep.flatMap((counts) => [...counts.keys()]));
    const window = 1_000 / STEP_MS;
    for (const place of places) {
      const most = perStep.map((_, at) =>
        perStep.slice(at, at + window).reduce((sum, counts) => sum + (counts.get(place) ?? 0), 0),
      );
      expect(Math.max(...most), place).toBeLessThanOrEqual(2);
    }
    const tips = perStep.reduce((sum, counts) => sum + (counts.get("a /info/blockdag") ?? 0), 0);
    expect(tips).toBeGreaterThanOrEqual(SECONDS);
  });

  it("those who ask at once for what nobody has share one request", async () => {
    const path = `/blocks/${"ab".repeat(32)}`;
    const visitors = Array.from({ length: VISITORS }, (_, at) => `198.51.100.${at}`);
    const all = await Promise.all(visitors.map((visitor) => host.status(`/api${path}`, visitor)));
    expect(new Set(all)).toEqual(new Set([200]));
    expect(await host.asked(path)).toHaveLength(1);
  });

  it("what is unknown is asked for once in five seconds", async () => {
    const path = `/blocks/${"99".repeat(32)}`;
    const missing = { status: 404, json: { error: "Unknown.", code: "chain/unknown-block" } };
    await host.tell("a", path, missing);
    for (let call = 0; call < 20; call += 1) {
      expect(await host.status(`/api${path}`)).toBe(404);
      host.pass(200);
    }
    expect(await host.asked(path)).toHaveLength(1);
  });

  it("parameters that no row knows make no further request", async () => {
    for (let call = 0; call < 20; call += 1) {
      await host.status(`/api/info/shielded?bust=${call}`);
      await host.status(`/api/info/pulse?window=${call}`);
    }
    expect(await host.asked("/info/shielded")).toHaveLength(1);
    expect(await host.asked("/info/pulse?window=15m")).toHaveLength(1);
  });
});

describe("a visitor who asks too much", () => {
  it("is told 429 and when to ask again, and the others are answered", async () => {
    const statuses: number[] = [];
    for (let call = 0; call < 950; call += 1)
      statuses.push(await host.status("/api/info/shielded"));
    expect(statuses.filter((status) => status === 200)).toHaveLength(900);
    const answer = await host.fetch("/api/info/shielded");
    expect(answer.status).toBe(429);
    expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(answer.headers.get("ratelimit-remaining")).toBe("0");
    expect(await answer.json()).toMatchObject({ code: "http/too-many-requests" });
    expect(await host.status("/api/info/shielded", "192.0.2.7")).toBe(200);
    host.pass(60_000);
    expect(await host.status("/api/info/shielded")).toBe(200);
  });

  it("is one visitor with all addresses of an IPv6 line", async () => {
    for (let call = 0; call < 900; call += 1) {
      await host.status("/api/info/shielded", `2001:db8:1:2::${call.toString(16)}`);
    }
    expect(await host.status("/api/info/shielded", "2001:db8:1:2:ffff::1")).toBe(429);
    expect(await host.status("/api/info/shielded", "2001:db8:1:3::1")).toBe(200);
  });

  it("is stopped by the data centre's count where each call needs a node, until its minute is over", async () => {
    // The count of the platform has a clock that nobody moves.
    const counted = { ...env, READS: new ManualCount({ most: 300, now: () => host.nowMs() }) };
    let asked = 0;
    const status = async (visitor: string): Promise<number> => {
      asked += 1;
      const path = `/blocks/${asked.toString(16).padStart(64, "0")}`;
      const headers = { "CF-Connecting-IP": visitor };
      const request = new Request<unknown, IncomingRequestCfProperties>(
        `https://explorer.example/api${path}`,
        { headers },
      );
      const context = createExecutionContext();
      const answer = await explorerWorker.fetch(request, counted, context);
      await answer.arrayBuffer();
      await waitOnExecutionContext(context);
      return answer.status;
    };
    const statuses: number[] = [];
    for (let call = 0; call < 320; call += 1) statuses.push(await status("192.0.2.99"));
    expect(statuses.filter((one) => one === 429)).toHaveLength(20);
    expect(await status("192.0.2.98")).not.toBe(429);
    host.pass(60_000);
    expect(await status("192.0.2.99")).not.toBe(429);
  });

  it("is counted by the platform's own binding, too", async () => {
    expect(await env.READS?.limit({ key: "somebody" })).toEqual({ success: true });
  });
});
