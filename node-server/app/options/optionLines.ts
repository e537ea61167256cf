/** Renders option rows as lines of help text. */
import { helpTable } from "./helpTable.ts";
import type { OptionRow } from "./readOptions.ts";

/** A row as `--help` shows it. */
export type HelpRow = OptionRow & {
  readonly text: string;
  /** Text of the default for people; empty for none. */
  readonly fallback: string;
};

/** One line for each row, `  -s, --name=VALUE  text Default: fallback.`, with the texts aligned. */
export function optionLines(rows: readonly HelpRow[]): string {
  return helpTable(
    rows.map(({ name, short, value, text, fallback }) => [
      `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : `=${value}`}`,
      `${text}${fallback === "" ? "" : ` Default: ${fallback}.`}`,
    ]),
  );
}
