/** Colours of the drawn DAG: those of the page's design tokens, as they are at this moment. */

/** The colours that the painter uses. */
export type DagTheme = {
  readonly ground: string;
  readonly edge: string;
  readonly chain: string;
  readonly blue: string;
  readonly red: string;
  readonly open: string;
  readonly ink: string;
  readonly quiet: string;
  readonly marked: string;
  readonly font: string;
};

const TOKENS: Readonly<Record<keyof DagTheme, string>> = {
  ground: "--surface",
  edge: "--ink-3",
  chain: "--accent",
  blue: "--blue",
  red: "--red",
  open: "--ink-3",
  ink: "--ink",
  quiet: "--ink-3",
  marked: "--gold",
  font: "--font",
};

/** Reads them where the drawing stands. */
export function readDagTheme(element: Element): DagTheme {
  const style = getComputedStyle(element);
  const read = (name: keyof DagTheme): string => style.getPropertyValue(TOKENS[name]).trim();
  return {
    ground: read("ground"),
    edge: read("edge"),
    chain: read("chain"),
    blue: read("blue"),
    red: read("red"),
    open: read("open"),
    ink: read("ink"),
    quiet: read("quiet"),
    marked: read("marked"),
    font: read("font"),
  };
}
