/** The context that the program hands to each of its commands. */

/** Dependencies of a command. */
export type CommandContext = {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Writes a line for people or programs that read standard output. */
  readonly print: (line: string) => void;
  /** Fires on Ctrl-C. */
  readonly signal: AbortSignal;
};
