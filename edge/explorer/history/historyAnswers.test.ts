/** What the history answers where no node does, through the Worker. */
import { createScheduledController, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { REST_ROUTES } from "@svc/shared/protocol/rest/restRoutes.ts";
import { migrate } from "../../testkit/database.ts";
import { ExplorerHost } from "../../testkit/explorerHost.ts";
import explorerWorker from "../explorerWorker.ts";
import { HistoryStore, type HistoryBlock } from "./historyStore.ts";

let host: ExplorerHost;
let store: HistoryStore;
beforeEach(async () => {
  await reset();
  store = new HistoryStore(await migrate());
  host = await ExplorerHost.open();
});
afterEach(() => host.close());

const NODES = ["a", "b", "c"];
const CANDIDATES = 300;

/** Blocks whose hashes begin with `ab`, one more with another digit, and a payment. */
async function filled(): Promise<void> {
  const blockOf = (hash: string, at: number): HistoryBlock => ({
    ...{ hash, daaScore: 2 ** 33 + at, blueScore: at, timestampMs: 0 },
    ...{ color: at === 7 ? "red" : "blue", isChain: at < 5, work: "native", transactions: 1 },
  });
  const blocks = Array.from({ length: CANDIDATES }, (_, at) =>
    blockOf(`ab${at.toString(16).padStart(4, "0")}`.padEnd(64, "0"), at),
  );
  const payment = { id: `ab${"f".repeat(62)}`, block: blocks[0]?.hash ?? "", daaScore: 9 };
  await store.writeMinute({
    ...{ minute: 1, blocks: [...blocks, blockOf("cd".repeat(32), 1)], isFinal: true },
    payments: [{ ...payment, status: "dropped", reason: "tx/nullifier-spent" }],
  });
}

async function allDown(): Promise<void> {
  for (const node of NODES) await host.tell(node, "*", { fault: "cut" });
}

describe("a bucket of the search by prefix", () => {
  it("is that of a node while one answers", async () => {
    await filled();
    const answer = await host.fetch("/api/search/8/ab");
    expect(await answer.json()).toEqual(REST_ROUTES.searchBucket.example.answer);
  });

  it("comes from the history while no node answers: 14 bytes for each hash", async () => {
    await filled();
    await allDown();
    const answer = await host.fetch("/api/search/8/ab");
    const { bits, prefix, entries }: Record<string, string> = await answer.json();
    expect([answer.status, bits, prefix]).toEqual([200, 8, "ab"]);
    // As old as the last minute that is written for good, whose end this is: what came since may be missing.
    expect(answer.headers.get("x-as-of")).toBe("1970-01-01T00:02:00.000Z");
    expect([answer.headers.get("x-stale"), answer.headers.get("cache-control")]).toEqual([
      ...["1", "no-cache"],
    ]);
    const bytes = Uint8Array.from(atob(entries ?? ""), (letter) => letter.charCodeAt(0));
    expect(bytes.length).toBe((CANDIDATES + 1) * 14);
    const view = new DataView(bytes.buffer);
    const kinds = Array.from({ length: CANDIDATES + 1 }, (_, at) => view.getUint8(at * 14 + 8));
    expect([kinds[0], kinds[5], kinds[7], kinds[CANDIDATES]]).toEqual([0, 1, 2, 5]);
    expect([view.getUint8(14 + 9), view.getUint32(14 + 10)]).toEqual([2, 1]);
  });

  it("does not come from a history of which nothing is written for good", async () => {
    await allDown();
    expect(await host.status("/api/search/0/-")).toBe(503);
  });

  it("with fewer than 256 candidates is refused, and so is a prefix with more bits than it says", async () => {
    await filled();
    await allDown();
    expect(await host.status("/api/search/12/ab0")).toBe(200);
    expect(await host.status("/api/search/8/cd")).toBe(400);
    expect(await host.status("/api/search/7/ab")).toBe(400);
    expect(await host.status("/api/search/7/aa")).toBe(200);
    expect(await host.status("/api/search/0/-")).toBe(200);
  });
});

describe("a hash that no node knows any more", () => {
  const missing = { status: 404, json: { error: "Unknown.", code: "chain/unknown-block" } };

  it("is pruned where the history remembers it, and the answer says what it was", async () => {
    await filled();
    const block = `/blocks/${"cd".repeat(32)}`;
    const payment = `/transactions/ab${"f".repeat(62)}`;
    for (const path of [block, payment]) await host.tell("a", path, missing);
    const first = await host.fetch(`/api${block}`);
    expect([first.status, await first.json()]).toEqual([
      404,
      {
        ...{ ...missing.json, reason: "pruned" },
        remembered: { status: "blue", block: null, daaScore: "8589934593", isChainBlock: true },
      },
    ]);
    expect(await (await host.fetch(`/api${payment}`)).json()).toMatchObject({
      reason: "pruned",
      remembered: { status: "dropped", daaScore: "9" },
    });
  });

  it("and the history does not know either, is answered with the node's bytes", async () => {
    const path = `/blocks/${"99".repeat(32)}`;
    await host.tell("a", path, missing);
    const answer = await host.fetch(`/api${path}`);
    expect(await answer.text()).toBe(JSON.stringify(missing.json));
  });
});

describe("the history itself", () => {
  it("is shown by table, from a place on", async () => {
    await filled();
    const answer = await host.fetch("/history/minutes.json?from=1&before=2");
    expect(await answer.json()).toEqual({
      table: "minutes",
      rows: [{ minute: 1, blocks: 301, reds: 1, mergeMined: 0, payments: 1 }],
    });
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(await (await host.fetch("/history/minutes.json?from=2")).json()).toMatchObject({
      rows: [],
    });
  });

  it.each([
    ["/history/minutes.json?from=-1", 400],
    ["/history/minutes.json?from=1;DROP", 400],
    ["/history/blocks.json", 404],
    ["/history/constructor.json", 404],
    ["/history/minutes", 404],
  ])("%s is refused with %d", async (path, status) => {
    expect(await host.status(path)).toBe(status);
  });

  it("goes on with the Cron, which never fails", async () => {
    const controller = createScheduledController({ scheduledTime: new Date(host.nowMs()) });
    await explorerWorker.scheduled(controller, env);
    expect(await store.rows("supply", 0, 2 ** 40)).toHaveLength(1);
    await allDown();
    await explorerWorker.scheduled(controller, env);
  });
});
