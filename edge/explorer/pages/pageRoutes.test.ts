/** Pages at the edge, with a renderer whose page shows what it was made from. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { explorerPageOf, pageNeeds } from "@svc/shared/explorer/explorerPaths.ts";
import type { PageInput } from "@svc/shared/explorer/pageRenderer.ts";
import { ExplorerHost } from "../../testkit/explorerHost.ts";

let host: ExplorerHost;
beforeEach(async () => {
  host = await ExplorerHost.open();
});
afterEach(() => host.close());

const HASH = "ab".repeat(32);

async function inputOf(path: string, headers: Record<string, string> = {}): Promise<PageInput> {
  const answer = await host.fetch(path, { headers });
  return answer.json();
}

describe("a page", () => {
  it.each([
    "/",
    "/blocks",
    `/blocks/${HASH}`,
    "/dag?minute=29927981",
    "/charts?window=7d",
    "/supply",
  ])(
    "at %s is made from the documents that it needs, each with the bytes of the REST path",
    async (place) => {
      const [path = "", query = ""] = place.split("?");
      const input = await inputOf(place);
      const needs = pageNeeds(explorerPageOf(path, query));
      expect(Object.keys(input.documents)).toEqual(needs);
      for (const need of needs) {
        expect(input.documents[need]).toMatchObject({ status: 200, isStale: false });
        const rest = await host.fetch(`/api${need}`);
        expect(input.documents[need]?.body, need).toBe(await rest.text());
      }
      expect(input).toMatchObject({ base: "", apiBase: "/api", path, query });
    },
  );

  it("is in the language that its address, the visitor's choice or the browser asks for", async () => {
    expect(await inputOf("/?lang=es")).toMatchObject({ locale: "es", isLocaleAsked: true });
    const headers = { Cookie: "svc-lang=de", "Accept-Language": "es" };
    expect(await inputOf("/", headers)).toMatchObject({ locale: "de", isLocaleAsked: false });
    expect(await inputOf("/", { "Accept-Language": "es" })).toMatchObject({ locale: "es" });
  });

  it("tells nobody where the visitor was, and runs nothing of others", async () => {
    const answer = await host.fetch("/");
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(answer.headers.get("set-cookie")).toBeNull();
  });

  it("of an unknown hash is made, with the node's reason", async () => {
    const path = `/blocks/${"99".repeat(32)}`;
    const json = { error: "Unknown.", code: "chain/unknown-block", reason: "never-seen" };
    await host.tell("a", path, { status: 404, json });
    const answer = await host.fetch(path);
    expect(answer.status).toBe(404);
    const { documents }: PageInput = await answer.json();
    expect(JSON.parse(documents[path]?.body ?? "")).toEqual(json);
  });

  it("of a search is kept by nobody: its address has what was looked for", async () => {
    for (const path of [`/search?q=${HASH}`, "/search"]) {
      expect((await host.fetch(path)).headers.get("cache-control")).toBe("no-store");
    }
    expect((await host.fetch("/blocks")).headers.get("cache-control")).toBe("no-cache");
  });

  it("shows the last data when no node answers, and what is missing as missing", async () => {
    await host.status("/");
    for (const node of ["a", "b", "c"]) await host.tell(node, "*", { fault: "cut" });
    host.pass(600_000);
    const { documents } = await inputOf("/");
    expect(documents["/info/blockdag"]).toMatchObject({ status: 200, isStale: true });
    const missing = await inputOf("/network");
    expect(missing.documents["/info/nodes"]).toMatchObject({ status: 503 });
  });

  it("with a slash at its end is the one without", async () => {
    const answer = await host.fetch("/blocks/?lang=de", { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([308, "/blocks?lang=de"]);
    const foreign = await host.fetch("//other.example/", { redirect: "manual" });
    expect(foreign.headers.get("location") ?? "/").toMatch(/^\/(?!\/)/);
  });

  it("is read, and never written to", async () => {
    const answer = await host.fetch("/", { method: "POST", body: "x" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("counts as a read of its visitor", async () => {
    for (let call = 0; call < 900; call += 1) await host.status("/api/info/shielded");
    const answer = await host.fetch("/");
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "1"]);
  });
});

describe("the built files", () => {
  it("are served with the headers of their build", async () => {
    const answer = await host.fetch("/assets/explorer-1234.js");
    expect([answer.status, await answer.text()]).toEqual([200, "export {};"]);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(answer.headers.get("content-security-policy")).toBe("default-src 'none'");
    const headers = { "If-None-Match": answer.headers.get("etag") ?? "" };
    expect((await host.fetch("/assets/explorer-1234.js", { headers })).status).toBe(304);
  });

  it("are sent as they were compressed to who takes that, and as they are to who does not", async () => {
    const path = "/assets/encoded-1234.js";
    const tags = new Set<string | null>();
    for (const [accepted, coding] of [
      ["br, gzip", "br"],
      ["gzip", "gzip"],
      ["br;q=0, gzip;q=0", null],
    ] as const) {
      const answer = await host.fetch(path, { headers: { "Accept-Encoding": accepted } });
      expect(answer.headers.get("content-encoding"), accepted).toBe(coding);
      expect(answer.headers.get("vary")).toBe("Accept-Encoding");
      expect(answer.headers.get("content-type")).toMatch(/^text\/javascript/);
      expect(await answer.text(), accepted).toBe("export const answer = 42;\n".repeat(40));
      tags.add(answer.headers.get("etag"));
    }
    expect(tags.size).toBe(3);
    const plain = await host.fetch("/assets/explorer-1234.js", {
      headers: { "Accept-Encoding": "br" },
    });
    expect([plain.headers.get("content-encoding"), await plain.text()]).toEqual([
      null,
      "export {};",
    ]);
  });

  it.each([
    "/headers.json",
    "/assets/encoded-1234.js.br",
    "/assets/encoded-1234.js.gz",
    "/explorer/pageRenderer.js",
    "/index.html",
    "/signer.html",
    "/assets/none.js",
  ])("%s is none", async (path) => {
    const answer = await host.fetch(path);
    expect(answer.status).not.toBe(200);
    expect(await answer.text()).not.toContain("<p>");
  });
});

it("search engines are told which pages are for them", async () => {
  expect(await (await host.fetch("/robots.txt")).text()).toContain("Disallow: /api/");
});
