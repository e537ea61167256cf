/** Colours of the plots: those of the page's design tokens, as they are at this moment. */

const FONT_PIXELS = 11;

/** The colours and the font that a plot uses. */
export type ChartTheme = {
  readonly line: string;
  readonly area: string;
  readonly ink: string;
  readonly grid: string;
  readonly mark: string;
  readonly font: string;
  /** The font on a canvas with so many pixels for each of the page's. */
  readonly scaledFont: (ratio: number) => string;
};

/** Reads them where the chart stands. */
export function readChartTheme(element: Element): ChartTheme {
  const style = getComputedStyle(element);
  const read = (token: string): string => style.getPropertyValue(token).trim();
  const family = read("--font");
  return {
    line: read("--accent"),
    area: read("--accent-soft"),
    ink: read("--ink-3"),
    grid: read("--line"),
    mark: read("--gold"),
    font: `${FONT_PIXELS}px ${family}`,
    scaledFont: (ratio) => `${FONT_PIXELS * ratio}px ${family}`,
  };
}
