/** Nothing learned about visitors: what they look for and where they come from is in no log and in no request to a node beyond the call. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ExplorerHost } from "../../testkit/explorerHost.ts";

let host: ExplorerHost;
let lines: string[];
beforeEach(async () => {
  host = await ExplorerHost.open();
  lines = [];
  for (const level of ["log", "info", "warn", "error", "debug"] as const) {
    vi.spyOn(console, level).mockImplementation((...words: readonly unknown[]) => {
      lines.push(words.map(String).join(" "));
    });
  }
});
afterEach(() => {
  vi.restoreAllMocks();
  host.close();
});

const HASH = "5eed".repeat(16);
const VISITOR = "203.0.113.201";
const HEADERS = {
  Referer: "https://shop.example/orders/17",
  Cookie: "svc-lang=de; id=visitor-17",
  "User-Agent": "Agent/17",
};

/** Somebody looks for a hash in every way, before nodes that answer, refuse, lie and fail. */
async function session(): Promise<void> {
  const headers = { ...HEADERS, "Content-Type": "application/json" };
  const body = JSON.stringify({ transactionIds: [HASH] });
  const visit = async (path: string, init: RequestInit = {}): Promise<void> => {
    const answer = await host.fetch(path, { headers: HEADERS, ...init }, VISITOR);
    await answer.arrayBuffer();
  };
  for (const path of [`/blocks/${HASH}`, `/transactions/${HASH}`]) {
    await visit(`/api${path}`);
    await visit(`/api${path}?from=${HASH}`);
    await visit(path);
  }
  await visit("/api/transactions/search", { method: "POST", headers, body });
  await visit("/api/transactions/search", { method: "POST", headers, body: `{"x":"${HASH}"` });
  await visit(`/api/${HASH}`);
  await visit(`/search?q=${HASH}`);
}

describe("a visit", () => {
  it.each([
    ["nodes that answer", {}],
    ["nodes that refuse", { status: 404, json: { error: HASH, code: "chain/unknown-block" } }],
    ["nodes that lie", { text: `{"hash":"${HASH}"`, type: "application/json" }],
    ["nodes that fail", { fault: "cut" as const }],
  ])("with %s leaves neither hash nor address in a log", async (_, word) => {
    for (const node of ["a", "b", "c"]) await host.tell(node, "*", word);
    await session();
    const log = lines.join("\n");
    for (const trace of [HASH, HASH.slice(0, 12), VISITOR, "visitor-17", "shop.example"]) {
      expect(log).not.toContain(trace);
    }
  });

  it("tells a node the call, and nothing of who made it", async () => {
    await session();
    const asked = await host.asked();
    expect(asked.length).toBeGreaterThan(3);
    const told = JSON.stringify(asked.map(({ headers }) => headers));
    for (const trace of [VISITOR, "visitor-17", "shop.example", "Agent/17"]) {
      expect(told).not.toContain(trace);
    }
  });
});
