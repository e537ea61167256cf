/** Memory of a page: what its script still reaches. */
import type { Page } from "playwright-core";

const MIB = 2 ** 20;

/** MiB of living objects, after the browser has collected the others. */
export async function heapMib(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize / MIB;
}
