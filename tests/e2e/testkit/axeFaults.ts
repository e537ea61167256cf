/** Test helper: what axe finds on a page, by the rules of WCAG 2.2 AA and good practice. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { AXE_TAGS } from "@svc/web/page-tests/testkit/screenRules.ts";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Violations once all transitions are over, each as its rule and the element; of one rule alone where one is named. */
export async function axeFaults(page: Page, rule?: string): Promise<readonly string[]> {
  await page.evaluate(AXE);
  return page.evaluate(
    async ({ only, tags }) => {
      // Colours on their way to another theme are nobody's, and axe would judge them.
      for (const animation of document.getAnimations()) {
        if (animation instanceof CSSTransition) animation.finish();
      }
      const axe: unknown = Reflect.get(globalThis, "axe");
      const run: unknown = Reflect.get(Object(axe), "run");
      if (typeof run !== "function") throw new TypeError("axe did not load");
      const found: { violations: { id: string; nodes: { html: string }[] }[] } =
        await Reflect.apply(run, axe, [
          document,
          {
            runOnly:
              only === undefined ? { type: "tag", values: tags } : { type: "rule", values: [only] },
          },
        ]);
      return found.violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`),
      );
    },
    { only: rule, tags: [...AXE_TAGS] },
  );
}
