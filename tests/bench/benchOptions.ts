/** The command line of `npm run bench`. */
import type { BenchOptions } from "./bench.ts";

/** What was typed. */
export type BenchCommand = {
  readonly name: string | undefined;
  /** One line of JSON in place of text. */
  readonly json: boolean;
  /** Append the result to `docs/bench.md`. */
  readonly record: boolean;
  readonly options: Omit<BenchOptions, "signal">;
};

/** Most of anything: a transaction holds 38 actions, a block fewer than 256 payments. */
const MOST = 256;
const SWITCHES = ["--json", "--record", "--memory"];
const NUMBERS = ["--actions", "--workers", "--batch"];

/** Reads the arguments. Throws an `Error` with a sentence for people. */
export function parseBenchCommand(args: readonly string[]): BenchCommand {
  const switches = new Set<string>();
  const numbers = new Map<string, number>();
  let name: string | undefined;
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [option = "", inline] = arg.split("=", 2);
    if (SWITCHES.includes(arg)) switches.add(arg);
    else if (NUMBERS.includes(option))
      numbers.set(option, numberOf(option, inline ?? rest.shift()));
    else if (!arg.startsWith("-") && name === undefined) name = arg;
    else throw new Error(`there is no option ${arg}`);
  }
  const memory = switches.has("--memory");
  return {
    name,
    json: switches.has("--json"),
    record: switches.has("--record"),
    options: {
      actions: numbers.get("--actions") ?? (memory ? 38 : 2),
      workers: numbers.get("--workers") ?? 1,
      batch: numbers.get("--batch") ?? 1,
      memory,
    },
  };
}

function numberOf(option: string, text: string | undefined): number {
  const value = Number(text);
  if (text === undefined || !/^\d+$/.test(text) || value < 1 || value > MOST) {
    throw new Error(`${option} takes a number from 1 to ${MOST}`);
  }
  return value;
}
