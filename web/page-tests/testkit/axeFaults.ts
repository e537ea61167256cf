/** Accessibility check of the shown page by axe, with the rules of WCAG 2.2 AA and good practice. */
import axe from "axe-core";
import { AXE_TAGS } from "./screenRules.ts";

/** Violations once all transitions are over, each as its rule and the element; of one rule alone where one is named. */
export async function axeFaults(rule?: string): Promise<readonly string[]> {
  // Colours on their way to another theme are nobody's: a slow machine would show them to axe.
  for (const animation of document.getAnimations()) {
    if (animation instanceof CSSTransition) animation.finish();
  }
  const { violations } = await axe.run(document, {
    // Nothing is told of elements that pass.
    resultTypes: ["violations"],
    runOnly:
      rule === undefined
        ? { type: "tag", values: [...AXE_TAGS] }
        : { type: "rule", values: [rule] },
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`),
  );
}
