/** Renders the help text of a program that serves and has commands beside that. */
import { helpTable } from "./helpTable.ts";
import { optionLines, type HelpRow } from "./optionLines.ts";

/** A program with its commands and options. `serve` is the program itself: no word stands for it. */
export type CommandProgram<C extends string> = {
  /** As it is called: `svc gateway`. */
  readonly name: string;
  /** What it does when it serves. */
  readonly about: string;
  /** The commands beside it, with what stands behind their names, and what they do. */
  readonly commands: Readonly<
    Record<Exclude<C, "serve">, { readonly args: string; readonly text: string }>
  >;
  readonly flags: readonly (HelpRow & { readonly commands: readonly C[] })[];
};

/** What `--help` prints for the program, or for one of its commands. */
export function commandHelp<C extends string>(program: CommandProgram<C>, command: C): string {
  const { name, about, commands, flags } = program;
  const lines = optionLines(flags.filter((row) => row.commands.includes(command)));
  const beside = Object.entries<{ readonly args: string; readonly text: string }>(commands).map(
    ([word, { args, text }]) => ({ word, call: `${word} ${args}`.trim(), text }),
  );
  const asked = beside.find(({ word }) => word === command);
  if (asked !== undefined) return `${name} ${asked.call}: ${asked.text}\n\n${lines}\n`;
  const list = helpTable(beside.map(({ call, text }) => [call, text]));
  return `${name}: ${about}\n\n${list}\n\n${lines}\n`;
}
