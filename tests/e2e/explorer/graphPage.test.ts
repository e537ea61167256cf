/** The block graph on the explorer's own pages: replayed under an address, reached from the extremes, beside its list. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GRAPH_ROWS } from "@svc/shared/explorer/explorerPaths.ts";
import { minuteOf } from "@svc/shared/explorer/dag/replayTape.ts";
import { exampleAnswer } from "@svc/web/explorer/testkit/exampleDocuments.ts";
import { launchBrowser, openPage } from "../testkit/browser.ts";
import { BUILT_PAGES } from "../testkit/placePages.ts";
import { ExplorerServer } from "./explorerServer.ts";
import { documentOf, FIRST_MINUTE, graphBlocks } from "@svc/web/explorer/testkit/graphBlocks.ts";
import { STEP_HANG_MS } from "../../testkit/hangMs.ts";

const PATIENT = { timeout: STEP_HANG_MS };
const HASH = "ab".repeat(32);
const BLOCKS = graphBlocks(400);
const covered = { coveredFrom: null, isComplete: true };

let server: ExplorerServer;
let browser: Browser;

beforeAll(async () => {
  server = await ExplorerServer.start(BUILT_PAGES);
  server.answer = (path) => {
    const body = bodyOf(new URL(path, server.url));
    return { ...exampleAnswer(path), ...(body === null ? {} : { status: 200, body }) };
  };
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** Minutes of the made-up DAG, and extremes that lie in them. */
function bodyOf({ pathname, searchParams }: URL): string | null {
  if (pathname === "/blocks/window") {
    const minute = Number(searchParams.get("minute"));
    const blocks = BLOCKS.filter(({ timestamp }) => minuteOf(timestamp) === minute);
    return JSON.stringify({ ...covered, minute, blocks: blocks.map(documentOf) });
  }
  if (pathname !== "/info/extremes") return null;
  const deepest = {
    t: (FIRST_MINUTE + 1) * 60_000 + 5_000,
    depth: 3,
    oldTip: HASH,
    newTip: HASH,
    forkPoint: HASH,
    forkPointUnknown: null,
    removed: 3,
    added: 4,
  };
  return JSON.stringify({
    ...covered,
    widest: [{ minute: FIRST_MINUTE, count: 91 }],
    reddest: [{ minute: FIRST_MINUTE + 1, count: 12 }],
    deepest: [deepest],
  });
}

/** The hash of the first block of a list. */
function newestOf(body: string): string | undefined {
  const [first]: { block_hash: string }[] = JSON.parse(body);
  return first?.block_hash;
}

async function open(path: string) {
  const context = await browser.newContext({ reducedMotion: "no-preference" });
  return { ...(await openPage(context, `${server.url}/explorer${path}`)), context };
}

const seen = async (page: Page): Promise<number> =>
  Number(await page.locator(".dag").getAttribute("data-seen"));

/** The minute that the list shows: the one after that to which the way back leads. */
const listed = async (page: Page): Promise<number> => {
  const href = await page.getByRole("link", { name: "A minute earlier" }).getAttribute("href");
  return Number(/minute=(\d+)/.exec(href ?? "")?.[1]) + 1;
};

test("a replay that goes live shows the newest blocks in its list, under the address of the present", async () => {
  const { page, watch, context } = await open(`/dag?minute=${FIRST_MINUTE}&speed=1`);
  await page.getByRole("heading", { name: "Replay" }).waitFor();
  const before = await page.locator("tbody tr").first().getAttribute("data-key");
  await page.getByRole("button", { name: "Back to live" }).click();
  await page.getByRole("heading", { name: "Live graph" }).waitFor();
  await page.getByTestId("live-blocks").waitFor();
  const newest = newestOf(server.answer(`/blocks/recent?limit=${GRAPH_ROWS}`).body);
  await expect
    .poll(() => page.locator("tbody tr").first().getAttribute("data-key"), PATIENT)
    .toBe(newest);
  expect(newest).not.toBe(before);
  expect(await page.getByRole("link", { name: "A minute later" }).count()).toBe(0);
  expect(new URL(page.url()).search).toBe("");
  expect(watch.faults).toEqual([]);
  await context.close();
});

test("a minute is replayed under its address, with the same blocks as a list", async () => {
  server.asked.length = 0;
  const { page, watch, context } = await open(`/dag?minute=${FIRST_MINUTE}&speed=0`);
  const minute = BLOCKS.filter(({ timestamp }) => minuteOf(timestamp) === FIRST_MINUTE);
  await expect.poll(() => seen(page), PATIENT).toBe(minute.length);
  expect(await page.locator("tbody tr").count()).toBe(minute.length);
  await page.getByRole("button", { name: "Play" }).click();
  await page.getByLabel("Speed").selectOption("60");
  // It plays on into the minutes that follow, and the list with it.
  await expect.poll(() => seen(page), PATIENT).toBeGreaterThan(minute.length);
  await expect.poll(() => listed(page), PATIENT).toBeGreaterThan(FIRST_MINUTE);
  await page.getByRole("button", { name: "Pause" }).click();
  const at = await listed(page);
  const there = BLOCKS.filter(({ timestamp }) => minuteOf(timestamp) === at);
  await expect.poll(() => page.locator("tbody tr").count(), PATIENT).toBe(there.length);
  expect(server.asked.filter((path) => path.includes(`minute=${at}`))).toHaveLength(1);
  expect(watch.faults).toEqual([]);
  expect(watch.strangers).toEqual([]);
  await context.close();
});

test("the widest, the reddest and the deepest moments lead into their replay", async () => {
  const { page, context } = await open("/dag/extremes");
  const links = page.locator("main a[href*='minute=']");
  const targets = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  expect(targets).toEqual([
    `/explorer/dag?minute=${FIRST_MINUTE}`,
    `/explorer/dag?minute=${FIRST_MINUTE + 1}`,
    `/explorer/dag?minute=${FIRST_MINUTE + 1}`,
  ]);
  await links.last().click();
  await page.getByText("Replay", { exact: true }).first().waitFor();
  await expect.poll(() => seen(page), PATIENT).toBeGreaterThan(0);
  await context.close();
});
