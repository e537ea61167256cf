/** Widths at which the screen that is shown is wider than its window. */
import { page } from "vitest/browser";
import { PHONE, SCREEN_WIDTHS } from "./screenRules.ts";

/** Looks at it in each of the widths. It is left in the last of them. */
export async function widthFaults(name: string): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const width of SCREEN_WIDTHS) {
    await page.viewport(width, PHONE.height);
    if (innerWidth !== width) faults.push(`${name}: shown ${innerWidth} px wide, not ${width}`);
    const wide = document.documentElement.scrollWidth;
    if (wide > width) faults.push(`${name}: ${wide} px wide on a screen of ${width}`);
  }
  return faults;
}
