/** Faults of the page of the gateway that is shown: in each width, in the system's two themes, in the size of its targets. */
import { commands, page } from "vitest/browser";
import { axeFaults } from "./axeFaults.ts";
import { DESK, PHONE, TARGET, WHOLE_HEIGHT } from "./screenRules.ts";
import { shownContrasts } from "./shownContrasts.ts";
import { smallTargets } from "./smallTargets.ts";
import { widthFaults } from "./widthFaults.ts";

/** Contrast of every text (WCAG 2.2, 1.4.3). */
const CONTRAST = 4.5;

/** Looks at it. The page is left as a phone shows it, in the colours of the system. */
export async function gatewayFaults(name: string): Promise<readonly string[]> {
  const faults = [...(await widthFaults(name))];
  for (const { width } of [DESK, PHONE]) {
    await page.viewport(width, WHOLE_HEIGHT);
    faults.push(...smallTargets(TARGET).map((target) => `${name}, ${width} px: ${target}`));
  }
  for (const colorScheme of ["light", "dark"] as const) {
    await commands.emulateMedia({ colorScheme });
    // All that is not about colours is the same in both.
    const found = await axeFaults(colorScheme === "light" ? undefined : "color-contrast");
    faults.push(...found.map((fault) => `${name}, ${colorScheme}: ${fault}`));
    // Large texts as well, of which axe asks less.
    const weak = shownContrasts().filter(({ contrast }) => contrast < CONTRAST);
    faults.push(...weak.map((each) => `${name}, ${colorScheme}: ${JSON.stringify(each)}`));
  }
  await commands.emulateMedia({ colorScheme: null });
  return faults;
}
