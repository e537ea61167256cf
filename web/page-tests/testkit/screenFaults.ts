/** Faults of the screen that is shown, in each theme, at each width, and in the size of its targets. */
import { commands, page } from "vitest/browser";
import { axeFaults } from "./axeFaults.ts";
import {
  DESK,
  HIGH_CONTRAST,
  LOOKS,
  PHONE,
  SCREEN_WIDTHS,
  TARGET,
  WHOLE_HEIGHT,
} from "./screenRules.ts";
import { shownContrasts } from "./shownContrasts.ts";
import { smallTargets } from "./smallTargets.ts";

/** Looks at the screen that is shown. The page is left as a phone shows it, in the colours of the system. */
export async function screenFaults(name: string): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const width of SCREEN_WIDTHS) {
    await page.viewport(width, PHONE.height);
    if (innerWidth !== width) faults.push(`${name}: shown ${innerWidth} px wide, not ${width}`);
    const wide = document.documentElement.scrollWidth;
    if (wide > width) faults.push(`${name}: ${wide} px wide on a screen of ${width}`);
  }
  for (const { width } of [DESK, PHONE]) {
    await page.viewport(width, WHOLE_HEIGHT);
    faults.push(...smallTargets(TARGET).map((target) => `${name}, ${width} px: ${target}`));
  }
  for (const { theme, system } of LOOKS) {
    await commands.emulateMedia({ colorScheme: system });
    document.documentElement.dataset["theme"] = theme;
    // All that is not about colours is the same in each of them.
    const found = await axeFaults(theme === "light" ? undefined : "color-contrast");
    faults.push(...found.map((fault) => `${name}, ${theme} on ${system}: ${fault}`));
    if (theme !== "contrast") continue;
    const weak = shownContrasts().filter(({ contrast }) => contrast < HIGH_CONTRAST);
    faults.push(...weak.map((each) => `${name}, ${theme} on ${system}: ${JSON.stringify(each)}`));
  }
  delete document.documentElement.dataset["theme"];
  await commands.emulateMedia({ colorScheme: null });
  await page.viewport(PHONE.width, PHONE.height);
  return faults;
}
