/** Files that a service worker keeps, and those that it never keeps. */
import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import {
  answerOf,
  earlierPath,
  keepFirst,
  keptPath,
  type AskedFile,
  type KeeperParts,
  type KeptBuild,
} from "./keptFiles.ts";

const ORIGIN = "https://wallet.test";
const TEXTS: Readonly<Record<string, string>> = {
  "/wallet/": "<p>the page</p>",
  "/assets/a-1.js": "open()",
  "/assets/prover-1.wasm": "prove()",
};
const HEADERS = { "Content-Type": "text/plain", "Content-Security-Policy": "default-src 'none'" };
const BUILD: KeptBuild = {
  id: "one",
  files: Object.fromEntries(
    Object.entries(TEXTS).map(([path, text]) => [
      path,
      {
        hash: createHash("sha256").update(text).digest("hex"),
        bytes: text.length,
        headers: HEADERS,
        isFirst: !path.includes("prover"),
      },
    ]),
  ),
};

class FakeStore {
  readonly kept = new Map<string, Response>();
  isFull = false;

  async match(path: string): Promise<Response | undefined> {
    const kept = this.kept.get(path)?.clone();
    // A clone that is not read to its end waits for the other one.
    return kept && new Response(await kept.arrayBuffer(), { headers: kept.headers });
  }

  async put(path: string, response: Response): Promise<void> {
    if (this.isFull) throw new DOMException("full", "QuotaExceededError");
    this.kept.set(path, response);
  }
}

let store: FakeStore;
let earlier: FakeStore;
let asked: string[];
let serve: (path: string) => Response | Promise<Response>;
const parts = (): KeeperParts => ({
  build: BUILD,
  store,
  earlier,
  fetch: async (path) => {
    asked.push(path);
    return serve(path);
  },
});

beforeEach(() => {
  store = new FakeStore();
  earlier = new FakeStore();
  asked = [];
  serve = (path) => new Response(TEXTS[path] ?? "", { headers: { "X-Server": "told" } });
});

describe("the first files", () => {
  it("are kept with the headers of the build, and none of the server's", async () => {
    await keepFirst(parts());
    expect([...store.kept.keys()].toSorted()).toEqual(["/assets/a-1.js", "/wallet/"]);
    const page = await store.match("/wallet/");
    expect(await page?.text()).toBe("<p>the page</p>");
    expect(page?.headers.get("content-security-policy")).toBe("default-src 'none'");
    expect(page?.headers.get("x-server")).toBeNull();
  });

  it.each<[string, () => Response | Promise<Response>]>([
    ["altered, of the same length", () => new Response("<p>the sage</p>")],
    ["longer", () => new Response(`${TEXTS["/wallet/"]}<script>`)],
    ["shorter", () => new Response("<p>")],
    ["empty", () => new Response(null, { status: 204 })],
    ["a refusal with the right bytes", () => new Response(TEXTS["/wallet/"], { status: 404 })],
    ["an error", () => new Response("", { status: 500 })],
    ["nothing", () => Promise.reject(new TypeError("no network"))],
    [
      "without end",
      () => new Response(new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(1024)) })),
    ],
  ])("are refused as a whole where one is %s", async (_, answer) => {
    serve = (path) => (path === "/wallet/" ? answer() : new Response(TEXTS[path]));
    await expect(keepFirst(parts())).rejects.toBeInstanceOf(Error);
    expect(store.kept.has("/wallet/")).toBe(false);
  });

  it("are not kept in part by a full disk", async () => {
    store.isFull = true;
    await expect(keepFirst(parts())).rejects.toThrow("full");
  });

  it("are taken from an earlier build where they are the same, and from the server where they are not", async () => {
    earlier.kept.set("/assets/a-1.js", new Response(TEXTS["/assets/a-1.js"]));
    earlier.kept.set("/wallet/", new Response("<p>an earlier page</p>"));
    await keepFirst(parts());
    expect(asked).toEqual(["/wallet/"]);
    expect(await (await store.match("/wallet/"))?.text()).toBe("<p>the page</p>");
  });
});

describe("an answer", () => {
  it("is the kept file, and the server is not asked", async () => {
    await keepFirst(parts());
    asked = [];
    serve = () => new Response("steal()");
    expect(await (await answerOf(parts(), "/assets/a-1.js")).text()).toBe("open()");
    expect(asked).toEqual([]);
  });

  it("of a later file is the server's, once, if it is the file of the build", async () => {
    expect(await (await answerOf(parts(), "/assets/prover-1.wasm")).text()).toBe("prove()");
    expect(await (await answerOf(parts(), "/assets/prover-1.wasm")).text()).toBe("prove()");
    expect(asked).toEqual(["/assets/prover-1.wasm"]);
  });

  it("is a broken connection for an altered file, which is not kept", async () => {
    serve = () => new Response("steal()");
    const answer = await answerOf(parts(), "/assets/prover-1.wasm");
    expect([answer.type, answer.status]).toEqual(["error", 0]);
    expect(store.kept.size).toBe(0);
    // The server tells the truth again.
    serve = () => new Response("prove()");
    expect((await answerOf(parts(), "/assets/prover-1.wasm")).status).toBe(200);
  });

  it("is the server's refusal, by which pages tell another build", async () => {
    serve = () => new Response("", { status: 404 });
    expect((await answerOf(parts(), "/assets/prover-1.wasm")).status).toBe(404);
    expect(store.kept.size).toBe(0);
  });

  it("comes though nothing can be kept", async () => {
    store.isFull = true;
    expect((await answerOf(parts(), "/assets/prover-1.wasm")).status).toBe(200);
  });
});

describe("a request", () => {
  const request = (path: string, change: Partial<AskedFile> = {}): AskedFile => ({
    url: ORIGIN + path,
    method: "GET",
    mode: "cors",
    cache: "default",
    headers: new Headers(),
    ...change,
  });

  it("for a file of the build is answered, a page also with what its script reads", () => {
    expect(keptPath(BUILD, request("/assets/a-1.js"), ORIGIN)).toBe("/assets/a-1.js");
    const page = request("/wallet/?proof-threads=2#/send", { mode: "navigate" });
    expect(keptPath(BUILD, page, ORIGIN)).toBe("/wallet/");
  });

  it.each([
    ["of a node", request("/v1/tip")],
    ["of the explorer", request("/explorer/", { mode: "navigate" })],
    ["of another origin", request("", { url: "https://other.test/wallet/" })],
    ["that writes", request("/wallet/", { method: "POST" })],
    ["past every cache", request("/assets/a-1.js", { cache: "no-store" })],
    ["for the server's own answer", request("/assets/a-1.js", { cache: "reload" })],
    ["for a part", request("/assets/a-1.js", { headers: new Headers({ Range: "bytes=0-1" }) })],
    ["with a question", request("/assets/a-1.js?x=1")],
    ["for a name of the language's own", request("/constructor")],
  ])("%s goes by", (_, asked) => {
    expect(keptPath(BUILD, asked, ORIGIN)).toBeNull();
    expect(earlierPath(BUILD, asked, ORIGIN)).toBeNull();
  });

  it("for a file of another build may be of the earlier one, which answers for no page", () => {
    for (const path of ["/assets/a-2.js", "/workers/w-2.js"]) {
      expect(keptPath(BUILD, request(path), ORIGIN)).toBeNull();
      expect(earlierPath(BUILD, request(path), ORIGIN)).toBe(path);
    }
    expect(earlierPath(BUILD, request("/assets/a-1.js"), ORIGIN)).toBeNull();
    expect(earlierPath(BUILD, request("/assets/", { mode: "navigate" }), ORIGIN)).toBeNull();
  });
});
