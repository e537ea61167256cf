/** The type of a row in the table of the node's command-line options. */
import type { OptionRow } from "./readOptions.ts";

/** A command of the program that takes these options. */
export type NodeCommand = "node" | "local" | "verify";

/** One command-line option. */
export type FlagRow = OptionRow & {
  readonly commands: readonly NodeCommand[];
  /** Text of the default for people, per command where they differ. */
  readonly fallback: Readonly<Record<NodeCommand, string>>;
  readonly text: string;
};
