/** Test helper: faults of a wallet screen in each theme, at each width, and in the size of its targets. */
import type { Page } from "playwright-core";
import { axeFaults } from "./axeFaults.ts";
import { contrastsOf } from "./contrast.ts";

/** Narrow phone, phone, desktop; in CSS pixels. */
const WIDTHS = [320, 390, 1_440] as const;
const PHONE = { width: 390, height: 844 };
/** Smallest side of a target (WCAG 2.2, target size enhanced). */
const TARGET = 44;
/** Contrast of texts in the themes of high contrast (WCAG 2.2, 1.4.6). */
const HIGH_CONTRAST = 7;

/** The colours of the page, as they are chosen and as the system is. */
const LOOKS = [
  { theme: "light", system: "light" },
  { theme: "dark", system: "light" },
  { theme: "contrast", system: "light" },
  { theme: "contrast", system: "dark" },
] as const;

/** Looks at the screen that is shown. The page is left as a phone shows it, in the colours of the system. */
export async function screenFaults(page: Page, name: string): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ ...PHONE, width });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    if (wide > width) faults.push(`${name}: ${wide} px wide on a screen of ${width}`);
  }
  // High enough that nothing is below the bar at the bottom, where it could not be pressed.
  await page.setViewportSize({ ...PHONE, height: 8_000 });
  for (const target of await smallTargets(page)) faults.push(`${name}: ${target}`);
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

/** Targets that are too small. A field is as large as its label where both are one target. */
async function smallTargets(page: Page): Promise<readonly string[]> {
  return page.evaluate((least) => {
    const pressed = document.querySelectorAll<HTMLElement>(
      "button, a[href], input, select, summary",
    );
    const isSmall = ({ width, height }: DOMRect) => Math.min(width, height) < least - 0.5;
    return [...pressed]
      .filter((element) => element.checkVisibility() && !element.classList.contains("skip-link"))
      .filter((element) => {
        const target = element.closest("label") ?? element;
        return isSmall(target.getBoundingClientRect());
      })
      .map((element) => {
        const { width, height } = element.getBoundingClientRect();
        return `${Math.round(width)} × ${Math.round(height)} px: ${element.outerHTML.slice(0, 120)}`;
      });
  }, TARGET);
}
