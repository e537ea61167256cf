/** Test helper: ends the renderer process of a page, and with it every worker, in the middle of what they do. */
import type { Page } from "playwright-core";

/** Crashes the page and closes its tab. */
export async function crashPage(page: Page): Promise<void> {
  const crashed = page.waitForEvent("crash");
  const session = await page.context().newCDPSession(page);
  // The call is never answered: who would answer is gone.
  session.send("Page.crash").catch(() => undefined);
  await crashed;
  await page.close();
}
