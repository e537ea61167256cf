/** Test helper: faults of a wallet screen in each theme, at each width, and in the size of its targets. */
import {
  DESK,
  HIGH_CONTRAST,
  LOOKS,
  PHONE,
  SCREEN_WIDTHS,
  TARGET,
  WHOLE_HEIGHT,
} from "@svc/web/page-tests/testkit/screenRules.ts";
import { smallTargets } from "@svc/web/page-tests/testkit/smallTargets.ts";
import type { Page } from "playwright-core";
import { axeFaults } from "./axeFaults.ts";
import { contrastsOf } from "./contrast.ts";

/** Looks at the screen that is shown. The page is left as a phone shows it, in the colours of the system. */
export async function screenFaults(page: Page, name: string): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const width of SCREEN_WIDTHS) {
    await page.setViewportSize({ ...PHONE, width });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    if (wide > width) faults.push(`${name}: ${wide} px wide on a screen of ${width}`);
  }
  for (const { width } of [DESK, PHONE]) {
    await page.setViewportSize({ width, height: WHOLE_HEIGHT });
    const small = await page.evaluate(smallTargets, TARGET);
    faults.push(...small.map((target) => `${name}, ${width} px: ${target}`));
  }
  for (const { theme, system } of LOOKS) {
    await page.emulateMedia({ colorScheme: system });
    await page.evaluate((chosen) => (document.documentElement.dataset["theme"] = chosen), theme);
    // All that is not about colours is the same in each of them.
    const found = await axeFaults(page, theme === "light" ? undefined : "color-contrast");
    faults.push(...found.map((fault) => `${name}, ${theme} on ${system}: ${fault}`));
    if (theme !== "contrast") continue;
    const weak = (await contrastsOf(page)).filter(({ contrast }) => contrast < HIGH_CONTRAST);
    faults.push(...weak.map((each) => `${name}, ${theme} on ${system}: ${JSON.stringify(each)}`));
  }
  await page.evaluate(() => delete document.documentElement.dataset["theme"]);
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(PHONE);
  return faults;
}
