/** The liar: nodes that answer something else than their rows say. What they say is shown to nobody, and kept nowhere. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { StandInWord } from "../../../tests/edge/standInWords.ts";
import { REST_ROUTES } from "@svc/shared/protocol/rest/restRoutes.ts";
import { EXPLORER_LIMITS } from "../../explorerLimits.ts";
import { ExplorerHost } from "../../testkit/explorerHost.ts";

let host: ExplorerHost;
beforeEach(async () => {
  host = await ExplorerHost.open();
});
afterEach(() => host.close());

const HASH = "ab".repeat(32);
const BLOCK = `/blocks/${HASH}`;
const BLOCK_EXAMPLE = REST_ROUTES.block.example.answer;
const TIP_EXAMPLE = REST_ROUTES.blockDag.example.answer;

const LIES: readonly (readonly [string, string, StandInWord])[] = [
  ["a number where text belongs", "/info/shielded", { json: { blueScore: 5 } }],
  ["a list where an object belongs", "/info/shielded", { json: [] }],
  ["half of its JSON", "/info/shielded", { text: '{"anchor":' }],
  ["bytes that are no text", "/info/shielded", { text: "\u0000\uFFFF" }],
  ["a page of HTML", "/info/shielded", { text: "<html></html>", type: "text/html" }],
  ["its document as another type", "/info/shielded", { type: "text/html" }],
  ["a supply of a fraction", "/info/coinsupply", { json: { ...supply("1.5") } }],
  ["a supply beyond 64 bits", "/info/coinsupply", { json: { ...supply("9".repeat(20)) } }],
  ["another block", BLOCK, { json: { ...BLOCK_EXAMPLE, block_hash: "cd".repeat(32) } }],
  ["a redirect", "/info/shielded", { status: 302, text: "" }],
  ["a fault", "/info/shielded", { status: 500, text: "stack trace" }],
  ["a refusal that is none", "/info/shielded", { status: 404, text: "<html></html>" }],
  ["more than fits", "/info/shielded", { fault: "flood" }],
  ["nothing", "/info/shielded", { fault: "cut" }],
];

function supply(circulatingSupply: string): object {
  return { ...REST_ROUTES.coinSupply.example.answer, circulatingSupply };
}

function exampleAt(path: string): string {
  const rows = { "/info/shielded": "shielded", "/info/coinsupply": "coinSupply" } as const;
  const name =
    path === BLOCK ? "block" : rows[path === "/info/shielded" ? path : "/info/coinsupply"];
  return JSON.stringify(REST_ROUTES[name].example.answer);
}

describe("a node that sends", () => {
  it.each(LIES)("%s is not believed: another node is asked", async (_, path, word) => {
    await host.tell("a", path, word);
    const answer = await host.fetch(`/api${path}`);
    expect([answer.status, await answer.text()]).toEqual([200, exampleAt(path)]);
    expect((await host.asked(path)).map(({ node }) => node)).toEqual(["a", "b"]);
  });

  it.each(LIES)("%s leaves nothing behind where no other node answers", async (_, path, word) => {
    await host.tell("a", path, word);
    await host.tell("b", path, word);
    await host.tell("c", path, word);
    const answer = await host.fetch(`/api${path}`);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "10"]);
    expect(await answer.json()).toMatchObject({ code: "http/unavailable" });
    for (const node of ["a", "b", "c"]) await host.tell(node, path, null);
    host.pass(EXPLORER_LIMITS.nodePauseMaxMs);
    const again = await host.fetch(`/api${path}`);
    expect([again.status, await again.text()]).toEqual([200, exampleAt(path)]);
  });
});

describe("a node that says its answer holds for ever", () => {
  const forever = "public, max-age=86400, s-maxage=86400, stale-while-revalidate=999999999";
  const ID = "ef".repeat(32);
  const TRANSACTION = { ...REST_ROUTES.transaction.example.answer, transaction_id: ID };
  const WAITING = { ...TRANSACTION, status: "waiting", is_accepted: false };
  const UNMERGED = { ...BLOCK_EXAMPLE, extra: { ...BLOCK_EXAMPLE.extra, color: "none" } };
  const MISSING = { error: "Unknown.", code: "chain/unknown-block" };

  it.each([
    ["the tip", "/info/blockdag", { ...TIP_EXAMPLE, virtualDaaScore: "1276000" }, 200],
    ["the newest blocks", "/blocks/recent?limit=50", [], 200],
    ["blocks that there are not yet", "/blocks/at?blueScore=7", [], 200],
    ["the supply", "/info/shielded", { ...REST_ROUTES.shielded.example.answer, noteCount: 1 }, 200],
    ["a payment that waits", `/transactions/${ID}`, WAITING, 200],
    ["a block that is not merged", BLOCK, UNMERGED, 200],
    ["a block that there is not", BLOCK, MISSING, 404],
  ])("of %s is asked again as soon as its row says", async (_, path, json, status) => {
    const [place = ""] = path.split("?");
    await host.tell("a", place, { json, status, cacheControl: forever });
    const first = await host.fetch(`/api${path}`);
    expect([first.status, await first.json()]).toEqual([status, json]);
    expect(first.headers.get("cache-control")).toMatch(
      /^public, max-age=[15], s-maxage=[15], stale-while-revalidate=(?:0|5|30)$/,
    );
    await host.tell("a", place, path.includes(ID) ? { json: TRANSACTION } : null);
    host.pass(36_000);
    const again = await host.fetch(`/api${path}`);
    expect(await again.text()).not.toBe(JSON.stringify(json));
    expect(again.headers.get("x-stale")).toBeNull();
  });

  it("of what is deep in the chain is believed for ten minutes", async () => {
    const path = `/transactions/${ID}`;
    await host.tell("a", path, { json: TRANSACTION, cacheControl: forever });
    const answer = await host.fetch(`/api${path}`);
    const most = "public, max-age=600, s-maxage=600, stale-while-revalidate=600";
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, most]);
  });

  it("of what nobody shall keep is not believed", async () => {
    const method = "POST";
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify({ transactionIds: [HASH] });
    await host.tell("a", "/transactions/search", { cacheControl: forever });
    const answer = await host.fetch("/api/transactions/search", { method, headers, body });
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
  });
});

it("nodes that send something else at one path are asked for all others", async () => {
  for (const node of ["a", "b", "c"]) await host.tell(node, "/info/relay", { json: {} });
  for (let second = 0; second < 10; second += 1) {
    expect(await host.status("/api/info/relay")).toBe(503);
    expect(await host.status(`/api/blocks/at?blueScore=${second}`)).toBe(200);
    host.pass(1_000);
  }
});

describe("a node of another network", () => {
  it("is asked for nothing but its tip", async () => {
    await host.tell("a", "/info/blockdag", { json: { ...TIP_EXAMPLE, networkName: "other" } });
    await host.tell("a", "/info/shielded", {
      json: { ...REST_ROUTES.shielded.example.answer, noteCount: 1 },
    });
    const answer = await host.fetch("/api/info/shielded");
    expect(await answer.json()).toEqual(REST_ROUTES.shielded.example.answer);
    expect((await host.asked("/info/shielded")).map(({ node }) => node)).toEqual(["b"]);
    expect(await (await host.fetch("/api/info/blockdag")).json()).toEqual(TIP_EXAMPLE);
  });
});

describe("a node with an old chain", () => {
  it("is left out when it has lagged for half a minute, and asked again when it is there", async () => {
    const old = { json: { ...TIP_EXAMPLE, virtualDaaScore: "1000" } };
    await host.tell("a", "/info/blockdag", old);
    const asked = async (): Promise<string | undefined> => {
      await host.status("/api/info/shielded");
      return (await host.asked("/info/shielded")).at(-1)?.node;
    };
    await asked();
    await lookedFor(40_000);
    expect(await asked()).toBe("b");
    await host.tell("a", "/info/blockdag", null);
    await lookedFor(40_000);
    expect(await asked()).toBe("a");
  });

  it("is left out where it says so itself, too", async () => {
    await host.tell("a", "/health", {
      status: 503,
      json: { error: "x", code: "http/unavailable" },
    });
    await host.status("/api/info/shielded");
    await lookedFor(40_000);
    await host.status("/api/info/shielded");
    expect((await host.asked("/info/shielded")).at(-1)?.node).toBe("b");
  });

  /** Lets time pass while somebody reads. */
  async function lookedFor(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 5_000) {
      host.pass(5_000);
      await host.status("/api/info/blockdag");
      await host.status("/api/health");
    }
  }
});

describe("a node that never answers", () => {
  it("is given up for another one", async () => {
    await host.tell("a", "/info/shielded", { fault: "hang" });
    const answer = await host.fetch("/api/info/shielded");
    expect(answer.status).toBe(200);
    expect((await host.asked("/info/shielded")).map(({ node }) => node)).toEqual(["a", "b"]);
  });
});
