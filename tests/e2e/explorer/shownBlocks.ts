/** Watches an open list of blocks of the explorer: how long after its acceptance a block is shown, and how often the page had asked by then. */
import type { Page } from "playwright-core";
import * as v from "valibot";

const ROW = "tbody tr[data-key]";
/** The document that the list is made of. */
const DOCUMENT = "/blocks/recent";
/** More questions than a test asks: the browser forgets those beyond its bound. */
const KEPT_QUESTIONS = 10_000;

const chain = v.object({ rows: v.array(v.object({ hash: v.string() })) });
const shownRow = v.object({ delayMs: v.number(), asked: v.number() });

/** How a block came to be shown. */
export type Shown = {
  /** Milliseconds from the acceptance by the node, by the page's own clock; 0 where the page was quicker than the look at the node. */
  readonly delayMs: number;
  /** Questions for the list that the page sent after the acceptance, up to the one that brought the block. */
  readonly asked: number;
};

/**
 * Waits for the next `count` blocks of a node, one after the other, on a page that lists its blocks. `node` is the address of the node. A block
 * that is never shown ends with Playwright's own error.
 */
export async function shownBlocks(
  page: Page,
  node: string,
  count: number,
): Promise<readonly Shown[]> {
  await page.locator(ROW).first().waitFor();
  await page.evaluate(noteRows, { row: ROW, kept: KEPT_QUESTIONS });
  const all: Shown[] = [];
  while (all.length < count) {
    const hash = await nextBlock(node);
    const acceptedMs = await page.evaluate(() => performance.now());
    await page.locator(`tr[data-key="${hash}"]`).waitFor();
    const shown = await page.evaluate(tellRow, { hash, acceptedMs, document: DOCUMENT });
    all.push(v.parse(shownRow, shown));
  }
  return all;
}

/** The newest block that a list shows. */
export async function newestOf(page: Page): Promise<string> {
  return (await page.locator(ROW).first().getAttribute("data-key")) ?? "";
}

/** The next block of the node's chain, as soon as the node says that it has it. */
async function nextBlock(node: string): Promise<string> {
  const old = await tipOf(node);
  for (;;) {
    const newest = await tipOf(node);
    if (newest !== undefined && newest !== old) return newest;
  }
}

async function tipOf(node: string): Promise<string | undefined> {
  const response = await fetch(`${node}/v1/chain?limit=1`);
  return v.parse(chain, await response.json()).rows[0]?.hash;
}

/** In the page: marks when each block was first in a row. A row may be given another block, so the mark is the block's. */
function noteRows({ row, kept }: { row: string; kept: number }): void {
  performance.setResourceTimingBufferSize(kept);
  const note = (): void => {
    for (const { dataset } of document.querySelectorAll<HTMLElement>(row)) {
      const mark = `shown ${dataset["key"]}`;
      if (performance.getEntriesByName(mark).length === 0) performance.mark(mark);
    }
  };
  note();
  const changes = { childList: true, subtree: true, attributes: true };
  new MutationObserver(note).observe(document.body, changes);
}

/** In the page: when a block came, and which questions had been sent by then. */
function tellRow(asked: { hash: string; acceptedMs: number; document: string }): object {
  const [mark] = performance.getEntriesByName(`shown ${asked.hash}`);
  const shownMs = Number(mark?.startTime);
  const sent = performance
    .getEntriesByType("resource")
    .filter(
      ({ name, startTime }) =>
        new URL(name).pathname.includes(asked.document) &&
        startTime >= asked.acceptedMs &&
        startTime <= shownMs,
    );
  return { delayMs: Math.max(0, shownMs - asked.acceptedMs), asked: sent.length };
}
