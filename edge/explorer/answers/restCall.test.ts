import { describe, expect, it } from "vitest";
import { restCall } from "./restCall.ts";

const HASH = "0f".repeat(32);

async function keyOf(path: string, query = ""): Promise<string> {
  return (await restCall({ method: "GET", path, search: new URLSearchParams(query) })).key;
}

async function searchKey(body: unknown): Promise<string> {
  const call = { method: "POST", path: "/transactions/search", search: new URLSearchParams() };
  return (await restCall({ ...call, body })).key;
}

describe("a call has one form", () => {
  it.each([
    ["/info/blockdag", "", "/info/blockdag"],
    ["/info/blockdag", "utm_source=x&_=1795678901234", "/info/blockdag"],
    ["/blocks/recent", "", "/blocks/recent?limit=50"],
    ["/blocks/recent", "x=1&limit=50", "/blocks/recent?limit=50"],
    ["/blocks/recent", `limit=5&before=12-${HASH}`, `/blocks/recent?before=12-${HASH}&limit=5`],
    ["/info/pulse", "window=nothing", "/info/pulse?window=15m"],
    ["/info/pulse", "window=7d", "/info/pulse?window=7d"],
    ["/blocks/window", "minute=029927981", "/blocks/window?minute=29927981"],
    [`/blocks/${HASH}`, "includeColor=true", `/blocks/${HASH}`],
    [`/blocks/${HASH}/bytes`, "", `/blocks/${HASH}/bytes`],
  ])("%s?%s is %s", async (path, query, key) => {
    expect(await keyOf(path, query)).toBe(key);
  });

  it("a search goes by the ids that it names, and shows none of them in its key", async () => {
    const key = await searchKey({ transactionIds: [HASH] });
    expect(key).not.toContain(HASH);
    expect(await searchKey({ transactionIds: [HASH] })).toBe(key);
    expect(await searchKey({ transactionIds: ["ab".repeat(32)] })).not.toBe(key);
  });
});

describe("what is no call is refused without a node", () => {
  it.each([
    ["/blocks/abc", "", "api/bad-field"],
    ["/blocks/recent", "limit=many", "api/bad-field"],
    ["/blocks/recent", "limit=1&limit=2", "api/wrong-type"],
    ["/blocks/window", "", "api/missing-field"],
    ["/search/4/xyz", "", "api/bad-field"],
    ["/nothing", "", "http/not-found"],
    [`/blocks/${HASH}/bytes/more`, "", "http/not-found"],
    ["/transactions/search", "", "api/bad-field"],
  ])("%s?%s with %s", async (path, query, code) => {
    await expect(keyOf(path, query)).rejects.toMatchObject({ code });
  });

  it("a method that a path does not take", async () => {
    const call = { method: "DELETE", path: "/info/blockdag", search: new URLSearchParams() };
    await expect(restCall(call)).rejects.toMatchObject({ code: "api/wrong-method" });
  });
});
