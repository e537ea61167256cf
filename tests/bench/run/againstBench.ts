/** Benchmark of two commits in turns: this one, the other, and the other once more as the control. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import type { AnswerFigure, Bench, BenchOptions, Subject } from "./bench.ts";
import { median } from "./median.ts";
import { pairedVerdict, type PairedVerdict } from "./pairedRatios.ts";
import { inTurns, type Rounds, type Sample } from "./rounds.ts";
import { numberAt } from "./thresholds.ts";

/** The comparison of one figure. */
export type FigureAgainst = PairedVerdict & {
  readonly name: string;
  readonly better: "lower" | "higher";
  readonly here: number;
  readonly ref: number;
  readonly samples: Readonly<Record<"here" | "ref" | "again", readonly number[]>>;
};

/** The result of a comparison of two commits. */
export type AgainstAnswer = {
  readonly figures: readonly FigureAgainst[];
  readonly notes: readonly string[];
};

/** The arguments of a comparison: which commits, by which benchmark. */
export type AgainstWish = {
  readonly options: BenchOptions;
  /** What a checkout's own program is asked, where a bench has many processes. */
  readonly command: string;
  /** Root folder of this commit's checkout, and of the other's, each with its packages and its core. */
  readonly checkouts: { readonly here: string; readonly ref: string };
};

/** Measures the bench in both checkouts. A bench that compares with upstream leaves upstream out. */
export async function measureAgainst(
  bench: Bench,
  { options, command, checkouts }: AgainstWish,
): Promise<AgainstAnswer> {
  const subjects: Subject[] = [];
  const subject = async (folder: string): Promise<Subject> => {
    const made =
      bench.kind === "comparison"
        ? await bench.subject(options, folder)
        : wholeRun(folder, { command, figures: bench.figures, signal: options.signal });
    subjects.push(made);
    return made;
  };
  try {
    const [here, ref, again] = [
      await subject(checkouts.here),
      await subject(checkouts.ref),
      await subject(checkouts.ref),
    ];
    const rounds = await inTurns(
      { here: () => here.measure(), ref: () => ref.measure(), again: () => again.measure() },
      // A whole run warms by itself.
      { ...options, log: options.log("against"), warm: bench.kind === "comparison" },
    );
    return { figures: figuresOf(bench, rounds), notes: rounds.notes };
  } finally {
    for (const made of subjects) made.stop();
  }
}

function figuresOf(bench: Bench, rounds: Rounds): readonly FigureAgainst[] {
  return rounds.figuresOf("ref").map((name) => {
    const better = betterOf(bench, name);
    const samples = {
      here: rounds.of("here", name),
      ref: rounds.of("ref", name),
      again: rounds.of("again", name),
    };
    const [here, ref] = [median(samples.here), median(samples.ref)];
    return { name, better, here, ref, samples, ...pairedVerdict({ ...samples, better }) };
  });
}

function betterOf(bench: Bench, name: string): "lower" | "higher" {
  if (bench.kind === "comparison") return "lower";
  return bench.figures.find(({ field }) => field === name)?.better ?? "lower";
}

type WholeRun = {
  readonly command: string;
  readonly figures: readonly AnswerFigure[];
  readonly signal: AbortSignal;
};

/** The checkout's own program, run once for each sample. */
function wholeRun(checkout: string, { command, figures, signal }: WholeRun): Subject {
  const args = [join(checkout, "scripts", "run.sh"), "scripts/bench.ts"];
  const measure = async (): Promise<Sample> => {
    const line = await lastLine([...args, ...command.split(" "), "--json", "--rounds=1"], signal);
    const answer: unknown = JSON.parse(line);
    if (typeof answer !== "object" || answer === null) throw new Error("the answer is no object");
    return Object.fromEntries(figures.map(({ field }) => [field, numberAt(answer, field)]));
  };
  return { measure, stop: () => {} };
}

/** The last line that a program writes. Rejects when it fails. */
function lastLine(args: readonly string[], signal: AbortSignal): Promise<string> {
  const child = spawn("sh", [...args], { stdio: ["ignore", "pipe", "inherit"], signal });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString("utf8")));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => {
      if (status === 0) resolve(output.trimEnd().split("\n").at(-1) ?? "");
      else reject(new Error(`${args.join(" ")} ended with ${status}`));
    });
  });
}

/** The answer for people. */
export function againstText({ figures, notes }: AgainstAnswer): string {
  const rows = figures.map(({ name, here, ref, loss, spread, verdict }) => {
    const change = `${(100 * Math.abs(loss)).toFixed(1)} % ${loss > 0 ? "worse" : "better"}`;
    const own = `${(100 * spread).toFixed(1)} %`;
    return `  ${verdict.padEnd(7)} ${name}: ${here.toPrecision(4)} here, ${ref.toPrecision(4)} there, ${change}; the other against itself: ${own}`;
  });
  return [...rows, ...notes.map((note) => `  (${note})`)].join("\n");
}
