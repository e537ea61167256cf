/** Test helper: keeps pictures of a page on a phone and on a desktop, in both themes, where a person asked for them. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";

const WIDTHS = [375, 1_280] as const;

/** Writes them below the folder that `SVC_SCREENSHOTS` names; nothing without it. */
export async function keepPictures(page: Page, name: string): Promise<void> {
  const place = process.env["SVC_SCREENSHOTS"];
  if (place === undefined) return;
  mkdirSync(place, { recursive: true });
  const before = page.viewportSize();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const path = join(place, `${name}-${width}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage: true, animations: "disabled" });
    }
  }
  if (before !== null) await page.setViewportSize(before);
}
