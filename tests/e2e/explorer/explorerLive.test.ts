/** The explorer of a real node: blocks appear, a reorganisation moves them, the node goes and comes back, unknown hashes are told. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { PATIENCE_MS } from "../../network/testkit/networkSizes.ts";
import { mineAt, payAddressOf } from "../../network/testkit/nodeMiner.ts";
import type { NodeProcess } from "../../network/testkit/nodeProcess.ts";
import { Scene as NodeScene } from "../../network/testkit/scene.ts";
import { openPage } from "../testkit/browser.ts";
import { setScene } from "../testkit/scene.ts";
import { newestOf, shownBlocks } from "./shownBlocks.ts";
import { STEP_HANG_MS } from "../../testkit/hangMs.ts";

const SIMNET = new URL("../../../wasm-core/profiles/simnet.json", import.meta.url);
const PAGES = fileURLToPath(new URL("../../../web/dist", import.meta.url));
/** Blocks that both branches have, and that one of them loses. */
const [COMMON, GIVEN_UP] = [4, 5];
/** An answer of the node may have been made just before; the time itself is a figure of the benchmark `edge`. */
const MOST_ASKED = 2;

const chain = v.object({ rows: v.array(v.object({ hash: v.string() })) });
const scene = setScene();

describe("an open page", () => {
  test("shows a block by the second question after its acceptance", async () => {
    const { page, watch } = await openPage(await scene.browser.newContext(), explorer("/blocks"));
    const blocks = await shownBlocks(page, scene.node.url, 5);
    console.log(blocks.map(({ delayMs, asked }) => `${Math.round(delayMs)} ms, asked ${asked}`));
    expect(Math.max(...blocks.map(({ asked }) => asked))).toBeLessThanOrEqual(MOST_ASKED);
    expect(watch.faults).toEqual([]);
    expect(watch.strangers).toEqual([]);
    await page.context().close();
  });

  test("keeps what it shows while the node is away, and goes on afterwards", async () => {
    const { page } = await openPage(await scene.browser.newContext(), explorer("/"));
    await page.locator("tbody tr[data-key]").first().waitFor();
    const seen = await newestOf(page);
    await scene.node.stop();
    await page.getByTestId("live-state").getByText("last data shown").waitFor();
    await page.getByTestId("stale").first().waitFor();
    expect(await page.locator("tbody tr[data-key]").count()).toBeGreaterThan(0);
    await scene.node.start();
    await page.getByTestId("live-state").getByText("Live").waitFor();
    await untilNewestDiffers(page, seen);
    await page.context().close();
  });

  test("of a block tells what it is, and links to what it carries", async () => {
    const { page, watch } = await openPage(await scene.browser.newContext(), explorer("/blocks"));
    await page.locator("tbody tr a").nth(3).click();
    await page.getByTestId("block-place").waitFor();
    await page.getByRole("heading", { name: "Header" }).waitFor();
    await page.locator("td, th").locator("a.hash").first().click();
    await page.getByRole("heading", { name: "Transaction", exact: true }).waitFor();
    expect(await page.getByTestId("transaction-status").getAttribute("data-status")).toMatch(
      /^(?:applied|included)$/,
    );
    expect(watch.faults).toEqual([]);
    await page.context().close();
  });
});

describe("what the browser recomputes", () => {
  /** What it says when everything is as it was shown. */
  const SAME = "Your browser recomputed what the steps below say holds";

  test("stands on the page of a block, of a transaction and of the supply", async () => {
    const { page, watch } = await openPage(await scene.browser.newContext(), explorer("/blocks"));
    // Deep enough that a block of the chain stands above it.
    await page.locator("tbody tr", { hasText: "chain" }).nth(3).locator("a").first().click();
    await page.locator("#check-block").getByText(SAME).waitFor();
    await page.locator("td, th").locator("a.hash").first().click();
    await page.locator("#check-transaction").getByText(SAME).waitFor();
    await page.goto(explorer("/supply"));
    const audit = page.locator("#supply-audit");
    // To the newest block nothing commits yet, which the audit says: a moment later a block stands above what is shown.
    const again = audit.getByRole("button", { name: "Check again" });
    await expect
      .poll(
        async () => {
          const isSame = await audit.getByText(SAME).isVisible();
          if (!isSame && (await again.isVisible())) await again.click();
          return isSame;
        },
        { timeout: STEP_HANG_MS, interval: 1_000 },
      )
      .toBe(true);
    await page.locator("#supply-audit").getByText("Verifying key").waitFor();
    expect(watch.faults).toEqual([]);
    expect(watch.strangers).toEqual([]);
    await page.context().close();
  });
});

test("a reorganisation moves the blocks of an open page", async () => {
  const nodes = new NodeScene(readFileSync(SIMNET, "utf8"));
  const node = await nodes.node({ name: "node", more: [`--pages=${PAGES}`, "--index"] });
  const common = await nodes.node({ name: "other", peers: [node.peerPort] });
  await mineAt(node, COMMON, payAddressOf(1));
  await common.untilTip("the common blocks", isAt(COMMON), PATIENCE_MS);
  await common.stop();
  const other = await nodes.node({ name: "other" });
  await mineAt(node, GIVEN_UP, payAddressOf(2));
  await mineAt(other, GIVEN_UP + 1, payAddressOf(3));
  const [lost, kept] = [await chainOf(node), await chainOf(other)];

  const context = await scene.browser.newContext();
  const { page, watch } = await openPage(context, `${node.http}/explorer/blocks`);
  const placeOf = (hash: string | undefined) =>
    page.locator(`tr[data-key="${hash}"] .badge`).getAttribute("data-tone");
  await page.locator(`tr[data-key="${lost[0]}"]`).waitFor();
  expect(await placeOf(lost[0])).toBe("good");
  await node.addPeer(other.peerPort);
  await page.locator(`tr[data-key="${kept[0]}"]`).waitFor();
  await expect.poll(() => placeOf(kept[0])).toBe("good");
  await expect.poll(() => placeOf(lost[0])).not.toBe("good");
  await page.goto(`${node.http}/explorer/charts`);
  await page.getByRole("table").getByText(String(GIVEN_UP), { exact: true }).waitFor();
  expect(watch.faults).toEqual([]);
  await context.close();
});

describe("an unknown hash", () => {
  test.each(["blocks", "transactions"])(
    "below /%s is a page with 404 that says why",
    async (list) => {
      const { page } = await openPage(
        await scene.browser.newContext(),
        explorer(`/${list}/${"00".repeat(32)}`),
      );
      expect(await page.getByTestId("unknown-reason").innerText()).toContain(
        "has never seen this hash",
      );
      const answer = await fetch(explorer(`/${list}/${"00".repeat(32)}`));
      expect(answer.status).toBe(404);
      await page.context().close();
    },
  );
});

describe("the addresses", () => {
  test("of the blocks page lead to the explorer", async () => {
    const answer = await fetch(`${scene.node.url}/blocks/`, { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([308, "/explorer/blocks"]);
  });

  test("of the explorer are found from the landing page", async () => {
    const { page } = await openPage(await scene.browser.newContext(), `${scene.node.url}/`);
    await page.getByRole("link", { name: "Explorer" }).click();
    await page.getByRole("heading", { name: "The chain now" }).waitFor();
    await page.context().close();
  });
});

function explorer(path: string): string {
  return `${scene.node.url}/explorer${path}`;
}

function isAt(height: number): (tip: { readonly chainIndex: bigint }) => boolean {
  return ({ chainIndex }) => chainIndex === BigInt(height);
}

/** Hashes of a node's chain, the newest first. */
async function chainOf(node: NodeProcess): Promise<readonly string[]> {
  const response = await fetch(`${node.http}/v1/chain?limit=100`);
  return v.parse(chain, await response.json()).rows.map(({ hash }) => hash);
}

async function untilNewestDiffers(page: Page, hash: string): Promise<void> {
  await page.waitForFunction((old) => {
    const top = document.querySelector("tbody tr[data-key]");
    return top !== null && top.getAttribute("data-key") !== old;
  }, hash);
}
