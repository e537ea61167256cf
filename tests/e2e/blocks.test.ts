/** The blocks page: grows with the chain, opens blocks, survives a reorganisation and a lost node. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { PATIENCE_MS } from "../network/networkSizes.ts";
import { mineAt, payAddressOf } from "../network/nodeMiner.ts";
import type { NodeProcess } from "../network/nodeProcess.ts";
import { Scene as NodeScene } from "../network/scene.ts";
import { openPage } from "./browser.ts";
import { setScene } from "./scene.ts";

const SIMNET = new URL("../../wasm-core/profiles/simnet.json", import.meta.url);
const PAGES = fileURLToPath(new URL("../../web/dist", import.meta.url));
/** Blocks that both branches have, and that one of them loses. */
const [COMMON, GIVEN_UP] = [4, 5];

const chain = v.object({ rows: v.array(v.object({ hash: v.string() })) });
const scene = setScene();

describe("the blocks page", () => {
  test("shows new blocks by itself and what they did", async () => {
    const { page, watch } = await openPage(
      await scene.browser.newContext(),
      `${scene.node.url}/blocks/`,
    );
    await page.getByText("Live", { exact: true }).waitFor();
    const seen = await topHash(page);
    await untilTopDiffers(page, seen);
    const row = page.locator(`[data-hash="${seen}"]`);
    await row.getByRole("button").click();
    await row.getByText("Selected parent").waitFor();
    expect(await row.innerText()).toContain(seen);
    expect(watch.faults).toEqual([]);
    expect(watch.strangers).toEqual([]);
  });

  test("replaces rows that the chain gave up for a heavier branch, and says so", async () => {
    const nodes = new NodeScene(readFileSync(SIMNET, "utf8"));
    const node = await nodes.node({ name: "node", more: [`--pages=${PAGES}`] });
    const common = await nodes.node({ name: "other", peers: [node.peerPort] });
    await mineAt(node, COMMON, payAddressOf(1));
    await common.untilTip("the common blocks", isAt(COMMON), PATIENCE_MS);
    await common.stop();
    const other = await nodes.node({ name: "other" });
    await mineAt(node, GIVEN_UP, payAddressOf(2));
    await mineAt(other, GIVEN_UP + 1, payAddressOf(3));
    const [lost, kept] = [await chainOf(node), await chainOf(other)];

    const context = await scene.browser.newContext();
    const { page, watch } = await openPage(context, `${node.http}/blocks/`);
    await page.locator(`[data-hash="${lost[0]}"]`).waitFor();
    await node.addPeer(other.peerPort);
    await page.getByText(`The chain changed: ${GIVEN_UP} blocks replaced`).waitFor();
    await page.locator(`[data-hash="${kept[0]}"]`).waitFor();
    const hashes = await page
      .getByTestId("chain-row")
      .evaluateAll((rows) => rows.map((row) => row.getAttribute("data-hash")));
    // All of the other chain down to genesis, and none of what was given up.
    expect(hashes).toEqual(kept);
    expect(kept).toEqual([...kept.slice(0, GIVEN_UP + 1), ...lost.slice(GIVEN_UP)]);
    expect(watch.faults).toEqual([]);
    await context.close();
  });

  test("keeps what it shows while the node is away, and goes on afterwards", async () => {
    const { page } = await openPage(await scene.browser.newContext(), `${scene.node.url}/blocks/`);
    const seen = await topHash(page);
    await scene.node.stop();
    await page.getByText("The node does not answer", { exact: true }).waitFor();
    expect(await page.getByTestId("chain-row").count()).toBeGreaterThan(0);
    await scene.node.start();
    await untilTopDiffers(page, seen);
  });
});

function isAt(height: number): (tip: { readonly chainIndex: bigint }) => boolean {
  return ({ chainIndex }) => chainIndex === BigInt(height);
}

/** Hashes of a node's chain, the newest first. */
async function chainOf(node: NodeProcess): Promise<readonly string[]> {
  const response = await fetch(`${node.http}/v1/chain?limit=100`);
  return v.parse(chain, await response.json()).rows.map(({ hash }) => hash);
}

async function topHash(page: Page): Promise<string> {
  return (await page.getByTestId("chain-row").first().getAttribute("data-hash")) ?? "";
}

async function untilTopDiffers(page: Page, hash: string): Promise<void> {
  await page.waitForFunction((old) => {
    const top = document.querySelector("[data-testid=chain-row]");
    return top !== null && top.getAttribute("data-hash") !== old;
  }, hash);
}
