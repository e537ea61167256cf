/**
 * Benchmark runner: `npm run -s bench -- NAME [sizes] [--json] [--record] [--judge] [--against COMMIT]`.
 *
 * With `--json` one line goes to standard output: `bench`, `about`, `machine`, `commit`, then the fields described in
 * `docs/bench.md`, and last what the thresholds say. Without it, a table for people. `--record` appends a comparison's
 * result to that page, `--judge` fails when a figure misses what it must be, `--against` compares with another commit. A
 * run that was stopped goes on where it was.
 */
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { againstText, measureAgainst } from "../tests/bench/run/againstBench.ts";
import {
  comparisonJson,
  comparisonRows,
  comparisonText,
  seriesJson,
  seriesText,
  type ComparisonJson,
} from "../tests/bench/run/answers.ts";
import type { Bench, BenchOptions } from "../tests/bench/run/bench.ts";
import { BENCHES } from "../tests/bench/run/benches.ts";
import {
  BENCH_USAGE,
  canonicalCommand,
  parseBenchCommand,
  type BenchCommand,
} from "../tests/bench/run/benchOptions.ts";
import { judgeAnswer, judgementText, readThresholds } from "../tests/bench/run/thresholds.ts";
import { BenchRounds } from "./bench/benchRounds.ts";
import { LOST_STATUS } from "./bench/lostStatus.ts";
import { machine, machineText } from "./lib/machine.ts";
import { refTree } from "./bench/refTree.ts";
import { ROOT } from "./lib/command.ts";
import { checkedOutSources, sourceCommit } from "./lib/sourceCommit.ts";

const PAGE = join(ROOT, "docs", "bench.md");
const ROUNDS = join(ROOT, ".cache", "bench", "rounds");

/** What is measured: the commit when nothing but documents differs from it, and what to call it. */
type Sources = { readonly commit: string | undefined; readonly text: string };

async function main(args: readonly string[]): Promise<number> {
  let command: BenchCommand;
  try {
    command = parseBenchCommand(args);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage()}`);
    return 2;
  }
  const bench = BENCHES.find((candidate) => candidate.name === command.name);
  if (bench === undefined) {
    console.error(usage());
    return 2;
  }
  const sources = await sourcesHere();
  if (command.record && sources.commit === undefined) {
    console.error("--record needs sources that are committed: a row names its commit");
    return 2;
  }
  return command.against === undefined
    ? run(bench, command, sources)
    : runAgainst(bench, { command, sources, ref: command.against });
}

async function sourcesHere(): Promise<Sources> {
  const commit = await checkedOutSources().catch(() => undefined);
  if (commit !== undefined) return { commit, text: commit.slice(0, 12) };
  const base = await sourceCommit().catch(() => "no commit");
  return { commit, text: `${base.slice(0, 12)} with changes` };
}

async function run(bench: Bench, command: BenchCommand, sources: Sources): Promise<number> {
  const typed = canonicalCommand(bench.name, command.options);
  // A stopped run of three rounds is no part of one of seven.
  const kept = `${typed} --rounds ${command.options.rounds}`;
  const place = { folder: ROUNDS, command: kept, commit: sources.commit };
  const rounds = new BenchRounds({ ...place, machine: machineText() });
  const measured = await answerOf(bench, optionsOf(command, rounds));
  rounds.end();
  const judged = judgeAnswer(readThresholds(), typed, measured.fields);
  const head = { bench: bench.name, about: bench.about, machine: machine(), commit: sources.text };
  console.log(
    command.json
      ? JSON.stringify({ ...head, ...measured.fields, judged })
      : [measured.text, ...judged.map(judgementText)].join("\n"),
  );
  if (command.record && measured.compared !== undefined) {
    const where = `${today()}, ${machineText()}, ${sources.text}`;
    await appendFile(PAGE, `${comparisonRows(typed, where, measured.compared)}\n`);
  }
  return command.judge && judged.some(({ verdict }) => verdict === "missed") ? 1 : 0;
}

type Measured = {
  readonly fields: object;
  readonly text: string;
  readonly compared?: ComparisonJson;
};

async function answerOf(bench: Bench, options: BenchOptions): Promise<Measured> {
  switch (bench.kind) {
    case "series": {
      const series = await bench.run(options);
      return { fields: seriesJson(series), text: seriesText(bench, series) };
    }
    case "report": {
      const { fields, lines } = await bench.run(options);
      return { fields, text: [bench.about, ...lines].join("\n") };
    }
    case "comparison": {
      const compared = comparisonJson(await bench.run(options));
      return { fields: compared, text: comparisonText(bench, compared), compared };
    }
  }
}

type Against = { readonly command: BenchCommand; readonly sources: Sources; readonly ref: string };

/** Ends with `LOST_STATUS` when a figure of this commit is worse than the other's by more than chance gives. */
async function runAgainst(bench: Bench, { command, sources, ref }: Against): Promise<number> {
  const typed = canonicalCommand(bench.name, command.options);
  const other = await refTree(ref);
  const both = sources.commit === undefined ? undefined : `${sources.commit}-${other.commit}`;
  const kept = `${typed} --rounds ${command.options.rounds} --against`;
  const place = { folder: ROUNDS, command: kept, commit: both };
  const rounds = new BenchRounds({ ...place, machine: machineText() });
  // Two commits are compared by as many rounds as were asked for: a stopped run goes on.
  const options = { ...optionsOf(command, rounds), longestMs: Number.POSITIVE_INFINITY };
  const checkouts = { here: ROOT, ref: other.folder };
  const answer = await measureAgainst(bench, { options, command: typed, checkouts });
  rounds.end();
  const head = {
    bench: typed,
    machine: machine(),
    commit: sources.text,
    against: other.commit.slice(0, 12),
  };
  console.log(
    command.json
      ? JSON.stringify({ ...head, ...answer })
      : [`${typed}: ${head.commit} against ${head.against}`, againstText(answer)].join("\n"),
  );
  return answer.figures.some(({ verdict }) => verdict === "lost") ? LOST_STATUS : 0;
}

function optionsOf(command: BenchCommand, rounds: BenchRounds): BenchOptions {
  const controller = new AbortController();
  process.once("SIGINT", () => controller.abort());
  return {
    ...command.options,
    log: (part) => rounds.log(part),
    signal: controller.signal,
  };
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

function usage(): string {
  const list = BENCHES.map((known) => `  ${known.name.padEnd(10)} ${known.about}`).join("\n");
  return `usage: ${BENCH_USAGE}\n\n${list}`;
}

process.exitCode = await main(process.argv.slice(2));
