/** The explorer at the edge in a browser: the Worker in workerd before a real node, its pages live, and nothing asked of anybody else. */
import { join } from "node:path";
import type { Page } from "playwright-core";
import * as v from "valibot";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { freePort } from "../network/freePort.ts";
import { ListeningProgram } from "../network/listeningProgram.ts";
import { openPage } from "./browser.ts";
import { setScene } from "./scene.ts";

/** From acceptance to the page. */
const SHOWN_WITHIN_MS = 1_500;
const BLOCKS = 5;
const chain = v.object({ rows: v.array(v.object({ hash: v.string() })) });
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

test("a block appears on an open page of the edge within 1.5 seconds of its acceptance", async () => {
  const { page, watch } = await openPage(await scene.browser.newContext(), `${edge}/blocks`);
  await page.locator("tbody tr[data-key]").first().waitFor();
  const delays: number[] = [];
  for (let seen = await newestOf(page); delays.length < BLOCKS; seen = await newestOf(page)) {
    const accepted = await untilTipDiffers(seen);
    await page.locator(`tr[data-key="${accepted.hash}"]`).waitFor();
    delays.push(performance.now() - accepted.atMs);
  }
  console.log(`blocks shown after ${delays.map(Math.round).join(", ")} ms`);
  expect(Math.max(...delays)).toBeLessThan(SHOWN_WITHIN_MS);
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

async function newestOf(page: Page): Promise<string> {
  return (await page.locator("tbody tr[data-key]").first().getAttribute("data-key")) ?? "";
}

/** The next block of the node's chain, and when the node said that it has it. */
async function untilTipDiffers(hash: string): Promise<{ hash: string; atMs: number }> {
  for (;;) {
    const response = await fetch(`${scene.node.url}/v1/chain?limit=1`);
    const newest = v.parse(chain, await response.json()).rows[0]?.hash;
    if (newest !== undefined && newest !== hash) return { hash: newest, atMs: performance.now() };
  }
}
