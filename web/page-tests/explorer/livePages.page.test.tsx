/** An open page of the explorer: a list that is held while it is read, and a node that falls silent and comes back. */
import { describe, expect, test } from "vitest";
import { page } from "vitest/browser";
import { exampleAnswer } from "../../explorer/testkit/exampleDocuments.ts";
import { grownChain } from "../../explorer/testkit/grownChain.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import { textOf } from "../testkit/walletScreen.ts";
import { expectDrawn, showExplorer } from "./testkit/showExplorer.ts";

const BLOCKS = 5;
/** ms. A node that is asked seldom after some failures is asked again within it. */
const LATER_MS = PAGE_LIMITS.explorerRetryLongestMs;

const newest = () => document.querySelector<HTMLAnchorElement>("tbody a");
const noted = () => document.querySelector(".held")?.textContent ?? "";

/** Shows the list of blocks, of a chain that grows by `BLOCKS` at the next question. */
async function growingList() {
  let height = 0;
  const shown = showExplorer("/blocks", { answer: (path) => grownChain(path, height) });
  await expectDrawn();
  await page.getByRole("heading", { level: 1 }).hover();
  const grow = async () => {
    height += BLOCKS;
    await shown.pass(PAGE_LIMITS.explorerPollMs);
  };
  return { grow };
}

describe("a live list", () => {
  test("follows the chain, and stands still while a row has the focus", async () => {
    const { grow } = await growingList();
    const first = newest()?.href;
    await grow();
    const held = newest()?.href;
    expect(held).not.toBe(first);
    newest()?.focus();
    await grow();
    expect(newest()?.href).toBe(held);
    expect(noted()).toContain(`The list stands still while you read it: ${BLOCKS} newer blocks`);
    await grow();
    expect(noted()).toContain(`${2 * BLOCKS} newer blocks`);
    const search: unknown = page.getByRole("searchbox").first().element();
    if (search instanceof HTMLElement) search.focus();
    expect(newest()?.href).not.toBe(held);
    expect(noted().trim()).toBe("");
  });

  test("stands still while the pointer is on it", async () => {
    const { grow } = await growingList();
    const table = page.getByTestId("live-blocks");
    await table.hover();
    const held = newest()?.href;
    await grow();
    expect(newest()?.href).toBe(held);
    await page.getByRole("heading", { level: 1 }).hover();
    await expect.poll(() => newest()?.href).not.toBe(held);
  });
});

describe("a node that falls silent", () => {
  const DOWN = { "refuses with 503": 503, "is limited": 429, "does not answer": null } as const;
  test.each(Object.entries(DOWN))(
    "and %s leaves the last data with their age",
    async (_, status) => {
      const shown = showExplorer("/");
      await expectDrawn();
      const supply = textOf(page.getByTestId("supply"));
      shown.answer = (path) =>
        status === null
          ? null
          : { ...exampleAnswer(path), status, body: '{"error":"No.","code":"http/unavailable"}' };
      await shown.pass(LATER_MS);
      expect(textOf(page.getByTestId("live-state"))).toContain("last data shown");
      expect(textOf(page.getByTestId("stale").first())).toMatch(
        /^The node does not answer\. This was true .+ ago/,
      );
      expect(textOf(page.getByTestId("supply"))).toBe(supply);
      shown.answer = exampleAnswer;
      await shown.pass(LATER_MS);
      expect(textOf(page.getByTestId("live-state"))).toContain("Live");
      expect(page.getByTestId("stale").elements()).toEqual([]);
    },
  );
});
