/**
 * The explorer's pages tell where a block stands on the chain, by work that the browser recomputes: before a node of a network that asks
 * for work, and before a server that lies about it (docs/light-client.md).
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { launchBrowser, openPage } from "../testkit/browser.ts";
import { LyingProxy, refusing, type LieAt } from "../testkit/lyingProxy.ts";
import { WorkedNode } from "../testkit/workedNode.ts";
import { STEP_HANG_MS } from "../../testkit/hangMs.ts";

const MINER = "07".repeat(32);
const BLOCKS = 180;

const recent = v.array(
  v.object({ block_hash: v.string(), txs: v.array(v.object({ txId: v.string() })) }),
);
let node: WorkedNode;
let browser: Browser;
/** From the tip down. */
let blocks: v.InferOutput<typeof recent>;
const proxies: LyingProxy[] = [];

beforeAll(async () => {
  node = await WorkedNode.start({ index: "on" });
  await node.mine(BLOCKS, MINER);
  browser = await launchBrowser();
  const ask = async () => {
    const answer = await fetch(`${node.url}/api/blocks/recent?limit=200`);
    blocks = v.parse(recent, await answer.json());
    return blocks.length > BLOCKS;
  };
  await vi.waitUntil(ask, { timeout: STEP_HANG_MS });
});

afterAll(async () => {
  await browser?.close();
  await Promise.all(proxies.map((proxy) => proxy.close()));
  await node?.stop();
});

const deep = () => blocks[160]?.block_hash ?? "";

/** Keeps pictures of a page on a phone and a desk, in both themes, where a person asked for them. */
async function look(at: Page, name: string): Promise<void> {
  const place = process.env["SVC_SCREENSHOTS"];
  if (place === undefined) return;
  mkdirSync(place, { recursive: true });
  for (const width of [375, 1_100]) {
    await at.setViewportSize({ width, height: 900 });
    for (const colorScheme of ["light", "dark"] as const) {
      await at.emulateMedia({ colorScheme });
      const panel = at.getByTestId("check").first();
      await panel.screenshot({ path: join(place, `${name}-${width}-${colorScheme}.png`) });
    }
  }
}

type Told = { readonly verdict: string; readonly said: string; readonly outcome: string };

/** What a page says of the chain, and its verdict. */
async function read(page: Page): Promise<Told> {
  const line = page.getByTestId("check-chain");
  await line.waitFor();
  const verdict = page.getByTestId("check-verdict").first();
  return {
    verdict: (await verdict.getAttribute("data-verdict")) ?? "",
    said: (await line.textContent()) ?? "",
    outcome: (await line.getAttribute("data-outcome")) ?? "",
  };
}

async function shown(path: string, lie?: LieAt) {
  const proxy = await LyingProxy.before(node.url);
  proxies.push(proxy);
  if (lie !== undefined) proxy.tell(lie);
  const context = await browser.newContext();
  const { page, watch } = await openPage(context, `${proxy.url}/explorer${path}`);
  return { ...(await read(page)), page, watch, proxy };
}

describe("a truthful server", () => {
  test("shows a block with its number and the work above it, and what that does not show", async () => {
    const { page, verdict, said, outcome, watch } = await shown(`/blocks/${deep()}`);
    expect([verdict, outcome]).toEqual(["ok", "ok"]);
    expect(said).toContain(`chain block number ${BLOCKS - 160}.`);
    expect(said).toContain(
      "160 chain blocks stand on it. The server showed about 2 minutes of work above it",
    );
    expect(said).toContain("Whoever makes this up has to mine these blocks");
    expect(said).toContain("None of this shows that no other chain has more work");
    expect(watch).toEqual({ faults: [], strangers: [] });
    await page.getByText("What was checked").click();
    await look(page, "chain-shown");
    await page.context().close();
  });

  test("shows the next page of the visit with the same headers: they are not sent again", async () => {
    const asked: string[] = [];
    const { page, proxy } = await shown(`/blocks/${deep()}`, (path, answer) => {
      if (path.startsWith("/api/evidence/")) asked.push(path);
      return answer;
    });
    const kinds = () => asked.map((path) => path.slice("/api/evidence/".length).split("?", 1)[0]);
    expect(new Set(kinds())).toEqual(new Set(["tip", "opening", "run", "membership"]));
    expect(kinds()).toHaveLength(4);
    asked.splice(0);
    await page.goto(`${proxy.url}/explorer/blocks/${blocks[170]?.block_hash}`);
    expect(await read(page)).toMatchObject({ verdict: "ok", outcome: "ok" });
    expect(kinds()).toEqual(["membership"]);
    await page.context().close();
  });

  test("shows a young block under the few headers above it, and the newest not at all", async () => {
    const young = await shown(`/blocks/${blocks[12]?.block_hash}`);
    expect([young.outcome, young.said]).toEqual([
      "ok",
      expect.stringContaining("12 chain blocks stand on it."),
    ]);
    await young.page.context().close();
    const newest = await shown(`/blocks/${blocks[0]?.block_hash}`);
    expect([newest.outcome, newest.said]).toEqual([
      "notProvable",
      expect.stringContaining("No block of the chain stands on it yet"),
    ]);
    await look(newest.page, "chain-young");
    await newest.page.context().close();
  });

  test("shows which chain block accepted a transaction", async () => {
    const { page, verdict, said } = await shown(`/transactions/${blocks[160]?.txs[0]?.txId}`);
    expect(verdict).toBe("ok");
    expect(said).toContain("Taken up by the chain of this network, in chain block number");
    await look(page, "chain-transaction");
    await page.context().close();
  });
});

describe("a lying server", () => {
  /** Answers a piece with another one. */
  const instead = (piece: string, alter: (path: string, body: Buffer) => unknown): LieAt => {
    return async (path, answer) => {
      if (!path.startsWith(`/api/evidence/${piece}`) || answer.status !== 200) return answer;
      return { ...answer, body: Buffer.from(Object(await alter(path, answer.body))) };
    };
  };
  const asked = async (path: string): Promise<Buffer> =>
    Buffer.from(await (await fetch(`${node.url}${path}`)).arrayBuffer());
  const other = () => blocks[170]?.block_hash ?? "";
  const flipped = (_: string, body: Buffer) => {
    // In the middle: another last header is one that somebody may have mined, as one in sixteen here.
    const place = body.length >> 1;
    body[place] = (body[place] ?? 0) ^ 1;
    return body;
  };

  test.each([
    ["an altered membership", () => instead("membership", flipped), "does not hold"],
    [
      "the membership of another block",
      () => instead("membership", (path) => asked(path.replace(deep(), other()))),
      "the place of another block",
    ],
    ["an altered run", () => instead("run", flipped), "The server does not show the chain"],
    [
      "the opening of another state",
      () => instead("opening", () => asked(`/api/evidence/opening?of=${other()}`)),
      "does not hold",
    ],
  ])("with %s is named, and the page is not to be relied on", async (_, lie, words) => {
    const { page, verdict, outcome, said } = await shown(`/blocks/${deep()}`, lie());
    expect([verdict, outcome, said]).toEqual([
      "differs",
      "differs",
      expect.stringContaining(words),
    ]);
    await page.locator('tr[data-step="onChain"][data-outcome="differs"]').waitFor();
    await look(page, "chain-differs");
    await page.context().close();
  });

  test("that withholds evidence is named; what else was checked stands", async () => {
    const silent = refusing(/^\/api\/evidence\//, 404, "http/not-found");
    const { page, verdict, outcome, said } = await shown(`/blocks/${deep()}`, silent);
    expect([verdict, outcome]).toEqual(["ok", "notProvable"]);
    expect(said).toContain("Not shown to be on the chain: The server gives no evidence");
    await look(page, "chain-withheld");
    await page.context().close();
  });
});
