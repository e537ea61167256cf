/**
 * Targets of a page that are too small to be pressed. A field is as large as its label where both are one target. Tests
 * outside the page send this function into it, so it uses nothing of this file.
 */

/** Controls (or those that `targets` selects) that are smaller than `least` CSS pixels, each with its size. */
export function smallTargets(
  least: number,
  targets = "button, a[href], input, select, textarea, summary",
): readonly string[] {
  const pressed = document.querySelectorAll<HTMLElement>(targets);
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
}
