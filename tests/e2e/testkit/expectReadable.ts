/** Test helper: what WCAG 2 AA asks of a page of the gateway that a browser can measure: contrast, targets, reflow, language, landmark. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { contrastsOf } from "./contrast.ts";

/** Looks at a page of English that is shown at the narrowest width, in CSS pixels. */
export async function expectReadable(page: Page, width: number): Promise<void> {
  const url = page.url();
  await page.getByRole("heading", { level: 1 }).waitFor();
  for (const { text, contrast } of await contrastsOf(page)) {
    expect(contrast, `${url} ${text}`).toBeGreaterThanOrEqual(4.5);
  }
  for (const pressed of await page.locator("button:visible, a:visible, input:visible").all()) {
    const box = await pressed.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
  }
  expect(await page.getByRole("main").count()).toBe(1);
  expect(await page.locator("html").getAttribute("lang")).toBe("en");
  // Nothing is wider than the narrowest screens.
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
}
