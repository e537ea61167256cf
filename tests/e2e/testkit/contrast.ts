/** Contrast of the texts of a page of a whole browser. */
import { shownContrasts, type TextContrast } from "@svc/web/page-tests/testkit/shownContrasts.ts";
import type { Page } from "playwright-core";

/** Measures all texts that are seen. */
export function contrastsOf(page: Page): Promise<readonly TextContrast[]> {
  return page.evaluate(shownContrasts);
}
