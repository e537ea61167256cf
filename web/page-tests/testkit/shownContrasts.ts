/**
 * Contrast of the texts of a page, by the formula of WCAG 2: each visible text against the colour that it stands on. Tests
 * outside the page send this function into it, so it uses nothing of this file.
 */

/** A text, and its contrast. */
export type TextContrast = { readonly text: string; readonly contrast: number };

/** Measures all texts that are seen. */
export function shownContrasts(): readonly TextContrast[] {
  type Colour = readonly number[];
  const read = (text: string): Colour => (text.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (colour: Colour): number => {
    const [r = 0, g = 0, b = 0] = colour
      .slice(0, 3)
      .map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const groundOf = (element: Element): Colour => {
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      const colour = read(getComputedStyle(at).backgroundColor);
      if ((colour[3] ?? 1) === 1) return colour;
    }
    return [255, 255, 255];
  };
  const seen = [...document.body.querySelectorAll("*")].filter(
    (element) =>
      element.checkVisibility() &&
      [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim() !== ""),
  );
  return seen.map((element) => {
    const [a, b] = [read(getComputedStyle(element).color), groundOf(element)].map(luminance);
    const [light, dark] = [Math.max(a ?? 0, b ?? 0), Math.min(a ?? 0, b ?? 0)];
    return {
      text: element.textContent.trim().slice(0, 40),
      contrast: (light + 0.05) / (dark + 0.05),
    };
  });
}
