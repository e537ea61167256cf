/** Nodes that are down, and back: the last data with their age, then 503; and what the explorer says of its own health. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { REST_ROUTES } from "@svc/shared/protocol/rest/restRoutes.ts";
import { EXPLORER_LIMITS } from "../../explorerLimits.ts";
import { ExplorerHost } from "../../testkit/explorerHost.ts";

let host: ExplorerHost;
beforeEach(async () => {
  host = await ExplorerHost.open();
});
afterEach(() => host.close());

const TIP = "/info/blockdag";
const EXAMPLE = JSON.stringify(REST_ROUTES.blockDag.example.answer);
const NODES = ["a", "b", "c"];

async function allDown(): Promise<void> {
  for (const node of NODES) await host.tell(node, "*", { fault: "cut" });
}

async function allUp(): Promise<void> {
  for (const node of NODES) await host.tell(node, "*", null);
  host.pass(EXPLORER_LIMITS.nodePauseMaxMs);
}

describe("when no node answers", () => {
  it("the last data are shown with their age, as the bytes that they were", async () => {
    await host.status(`/api${TIP}`);
    const asOf = host.nowMs();
    await allDown();
    host.pass(120_000);
    const answer = await host.fetch(`/api${TIP}`);
    expect([answer.status, await answer.text()]).toEqual([200, EXAMPLE]);
    expect(answer.headers.get("age")).toBe("120");
    expect(answer.headers.get("x-as-of")).toBe(new Date(asOf).toISOString());
    expect(answer.headers.get("warning")).toBe('110 - "Response is Stale"');
    expect(answer.headers.get("cache-control")).toBe("no-cache");
  });

  it("and they are too old, it says so with 503 and when to ask again", async () => {
    await host.status(`/api${TIP}`);
    await allDown();
    host.pass(EXPLORER_LIMITS.lastDataMs);
    const answer = await host.fetch(`/api${TIP}`);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "10"]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await answer.json()).toMatchObject({ code: "http/unavailable" });
  });

  it("what was never asked for is 503 too, and a refusal of before is not shown for data", async () => {
    const missing = { status: 404, json: { error: "Unknown.", code: "chain/unknown-block" } };
    const path = `/blocks/${"99".repeat(32)}`;
    for (const node of NODES) await host.tell(node, path, missing);
    expect(await host.status(`/api${path}`)).toBe(404);
    await allDown();
    for (const node of NODES) await host.tell(node, path, null);
    expect(await host.status("/api/info/relay")).toBe(503);
    host.pass(6_000);
    expect(await host.status(`/api${path}`)).toBe(503);
  });

  it("and one is back, its answer is shown at once", async () => {
    await host.status(`/api${TIP}`);
    await allDown();
    host.pass(120_000);
    await host.status(`/api${TIP}`);
    await allUp();
    const answer = await host.fetch(`/api${TIP}`);
    expect([answer.headers.get("age"), answer.headers.get("warning")]).toEqual(["0", null]);
  });

  it("no node is asked more often for it", async () => {
    await allDown();
    for (let second = 0; second < 60; second += 1) {
      for (let call = 0; call < 5; call += 1) await host.status("/api/info/relay");
      host.pass(1_000);
    }
    const asked = (await host.asked("/info/relay")).filter(({ node }) => node === "a");
    expect(asked.length).toBeLessThan(12);
  });
});

describe("when one of the nodes is down", () => {
  it("the next one answers, and the first one again when it is back", async () => {
    await host.tell("a", "*", { fault: "cut" });
    expect(await host.status("/api/info/shielded")).toBe(200);
    expect((await host.asked("/info/shielded")).at(-1)?.node).toBe("b");
    await host.tell("a", "*", null);
    for (let look = 0; look < 10; look += 1) {
      host.pass(6_000);
      await host.status("/api/health");
      await host.status("/api/info/shielded");
    }
    expect((await host.asked("/info/shielded")).at(-1)?.node).toBe("a");
  });

  it("two that are down are no more than two tries", async () => {
    await host.tell("a", "/info/relay", { fault: "cut" });
    await host.tell("b", "/info/relay", { fault: "cut" });
    expect(await host.status("/api/info/relay")).toBe(503);
    expect((await host.asked("/info/relay")).map(({ node }) => node)).toEqual(["a", "b"]);
  });

  it("one that keeps no index is asked for what it knows", async () => {
    const reason = "this node keeps no index";
    const none = { status: 503, json: { error: "x", code: "http/unavailable", reason } };
    for (const node of NODES) await host.tell(node, "/info/miners", none);
    const answer = await host.fetch("/api/info/miners");
    expect([answer.status, await answer.json()]).toMatchObject([503, { reason }]);
    await host.status("/api/info/shielded");
    expect((await host.asked("/info/shielded")).map(({ node }) => node)).toEqual(["a"]);
  });
});

describe("the health of the explorer", () => {
  it.each(["/api/health", "/health"])("at %s is ok as at a node", async (path) => {
    const answer = await host.fetch(path);
    expect([answer.status, await answer.text()]).toEqual([200, "ok"]);
    expect(answer.headers.get("content-type")).toBe("text/plain; charset=UTF-8");
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it("is 503 when no node was seen for a minute, and names nobody's address", async () => {
    await host.status("/api/health");
    await allDown();
    for (let look = 0; look < 10; look += 1) {
      host.pass(6_000);
      expect(await host.status("/api/health")).toBe(200);
    }
    host.pass(6_000);
    const answer = await host.fetch("/health?verbose=1");
    const body = await answer.text();
    expect([answer.status, JSON.parse(body)]).toMatchObject([
      503,
      { isHealthy: false, lagS: 66, nodes: [{ name: "a" }, { name: "b" }, { name: "c" }] },
    ]);
    expect(body).not.toContain("127.0.0.1");
    const plain = await host.fetch("/health");
    expect([plain.status, plain.headers.get("retry-after")]).toEqual([503, "10"]);
    await allUp();
    await host.status("/health");
    host.pass(6_000);
    expect(await host.status("/health")).toBe(200);
  });
});
