/** The explorer at the edge in a browser: the Worker in workerd before a real node, its pages live, and nothing asked of anybody else. */
import { join } from "node:path";
import * as v from "valibot";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { freePort } from "../../network/testkit/freePort.ts";
import { ListeningProgram } from "../../network/testkit/listeningProgram.ts";
import { openPage } from "../testkit/browser.ts";
import { setScene } from "../testkit/scene.ts";
import { shownBlocks } from "./shownBlocks.ts";

/**
 * The first question may get what the edge has held for half a second, and so may the second one, where it was sent while the first was
 * answered; the time itself is a figure of the benchmark `edge`.
 */
const MOST_ASKED = 3;
const BLOCKS = 5;
const named = v.object({ block: v.string(), child: v.string(), sink: v.string() });
const scene = setScene();
const folder = temporaryFolder();
let worker: ListeningProgram;
let edge: string;

beforeAll(async () => {
  worker = new ListeningProgram({
    name: "edge",
    command: [
      ...["scripts/edge.ts", "explorer", `--port=${await freePort()}`],
      ...[`--node=${scene.node.url}`, `--data=${join(folder.path, "edge")}`],
    ],
    home: folder.path,
    listens: /the explorer answers at (http:\S+)/,
    log: [],
  });
  edge = await worker.listening();
});
afterAll(async () => {
  await worker?.stop();
  folder.remove();
});

test("a block appears on an open page of the edge by the third question after its acceptance", async () => {
  const { page, watch } = await openPage(await scene.browser.newContext(), `${edge}/blocks`);
  const blocks = await shownBlocks(page, scene.node.url, BLOCKS);
  console.log(blocks.map(({ delayMs, asked }) => `${Math.round(delayMs)} ms, asked ${asked}`));
  expect(Math.max(...blocks.map(({ asked }) => asked))).toBeLessThanOrEqual(MOST_ASKED);
  // A node without an index refuses some documents.
  expect(watch.faults.filter((fault) => !fault.startsWith("Failed to load"))).toEqual([]);
  expect(watch.strangers).toEqual([]);
  await page.context().close();
});

test("a page of the edge reads without script", async () => {
  const context = await scene.browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${edge}/blocks`);
  expect(await page.locator("tbody tr[data-key]").count()).toBeGreaterThan(1);
  await context.close();
});

test("the edge gives the node's evidence of the chain, byte for byte", async () => {
  const told = await fetch(`${edge}/api/evidence/tip?depth=10`);
  const { block, child, sink } = v.parse(named, await told.json());
  for (const path of [
    `/evidence/opening?of=${block}`,
    `/evidence/run?from=${child}&to=${sink}`,
    `/evidence/membership?of=${block}&at=${block}`,
  ]) {
    const bytes = async (place: string) => {
      const answer = await fetch(`${place}/api${path}`);
      return [answer.status, Buffer.from(await answer.arrayBuffer()).toString("hex")];
    };
    const own = await bytes(edge);
    expect([path, own]).toEqual([path, await bytes(scene.node.url)]);
    expect(own[0]).toBe(200);
  }
});

test("node and edge tell search engines of the same pages, each below its own place, and each page is known", async () => {
  const node = await listedBelow(`${scene.node.url}/explorer`);
  expect(await listedBelow(edge)).toEqual(node);
  expect(node.length).toBeGreaterThan(9);
  // A node without an index has no document for some of them; none is unknown.
  for (const path of node)
    expect([path, (await fetch(`${edge}${path}`)).status]).not.toEqual([path, 404]);
});

/** Paths of the pages in the list of a server, below its place. */
async function listedBelow(place: string): Promise<readonly string[]> {
  const answer = await fetch(`${place}/sitemap.xml`);
  expect(answer.headers.get("content-type")).toBe("application/xml; charset=utf-8");
  const found = [...(await answer.text()).matchAll(/<loc>(.*?)<\/loc>/g)];
  return found.map(([, address = ""]) => {
    expect(address.startsWith(`${place}/`)).toBe(true);
    return address.slice(place.length);
  });
}
