/** The explorer at the edge, as `npm run edge -- explorer` starts it, before a real node: the same bytes, a new block, the node down and back. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { freePort } from "../../network/testkit/freePort.ts";
import { ListeningProgram } from "../../network/testkit/listeningProgram.ts";
import { recipient } from "../engine/engineFixture.ts";
import { mineOn } from "../node/nodeFixture.ts";
import { untilFound } from "../node/untilFound.ts";
import { askRest, startRecordedNode } from "../rest/restScene.ts";

/** What the engine of a node answers without an index. */
const PATHS = [
  ...["/info/blockdag", "/info/shielded", "/info/coinsupply", "/info/blockreward"],
  ...["/info/halving", "/info/network", "/info/nodes", "/info/mempool", "/info/fee-estimate"],
  ...["/info/rules", "/blocks/recent?limit=5", "/blocks/at?blueScore=7", "/openapi.json"],
];

const folder = temporaryFolder();
const nodePort = await freePort();
let node: RunningNode;
let worker: ListeningProgram;
let edge: string;

beforeAll(async () => {
  node = await startRecordedNode({ http: { port: nodePort } });
  const port = await freePort();
  worker = new ListeningProgram({
    name: "edge",
    command: [
      ...["scripts/edge.ts", "explorer", `--port=${port}`, `--node=${node.httpAddress ?? ""}`],
      `--data=${join(folder.path, "edge")}`,
    ],
    home: folder.path,
    listens: /the explorer answers at (http:\S+)/,
    log: [],
  });
  edge = await worker.listening();
});
afterAll(async () => {
  await worker?.stop();
  await node?.stop();
  folder.remove();
});

async function bytesAt(answer: Promise<Response>): Promise<readonly [number, string]> {
  const response = await answer;
  return [response.status, Buffer.from(await response.arrayBuffer()).toString("latin1")];
}

const ask = (path: string): Promise<Response> => fetch(`${edge}/api${path}`);

async function sinkAt(answer: Promise<Response>): Promise<unknown> {
  const body: unknown = await (await answer).json();
  return Reflect.get(Object(body), "sink");
}

describe("the explorer before a real node", () => {
  it("answers with the bytes of the node, refusals among them", async () => {
    const sink = String(await sinkAt(askRest(node, "/info/blockdag")));
    const unknown = "99".repeat(32);
    const paths = [
      ...[...PATHS, `/blocks/${sink}`, `/blocks/${sink}/bytes`, `/blocks/${unknown}`],
      ...[`/transactions/${unknown}`, "/blocks/abc", "/nothing", "/health"],
    ];
    for (const path of paths) {
      expect(await bytesAt(ask(path)), path).toEqual(await bytesAt(askRest(node, path)));
    }
  });

  it("renders its pages from these documents", async () => {
    const sink = String(await sinkAt(ask("/info/blockdag")));
    const overview = await fetch(`${edge}/`);
    expect(overview.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(overview.headers.get("referrer-policy")).toBe("no-referrer");
    const page = await fetch(`${edge}/blocks/${sink}`);
    const html = await page.text();
    expect([overview.status, page.status]).toEqual([200, 200]);
    expect(html).toContain(sink);
    const [, script = ""] = /<script type="module" src="([^"]+)"/.exec(html) ?? [];
    const file = await fetch(`${edge}${script}`);
    expect([file.status, file.headers.get("cache-control")]).toEqual([
      200,
      "public, max-age=31536000, immutable",
    ]);
  });

  it("shows each block that the node accepts", async () => {
    for (let block = 0; block < 3; block += 1) {
      await sinkAt(ask("/info/blockdag"));
      const sink = await mineOn(node, recipient(4));
      await untilFound(async () => (await sinkAt(ask("/info/blockdag"))) === sink);
    }
  });

  it("shows the last data while the node is down, and new ones when it is back", async () => {
    const sink = await sinkAt(ask("/info/blockdag"));
    await node.stop();
    const isLast = async (): Promise<boolean> =>
      (await ask("/info/blockdag")).headers.get("x-stale") === "1";
    await untilFound(isLast);
    const last = await ask("/info/blockdag");
    expect([last.status, await sinkAt(Promise.resolve(last))]).toEqual([200, sink]);
    const never = await ask(`/blocks/${"77".repeat(32)}`);
    expect([never.status, never.headers.get("retry-after")]).toEqual([503, "10"]);
    node = await startRecordedNode({ http: { port: nodePort } });
    const back = await sinkAt(askRest(node, "/info/blockdag"));
    await untilFound(async () => (await sinkAt(ask("/info/blockdag"))) === back);
    expect(await isLast()).toBe(false);
  });
});
