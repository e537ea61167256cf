/** The poller over a clock and answers of the test: how often it asks, what it keeps, when it rests. */
import { beforeEach, describe, expect, it } from "vitest";
import { DocumentStore } from "./documentStore.ts";
import { LiveDocuments, paceOf } from "./liveDocuments.ts";

const DAG = "/info/blockdag";
const OPENAPI = "/openapi.json";

let nowMs: number;
let isHidden: boolean;
let asked: string[];
let answer: (path: string) => Promise<Response>;
let store: DocumentStore;
let live: LiveDocuments;

beforeEach(() => {
  nowMs = 0;
  isHidden = false;
  asked = [];
  answer = () => Promise.resolve(Response.json({ sink: "new" }));
  store = new DocumentStore({
    [DAG]: { status: 200, body: '{"sink":"old"}', asOfMs: 1, isStale: false },
    [OPENAPI]: { status: 200, body: "{}", asOfMs: 1, isStale: false },
  });
  live = new LiveDocuments({
    store,
    apiBase: "/api",
    fetch: (url) => {
      asked.push(url);
      return answer(url);
    },
    steadyMs: () => nowMs,
    nowMs: () => 1_000 + nowMs,
    isHidden: () => isHidden,
  });
});

async function tickAt(ms: number): Promise<void> {
  nowMs = ms;
  await live.tick();
}

describe("the poller", () => {
  it("asks for a document once in its pace, and never for what does not change", async () => {
    for (let ms = 0; ms <= 5_000; ms += 50) await tickAt(ms);
    expect(paceOf(DAG)).toBe(750);
    expect(asked).toEqual(Array.from({ length: 6 }, () => `/api${DAG}`));
    expect(paceOf("/info/miners")).toBeGreaterThanOrEqual(1_000);
    expect(store.readAny(DAG).body).toEqual({ sink: "new" });
  });

  it("has one question for a path under way at a time, however late the answer", async () => {
    let settle: (response: Response) => void = () => undefined;
    answer = () => new Promise((resolve) => (settle = resolve));
    const first = tickAt(1_000);
    await tickAt(2_000);
    await tickAt(9_000);
    expect(asked).toHaveLength(1);
    settle(Response.json({ sink: "late" }));
    await first;
    expect(store.readAny(DAG).body).toEqual({ sink: "late" });
  });

  it("rests while nobody looks, and asks at once when somebody does", async () => {
    isHidden = true;
    await tickAt(60_000);
    expect(asked).toEqual([]);
    isHidden = false;
    await tickAt(60_001);
    expect(asked).toHaveLength(1);
  });

  it("leaves a path to somebody else until it is given back", async () => {
    const takeBack = live.lend(DAG);
    await tickAt(9_000);
    expect(asked).toEqual([]);
    takeBack();
    await tickAt(9_001);
    expect(asked).toHaveLength(1);
  });

  it("asks no more after its end", async () => {
    live.stop();
    await tickAt(9_000);
    expect(asked).toEqual([]);
  });
});

describe("a node that is down", () => {
  it.each([
    ["does not answer", () => Promise.reject(new TypeError("refused"))],
    [
      "answers 503",
      () => Promise.resolve(Response.json({ error: "x", code: "y" }, { status: 503 })),
    ],
    ["answers 429", () => Promise.resolve(new Response("", { status: 429 }))],
    ["answers no JSON", () => Promise.resolve(new Response("<html>"))],
  ])("and %s leaves the last data with their time, marked as old", async (_, down) => {
    await tickAt(1_000);
    answer = down;
    await tickAt(3_000);
    expect(store.readAny(DAG)).toMatchObject({
      body: { sink: "new" },
      asOfMs: 2_000,
      isStale: true,
    });
    answer = () => Promise.resolve(Response.json({ sink: "back" }));
    await tickAt(5_000);
    expect(store.readAny(DAG)).toMatchObject({ body: { sink: "back" }, isStale: false });
  });

  it("behind a server that goes on with what it had is shown as old as that is", async () => {
    const headers = { "x-stale": "1", "x-as-of": new Date(400).toISOString() };
    answer = () => Promise.resolve(Response.json({ sink: "kept" }, { headers }));
    await tickAt(1_000);
    expect(store.readAny(DAG)).toMatchObject({
      body: { sink: "kept" },
      asOfMs: 400,
      isStale: true,
    });
  });

  it("a document that is gone is not shown on as if it were there", async () => {
    answer = () =>
      Promise.resolve(Response.json({ error: "x", code: "chain/pruned" }, { status: 404 }));
    await tickAt(1_000);
    expect(store.readAny(DAG)).toMatchObject({
      status: 404,
      body: null,
      fault: { code: "chain/pruned" },
    });
  });
});

describe("the pace", () => {
  async function timesUntil(endMs: number): Promise<number[]> {
    const times: number[] = [];
    for (let ms = 0; ms <= endMs; ms += 50) {
      const before = asked.length;
      await tickAt(ms);
      if (asked.length > before) times.push(ms);
    }
    return times;
  }
  const respond = (status: number, headers: Record<string, string> = {}) => {
    answer = () => Promise.resolve(Response.json({ sink: "x" }, { status, headers }));
  };

  it.each([429, 503])("after each %d pauses twice as long, up to a minute", async (status) => {
    respond(status);
    expect(await timesUntil(12_000)).toEqual([750, 2_250, 5_250, 11_250]);
    const late = await timesUntil(400_000);
    const pauses = late.slice(1).map((ms, at) => ms - (late[at] ?? 0));
    expect(Math.max(...pauses)).toBe(60_000);
  });

  it("after a refusal waits as long as the server asks for, at most a minute", async () => {
    respond(429, { "retry-after": "7" });
    expect(await timesUntil(8_000)).toEqual([750, 7_750]);
    respond(503, { "retry-after": "86400" });
    await tickAt(20_000);
    const before = asked.length;
    await tickAt(79_950);
    expect(asked).toHaveLength(before);
    await tickAt(80_000);
    expect(asked).toHaveLength(before + 1);
  });

  it("is the old one again after an answer", async () => {
    respond(503);
    await tickAt(750);
    await tickAt(2_250);
    respond(200);
    await tickAt(5_250);
    await tickAt(6_000);
    expect(asked).toHaveLength(4);
  });

  it.each<readonly [string, number, Record<string, string>]>([
    ["is not there", 404, {}],
    ["is fresh for a minute", 200, { "cache-control": "public, max-age=60" }],
    ["is fresh for a day", 200, { "cache-control": "public, max-age=86400, immutable" }],
  ])("of a document that %s is the rare one", async (_, status, headers) => {
    respond(status, headers);
    expect(await timesUntil(31_000)).toEqual([750, 30_750]);
  });

  it("of a document that is fresh for less is its own", async () => {
    respond(200, { "cache-control": "public, max-age=1, s-maxage=600" });
    expect(await timesUntil(2_500)).toEqual([750, 1_500, 2_250]);
  });

  it("of a lent document stays with who has it, also when an answer comes late", async () => {
    let settle: (response: Response) => void = () => undefined;
    answer = () => new Promise((resolve) => (settle = resolve));
    const first = tickAt(1_000);
    live.lend(DAG);
    settle(Response.json({ sink: "late" }, { status: 503 }));
    await first;
    await tickAt(200_000);
    expect(asked).toHaveLength(1);
  });
});

it("an answer with the same text changes nothing that is drawn", () => {
  const before = store.readAny(DAG).body;
  store.take(DAG, { status: 200, body: '{"sink":"old"}', asOfMs: 9, isStale: false });
  expect(store.readAny(DAG).body).toBe(before);
  expect(store.readAny(DAG).asOfMs).toBe(9);
});
