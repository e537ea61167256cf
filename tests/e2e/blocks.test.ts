/** The blocks page: grows with the chain, opens blocks, survives a reorganisation and a lost node. */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { openPage } from "./browser.ts";
import { setScene } from "./scene.ts";

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

  test("replaces rows that the chain gave up, and says so", async () => {
    const context = await scene.browser.newContext();
    const { page } = await openPage(context, `${scene.node.url}/blocks/`);
    const seen = await topHash(page);
    await untilTopDiffers(page, seen);
    // From here on the node seems to have another chain from three blocks below its tip.
    await page.route("**/v1/chain?limit=*", async (route) => {
      const response = await route.fetch();
      const answer: { rows: { hash: string; selectedParent: string }[] } = await response.json();
      const [first, second, third] = answer.rows;
      if (first === undefined || second === undefined || third === undefined) throw new Error();
      for (const [index, row] of [first, second, third].entries()) {
        row.hash = `${"f".repeat(8)}${row.hash.slice(8)}`;
        if (index < 2) row.selectedParent = `${"f".repeat(8)}${row.selectedParent.slice(8)}`;
      }
      await route.fulfill({ json: answer });
    });
    await page.getByText(/The chain changed: \d+ blocks? replaced/).waitFor();
    expect(await topHash(page)).toMatch(/^f{8}/);
    const hashes = await page
      .getByTestId("chain-row")
      .evaluateAll((rows) => rows.map((row) => row.getAttribute("data-hash")));
    expect(new Set(hashes).size).toBe(hashes.length);
    // The page would go on asking through the handler when the next test takes the node away.
    await page.unrouteAll({ behavior: "wait" });
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

async function topHash(page: Page): Promise<string> {
  return (await page.getByTestId("chain-row").first().getAttribute("data-hash")) ?? "";
}

async function untilTopDiffers(page: Page, hash: string): Promise<void> {
  await page.waitForFunction((old) => {
    const top = document.querySelector("[data-testid=chain-row]");
    return top !== null && top.getAttribute("data-hash") !== old;
  }, hash);
}
