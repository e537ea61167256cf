/** The feed that asks in place of the page: what it hands on, and when it gives the question back. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { REST_ROUTES } from "@svc/shared/protocol/rest/restRoutes.ts";
import type { PageDocument } from "@svc/shared/explorer/pageRenderer.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import { lentDagFeed, LENT_PATH } from "./lentDagFeed.ts";
import { minutePath } from "./restDagFeed.ts";

const BODY = JSON.stringify(REST_ROUTES.recentBlocks.example.answer);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function scene(answer: () => Promise<Response>) {
  const taken: [string, PageDocument][] = [];
  const forgotten: string[] = [];
  const asked: RequestInit[] = [];
  const lent = { count: 0 };
  const feed = lentDagFeed({
    apiBase: "/api",
    nowMs: () => 9_000,
    isHidden: () => false,
    fetch: (_, init) => {
      asked.push(init);
      return answer();
    },
    take: (path, document) => taken.push([path, document]),
    forget: (path) => forgotten.push(path),
    lend: () => {
      lent.count += 1;
      return () => (lent.count -= 1);
    },
  });
  return { feed, taken, forgotten, asked, lent };
}

it("hands on when an answer was true, past every copy that the browser has", async () => {
  const headers = { "x-stale": "1", "x-as-of": new Date(400).toISOString() };
  const { feed, taken, asked } = scene(() => Promise.resolve(new Response(BODY, { headers })));
  const end = feed.follow(() => undefined);
  await vi.advanceTimersByTimeAsync(10);
  expect(taken).toEqual([[LENT_PATH, { status: 200, body: BODY, asOfMs: 400, isStale: true }]]);
  expect(asked[0]).toMatchObject({ cache: "no-cache", credentials: "omit" });
  end();
});

it("says on the page that nobody answers", async () => {
  const { feed, taken } = scene(() => Promise.reject(new TypeError("refused")));
  const end = feed.follow(() => undefined);
  await vi.advanceTimersByTimeAsync(10);
  expect(taken).toEqual([[LENT_PATH, { status: 0, body: "", asOfMs: 9_000, isStale: true }]]);
  end();
});

it("hands on the minutes that it plays, and has those of long ago forgotten", async () => {
  const body = JSON.stringify(REST_ROUTES.blockWindow.example.answer);
  const { feed, taken, forgotten } = scene(() => Promise.resolve(new Response(body)));
  const { signal } = new AbortController();
  const most = PAGE_LIMITS.graphListedMinutes;
  for (let minute = 0; minute < most; minute += 1) await feed.minute(minute, signal);
  await feed.minute(0, signal);
  expect(taken.at(-1)).toEqual([
    minutePath(0),
    { status: 200, body, asOfMs: 9_000, isStale: false },
  ]);
  expect(forgotten).toEqual([]);
  await feed.minute(most, signal);
  expect(forgotten).toEqual([minutePath(1)]);
});

it("says nothing on the page about a minute that nobody answers", async () => {
  const { feed, taken } = scene(() => Promise.resolve(new Response("{}", { status: 503 })));
  await expect(feed.minute(7, new AbortController().signal)).rejects.toThrow("503");
  expect(taken).toEqual([]);
});

it("asks in place of the page only while it follows the chain", () => {
  const { feed, lent } = scene(() => Promise.resolve(new Response(BODY)));
  expect(lent.count).toBe(0);
  const end = feed.follow(() => undefined);
  expect(lent.count).toBe(1);
  end();
  expect(lent.count).toBe(0);
});
