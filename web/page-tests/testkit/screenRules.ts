/** Rules for every screen of the wallet, in page tests and in tests of whole browsers. */

/** Narrow phone, phone, tablet, two desktops; in CSS pixels. */
export const SCREEN_WIDTHS = [320, 390, 768, 1_280, 1_440] as const;

/** A phone. */
export const PHONE = { width: 390, height: 844 } as const;

/** A desktop. */
export const DESK = { width: 1_280, height: 800 } as const;

/** High enough that nothing is below the bar at the bottom, where it could not be pressed. */
export const WHOLE_HEIGHT = 8_000;

/** Smallest side of a target in CSS pixels (WCAG 2.2, target size enhanced). */
export const TARGET = 44;

/** Contrast of texts in the themes of high contrast (WCAG 2.2, 1.4.6). */
export const HIGH_CONTRAST = 7;

/** The colours of the page, as they are chosen and as the system is. */
export const LOOKS = [
  { theme: "light", system: "light" },
  { theme: "dark", system: "light" },
  { theme: "contrast", system: "light" },
  { theme: "contrast", system: "dark" },
] as const;

/** Sets of axe's rules: WCAG 2.2 AA and good practice. */
export const AXE_TAGS = [
  "wcag2a",
  "wcag2aa",
  "wcag21a",
  "wcag21aa",
  "wcag22aa",
  "best-practice",
] as const;
