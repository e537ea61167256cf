/** Command-line parser of `npm run bench`. */
import type { BenchOptions } from "./bench.ts";

/** The sizes of a bench. */
export type BenchSizes = Omit<BenchOptions, "signal" | "log">;

/** The parsed command line. */
export type BenchCommand = {
  readonly name: string | undefined;
  /** One line of JSON in place of text. */
  readonly json: boolean;
  /** Append the result to `docs/bench.md`. */
  readonly record: boolean;
  /** Fail when a threshold that must be met is not. */
  readonly judge: boolean;
  /** The commit to compare this one with. */
  readonly against: string | undefined;
  readonly options: BenchSizes;
};

/** Most of most: a transaction holds 38 actions, a verifier takes 256 payments. A block has room for 26. */
const MOST = 256;
/** A comparison that would take longer is content with fewer samples, unless their number is named. */
const LONGEST_MS = 600_000;
/** Samples of each figure, and of each figure of two commits. */
const ROUNDS = 7;
const ROUNDS_AGAINST = 11;
const SWITCHES = ["--json", "--record", "--memory", "--judge"];
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

/** The usage line. */
export const BENCH_USAGE = `npm run -s bench -- NAME ${Object.keys(NUMBERS)
  .map((option) => `[${option} N]`)
  .join(" ")} ${SWITCHES.map((option) => `[${option}]`).join(" ")} [--against COMMIT]`;

/** Reads the arguments. Throws an `Error` with a sentence for people. */
export function parseBenchCommand(args: readonly string[]): BenchCommand {
  const switches = new Set<string>();
  const numbers = new Map<string, number>();
  let name: string | undefined;
  let against: string | undefined;
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [option = "", inline] = arg.split("=", 2);
    if (SWITCHES.includes(arg)) switches.add(arg);
    else if (option === "--against") against = commitOf(inline ?? rest.shift());
    else if (NUMBERS[option] !== undefined)
      numbers.set(option, numberOf(option, inline ?? rest.shift()));
    else if (!arg.startsWith("-") && name === undefined) name = arg;
    else throw new Error(`there is no option ${arg}`);
  }
  if (against !== undefined && (switches.has("--record") || switches.has("--judge"))) {
    throw new Error("--against stands alone: it has a verdict of its own and no row");
  }
  const has = (option: string) => switches.has(option);
  const options = sizesOf(
    numbers,
    has("--memory"),
    against === undefined ? ROUNDS : ROUNDS_AGAINST,
  );
  const [json, record, judge] = [has("--json"), has("--record"), has("--judge")];
  return { name, json, record, judge, against, options };
}

function sizesOf(
  numbers: ReadonlyMap<string, number>,
  memory: boolean,
  rounds: number,
): BenchSizes {
  const named = numbers.get("--rounds");
  return {
    actions: numbers.get("--actions") ?? (memory ? 38 : 2),
    workers: numbers.get("--workers") ?? 1,
    batch: numbers.get("--batch") ?? 1,
    blocks: numbers.get("--blocks") ?? 10_000,
    count: numbers.get("--count") ?? 100_000,
    tx: numbers.get("--tx") ?? 0,
    depth: numbers.get("--depth") ?? 1_000,
    rounds: named ?? rounds,
    longestMs: named === undefined ? LONGEST_MS : Number.POSITIVE_INFINITY,
    memory,
  };
}

/** Bench and sizes as one would type them, the same for the same measurement: thresholds and kept rounds go by it. */
export function canonicalCommand(name: string, sizes: BenchSizes): string {
  const { actions, workers, batch, blocks, count, tx, depth, memory } = sizes;
  const shared = workers > 1 ? [`--workers ${workers}`] : [];
  const paying = tx > 0 ? [`--tx ${tx}`] : [];
  const chosen: Readonly<Record<string, readonly string[]>> = {
    prove: memory
      ? ["--memory", ...(actions === 38 ? [] : [`--actions ${actions}`]), ...shared]
      : [`--actions ${actions}`, ...shared],
    verify: [`--batch ${batch}`],
    ingest: tx > 0 ? paying : [`--blocks ${blocks}`],
    ibd: [`--blocks ${blocks}`, ...paying],
    reorg: [`--depth ${depth}`],
    headers: [`--count ${count}`],
    memory: [`--blocks ${blocks}`],
  };
  return [name, ...(chosen[name] ?? [])].join(" ");
}

function commitOf(text: string | undefined): string {
  if (text === undefined || text === "" || text.startsWith("-")) {
    throw new Error("--against takes a commit, a branch or a tag");
  }
  return text;
}

function numberOf(option: string, text: string | undefined): number {
  const value = Number(text);
  const most = NUMBERS[option] ?? MOST;
  if (text === undefined || !/^\d+$/.test(text) || value < 1 || value > most) {
    throw new Error(`${option} takes a number from 1 to ${most}`);
  }
  return value;
}
