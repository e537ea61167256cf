/** The public REST interface at the edge, before nodes that answer with the examples of its table. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RouteContract } from "@svc/shared/protocol/contract/routeContract.ts";
import { restDocument } from "@svc/shared/protocol/rest/openApi.ts";
import { CSV_ROWS, csvOf } from "@svc/shared/protocol/rest/restCsv.ts";
import { REST_ROUTES, type RestRouteName } from "@svc/shared/protocol/rest/restRoutes.ts";
import { ExplorerHost } from "../../testkit/explorerHost.ts";
import { examplePathOf, ROW_NAMES } from "../../testkit/examplePaths.ts";

let host: ExplorerHost;
beforeEach(async () => {
  host = await ExplorerHost.open();
});
afterEach(() => host.close());

const TIP = "/info/blockdag";
const EXAMPLE = JSON.stringify(REST_ROUTES.blockDag.example.answer);

function requestOf(name: RestRouteName): RequestInit {
  const { method, example }: RouteContract = REST_ROUTES[name];
  if (method === "GET") return {};
  const headers = { "Content-Type": "application/json" };
  return { method, headers, body: JSON.stringify(example.body) };
}

describe.each(ROW_NAMES.filter((name) => name !== "health"))("the row %s", (name) => {
  it("is answered with the bytes of the node, its cache time and its ETag", async () => {
    const path = examplePathOf(name);
    const there = await fetch(`${env.STAND_INS}/a/api${path}`, requestOf(name));
    const here = await host.fetch(`/api${path}`, requestOf(name));
    expect([here.status, there.status]).toEqual([200, 200]);
    expect(new Uint8Array(await here.arrayBuffer())).toEqual(
      new Uint8Array(await there.arrayBuffer()),
    );
    for (const header of ["content-type", "cache-control", "etag"]) {
      expect(here.headers.get(header), header).toBe(there.headers.get(header));
    }
  });

  it("shows no whole address of a peer", async () => {
    const answer = await host.fetch(`/api${examplePathOf(name)}`, requestOf(name));
    const text = await answer.text();
    expect(text).not.toMatch(/\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b/);
    expect(text).not.toMatch(/\b[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){7}\b/i);
  });
});

describe("an answer", () => {
  it("that has not changed is not sent again", async () => {
    const first = await host.fetch(`/api${TIP}`);
    const headers = { "If-None-Match": first.headers.get("etag") ?? "" };
    const second = await host.fetch(`/api${TIP}`, { headers });
    expect([second.status, await second.text()]).toEqual([304, ""]);
    expect(second.headers.get("etag")).toBe(first.headers.get("etag"));
    const other = await host.fetch(`/api${TIP}`, { headers: { "If-None-Match": '"x"' } });
    expect([other.status, await other.text()]).toEqual([200, EXAMPLE]);
  });

  it("is not sent again by the node either", async () => {
    await host.status(`/api${TIP}`);
    host.pass(1_000);
    await host.status(`/api${TIP}`);
    const [, second] = await host.asked(TIP).then((all) => all.filter(({ node }) => node === "a"));
    expect(second?.headers["if-none-match"]).toMatch(/^"[0-9a-f]{40}"$/);
  });

  it("may be read by every page, with its age and what is left of a visitor's share", async () => {
    const answer = await host.fetch(`/api${TIP}`, { headers: { Origin: "https://other.example" } });
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("access-control-expose-headers")).toContain("RateLimit-Remaining");
    expect(answer.headers.get("age")).toBe("0");
    expect(answer.headers.get("x-as-of")).toBe(new Date(host.nowMs()).toISOString());
    expect(Number(answer.headers.get("ratelimit-limit"))).toBeGreaterThan(0);
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
    expect(answer.headers.get("set-cookie")).toBeNull();
  });

  it("to HEAD has no body", async () => {
    const answer = await host.fetch(`/api${TIP}`, { method: "HEAD" });
    expect([answer.status, await answer.text()]).toEqual([200, ""]);
  });

  it("as CSV is made from the same document", async () => {
    for (const name of CSV_ROWS) {
      const json = JSON.stringify(REST_ROUTES[name].example.answer);
      const answer = await host.fetch(`/api${REST_ROUTES[name].path}.csv`);
      expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
      expect(await answer.text()).toBe(csvOf(name, json));
    }
    expect((await host.asked()).some(({ path }) => path.includes(".csv"))).toBe(false);
    expect(await host.status("/api/info/blockdag.csv")).toBe(404);
  });
});

describe("what is no call", () => {
  it.each([
    ["GET", "/api/blocks/abc", 400, "api/bad-field"],
    ["GET", "/api/nothing", 404, "http/not-found"],
    ["DELETE", `/api${TIP}`, 405, "api/wrong-method"],
    ["POST", "/api/transactions/search", 415, "api/not-json"],
  ])("%s %s is refused with %d without a node", async (method, path, status, code) => {
    const answer = await host.fetch(path, { method, body: method === "POST" ? "x" : null });
    expect(answer.status).toBe(status);
    const body: unknown = await answer.json();
    expect(body).toMatchObject({ code, error: expect.any(String) });
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(await host.asked()).toEqual([]);
  });

  it("such as too long a body, is refused", async () => {
    const headers = { "Content-Type": "application/json" };
    const search = { method: "POST", headers, body: " ".repeat(10_000) };
    expect((await host.fetch("/api/transactions/search", search)).status).toBe(413);
    const ids = Array.from({ length: 65 }, () => "ab".repeat(32));
    const body = JSON.stringify({ transactionIds: ids });
    const many = await host.fetch("/api/transactions/search", { ...search, body });
    expect(many.status).toBe(400);
    expect(await host.asked()).toEqual([]);
  });
});

it("a browser that asks first is told what a page may send", async () => {
  const answer = await host.fetch("/api/transactions/search", { method: "OPTIONS" });
  expect(answer.status).toBe(204);
  expect(answer.headers.get("access-control-allow-methods")).toContain("POST");
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
});

it("describes itself with the document of the table", async () => {
  const answer = await host.fetch("/api/openapi.json");
  expect(await answer.text()).toBe(JSON.stringify(restDocument()));
});

it("a node that asks for a token gets its own, and no other node does", async () => {
  await host.tell("a", "*", { fault: "cut" });
  await host.status(`/api${TIP}`);
  const asked = await host.asked(TIP);
  const tokens = new Map(asked.map(({ node, headers }) => [node, headers["authorization"]]));
  expect([tokens.get("a"), tokens.get("b")]).toEqual([undefined, "Bearer token-of-b"]);
});
