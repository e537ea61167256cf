/**
 * Option parser: reads options by a table, from the command line, else from the environment `SVC_<NAME>` (dashes as
 * underscores).
 */
import { parseArgs } from "node:util";
import { SvcError } from "@svc/shared/base/svcError.ts";

/** One option as the parser sees it. */
export type OptionRow = {
  readonly name: string;
  readonly short?: string;
  /** Names what it takes; an option without it is a switch. */
  readonly value?: string;
  /** May be given several times; in the environment with commas in between. */
  readonly repeats?: boolean;
};

/** The environment variables of a program. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The parsed values. */
export type OptionValues = {
  readonly on: (name: string) => boolean;
  readonly text: (name: string) => string | null;
  /** Of an option that may be given several times. */
  readonly texts: (name: string) => readonly string[];
};

type OptionValue = string | boolean | readonly string[];

/** Characters of a command line in an error. */
const SHOWN = 80;

/** Parses the options of a table. Throws `node/bad-option`. */
export function readOptions(
  rows: readonly OptionRow[],
  args: readonly string[],
  environment: Environment,
): OptionValues {
  const values = new Map([...fromEnvironment(rows, environment), ...fromArguments(rows, args)]);
  return {
    on: (name) => values.get(name) === true,
    text: (name) => {
      const value = values.get(name);
      return typeof value === "string" ? value : null;
    },
    texts: (name) => {
      const value = values.get(name);
      return Array.isArray(value) ? value : [];
    },
  };
}

/** Makes the error for an option that a program refuses. */
export function badOption(name: string, reason: string): SvcError {
  return new SvcError("node/bad-option", { option: `--${name}`, reason });
}

/** The environment variable of an option: `SVC_BLOCK_INTERVAL` for `block-interval`. */
export function environmentName(option: string): string {
  return `SVC_${option.toUpperCase().replaceAll("-", "_")}`;
}

function fromEnvironment(
  rows: readonly OptionRow[],
  environment: Environment,
): Map<string, OptionValue> {
  const values = new Map<string, OptionValue>();
  for (const { name, value, repeats } of rows) {
    const given = environment[environmentName(name)];
    if (given === undefined || name === "help") continue;
    if (value === undefined) values.set(name, switchOf(name, given));
    else if (repeats === true)
      values.set(
        name,
        given.split(",").filter((part) => part !== ""),
      );
    else values.set(name, given);
  }
  return values;
}

function fromArguments(
  rows: readonly OptionRow[],
  args: readonly string[],
): Map<string, OptionValue> {
  const options = Object.fromEntries(
    rows.map((row) => [
      row.name,
      {
        type: row.value === undefined ? "boolean" : "string",
        multiple: row.repeats === true,
        ...(row.short && { short: row.short }),
      } as const,
    ]),
  );
  const values = new Map<string, OptionValue>();
  try {
    const parsed = parseArgs({ args: [...args], options, strict: true, allowPositionals: false });
    for (const [name, value] of Object.entries(parsed.values)) {
      if (Array.isArray(value)) values.set(name, value.map(String));
      else if (value !== undefined) values.set(name, value);
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const option = args.join(" ").slice(0, SHOWN);
    throw new SvcError("node/bad-option", { option, reason }, cause);
  }
  return values;
}

function switchOf(name: string, text: string): boolean {
  if (["1", "true", "on"].includes(text)) return true;
  if (["0", "false", "off", ""].includes(text)) return false;
  throw new SvcError("node/bad-option", {
    option: environmentName(name),
    reason: "write 1 or 0",
  });
}
