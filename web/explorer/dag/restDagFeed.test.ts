import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { REST_ROUTES } from "@svc/shared/protocol/rest/restRoutes.ts";
import type { DagBlock } from "@svc/shared/explorer/dag/dagBlock.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import { restDagFeed } from "./restDagFeed.ts";

const RECENT = REST_ROUTES.recentBlocks.example.answer;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

type Answer = { readonly status: number; readonly body: unknown };

function scene(answer: () => Answer | Promise<never>) {
  const asked: string[] = [];
  const seen: (readonly DagBlock[] | null)[] = [];
  const made = { asked, seen, isHidden: false };
  const feed = restDagFeed({
    apiBase: "/api",
    nowMs: () => 0,
    isHidden: () => made.isHidden,
    fetch: async (url) => {
      asked.push(url);
      const { status, body } = await answer();
      return new Response(JSON.stringify(body), { status });
    },
  });
  return { ...made, made, feed, end: feed.follow((blocks) => seen.push(blocks)) };
}

describe("the newest blocks", () => {
  it("are asked for once a second, and no more after the end", async () => {
    const { asked, seen, end } = scene(() => ({ status: 200, body: RECENT }));
    await vi.advanceTimersByTimeAsync(2 * PAGE_LIMITS.explorerPollMs + 10);
    expect(asked).toHaveLength(3);
    expect(new Set(asked)).toEqual(new Set(["/api/blocks/recent?limit=120"]));
    expect(seen[0]?.[0]?.hash).toBe(RECENT[0]?.block_hash);
    end();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveLength(3);
  });

  it("are not asked for while nobody looks", async () => {
    const { made, asked, end } = scene(() => ({ status: 200, body: RECENT }));
    await vi.advanceTimersByTimeAsync(10);
    made.isHidden = true;
    await vi.advanceTimersByTimeAsync(60 * PAGE_LIMITS.explorerPollMs);
    expect(asked).toHaveLength(1);
    made.isHidden = false;
    await vi.advanceTimersByTimeAsync(PAGE_LIMITS.explorerPollMs);
    expect(asked).toHaveLength(2);
    end();
  });

  it.each<readonly [string, () => Answer | Promise<never>]>([
    ["answers an error", () => ({ status: 503, body: { error: "no node" } })],
    ["answers something else", () => ({ status: 200, body: { blocks: "all of them" } })],
    ["breaks off", () => Promise.reject(new TypeError("broken off"))],
  ])("are asked for less and less often of a server that %s", async (_name, answer) => {
    const { asked, seen, end } = scene(answer);
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect(asked.length).toBeLessThan(30);
    expect(asked.length).toBeGreaterThan(10);
    expect(seen.every((blocks) => blocks === null)).toBe(true);
    end();
  });
});

describe("a minute", () => {
  it("is asked for under its own address, and says whether it is complete", async () => {
    const { answer } = REST_ROUTES.blockWindow.example;
    const { asked, feed, end } = scene(() => ({ status: 200, body: answer }));
    const { signal } = new AbortController();
    const minute = await feed.minute(29_927_981, signal);
    expect(asked).toContain("/api/blocks/window?minute=29927981");
    expect(minute.isComplete).toBe(true);
    expect(minute.blocks).toHaveLength(answer.blocks.length);
    end();
  });

  it("of another form is refused", async () => {
    const { feed, end } = scene(() => ({ status: 200, body: { minute: 5, blocks: [{}] } }));
    const { signal } = new AbortController();
    await expect(feed.minute(5, signal)).rejects.toThrow("another form");
    end();
  });
});
