/** Faults of the screen that is shown, in each theme, at each width, and in the size of its targets. */
import { commands, page } from "vitest/browser";
import { axeFaults } from "./axeFaults.ts";
import { DESK, HIGH_CONTRAST, LOOKS, PHONE, TARGET, WHOLE_HEIGHT } from "./screenRules.ts";
import { shownContrasts } from "./shownContrasts.ts";
import { smallTargets } from "./smallTargets.ts";
import { widthFaults } from "./widthFaults.ts";

/**
 * Looks at the screen that is shown. The page is left as a phone shows it, in the colours of the system. `targets`: what has to be large
 * enough, where links in the lines of texts and tables are as high as these; axe asks less of them.
 */
export async function screenFaults(name: string, targets?: string): Promise<readonly string[]> {
  const faults = [...(await widthFaults(name))];
  for (const { width } of [DESK, PHONE]) {
    await page.viewport(width, WHOLE_HEIGHT);
    const small = smallTargets(TARGET, targets);
    faults.push(...small.map((target) => `${name}, ${width} px: ${target}`));
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
