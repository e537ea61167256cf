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

/** Most of most: a transaction holds 38 actions, a verifier takes 256 payments. A block has room for 26. */
const MOST = 256;
const SWITCHES = ["--json", "--record", "--memory"];
/** Numbers with the most that each may be. */
const NUMBERS: Readonly<Record<string, number>> = {
  "--actions": MOST,
  "--workers": MOST,
  "--batch": MOST,
  "--tx": 26,
  "--blocks": 1_000_000,
  "--count": 10_000_000,
  "--depth": 10_000,
  "--rounds": 99,
};

/** Reads the arguments. Throws an `Error` with a sentence for people. */
export function parseBenchCommand(args: readonly string[]): BenchCommand {
  const switches = new Set<string>();
  const numbers = new Map<string, number>();
  let name: string | undefined;
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [option = "", inline] = arg.split("=", 2);
    if (SWITCHES.includes(arg)) switches.add(arg);
    else if (NUMBERS[option] !== undefined)
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
      blocks: numbers.get("--blocks") ?? 10_000,
      count: numbers.get("--count") ?? 100_000,
      tx: numbers.get("--tx") ?? 0,
      depth: numbers.get("--depth") ?? 1_000,
      rounds: numbers.get("--rounds") ?? 7,
      memory,
    },
  };
}

function numberOf(option: string, text: string | undefined): number {
  const value = Number(text);
  const most = NUMBERS[option] ?? MOST;
  if (text === undefined || !/^\d+$/.test(text) || value < 1 || value > most) {
    throw new Error(`${option} takes a number from 1 to ${most}`);
  }
  return value;
}
