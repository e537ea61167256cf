/** The private search, by its traffic: no request holds more of a hash than its bucket does. */
import { describe, expect, it } from "vitest";
import { searchHash } from "./searchHash.ts";

const HASH = `abcdef0123456789${"77".repeat(24)}`;

function entry(hash: string): string {
  const bytes = [...hash.slice(0, 16).matchAll(/../g)].map(([pair]) => Number.parseInt(pair, 16));
  return String.fromCharCode(...bytes, 0, 0, 0, 0, 0, 9);
}

/** Entries of so many hashes that begin with these digits, none of them the one that is looked for. */
function others(prefix: string, count: number): string {
  return Array.from({ length: count }, (_, at) =>
    entry(`${prefix}${at.toString(16).padStart(64 - prefix.length - 48, "0")}${"00".repeat(24)}`),
  ).join("");
}

async function search(hashes: number | null, entries: string) {
  const asked: string[] = [];
  const result = await searchHash(HASH, {
    apiBase: "/api",
    signal: new AbortController().signal,
    fetch: (url) => {
      asked.push(url);
      if (url !== "/api/info/index")
        return Promise.resolve(Response.json({ entries: btoa(entries) }));
      return Promise.resolve(
        hashes === null ? new Response("", { status: 503 }) : Response.json({ hashes }),
      );
    },
  });
  return { asked, result };
}

describe("a search", () => {
  it("asks for how many hashes there are, then for a bucket that hundreds of them share", async () => {
    const { asked, result } = await search(2_600_000, others("abc", 255) + entry(HASH));
    expect(asked).toEqual(["/api/info/index", "/api/search/12/abc"]);
    expect(result).toEqual({ kind: "found", entries: [{ kind: "block-chain", daaScore: 9n }] });
  });

  it("shows at most 20 bits to a server that speaks of more hashes than there are", async () => {
    const { asked, result } = await search(1e15, entry(HASH));
    expect(asked).toEqual(["/api/info/index", "/api/search/20/abcde"]);
    expect(result).toEqual({ kind: "unanswered" });
  });

  it.each([
    ["fewer than 256 hashes", others("abc", 254) + entry(HASH)],
    ["the same hash again and again", entry(HASH).repeat(400)],
    ["hashes that begin with something else", others("abd", 400) + entry(HASH)],
    ["nothing", ""],
  ])("takes no answer from a bucket that has %s", async (_, entries) => {
    const { result } = await search(2_600_000, entries);
    expect(result).toEqual({ kind: "unanswered" });
  });

  it("of few hashes shows no bit", async () => {
    const { asked, result } = await search(600, entry("00".repeat(32)));
    expect(asked).toEqual(["/api/info/index", "/api/search/0/-"]);
    expect(result).toEqual({ kind: "not-found" });
  });

  it("without an index asks for no bucket, and says that it was not answered", async () => {
    const { asked, result } = await search(null, "");
    expect(asked).toEqual(["/api/info/index"]);
    expect(result).toEqual({ kind: "unanswered" });
  });
});
