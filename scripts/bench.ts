/**
 * Runs one benchmark: `npm run -s bench -- NAME [--actions N] [--workers N] [--batch N] [--blocks N] [--tx N] [--depth N] [--rounds N] [--memory] [--json] [--record]`.
 *
 * With `--json` one line goes to standard output: `bench`, `about`, `machine`, then the fields described in
 * `docs/bench.md`. Without it, a table for people. `--record` appends a comparison's result to that page.
 */
import { appendFile } from "node:fs/promises";
import { availableParallelism, cpus, platform, release, totalmem } from "node:os";
import {
  comparisonJson,
  comparisonRow,
  comparisonText,
  seriesJson,
  seriesText,
} from "../tests/bench/answers.ts";
import { type Bench } from "../tests/bench/bench.ts";
import { BENCHES } from "../tests/bench/benches.ts";
import { parseBenchCommand, type BenchCommand } from "../tests/bench/benchOptions.ts";

const page = new URL("../docs/bench.md", import.meta.url);

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
  await run(bench, command, args);
  return 0;
}

async function run(bench: Bench, command: BenchCommand, args: readonly string[]): Promise<void> {
  const controller = new AbortController();
  process.once("SIGINT", () => controller.abort());
  const options = { ...command.options, signal: controller.signal };
  const head = { bench: bench.name, about: bench.about, machine: machine() };
  if (bench.kind === "series") {
    const series = await bench.run(options);
    const answer = { ...head, ...seriesJson(series) };
    console.log(command.json ? JSON.stringify(answer) : seriesText(bench, series));
    return;
  }
  if (bench.kind === "report") {
    const { fields, lines } = await bench.run(options);
    console.log(
      command.json ? JSON.stringify({ ...head, ...fields }) : [bench.about, ...lines].join("\n"),
    );
    return;
  }
  const answer = comparisonJson(await bench.run(options));
  console.log(
    command.json ? JSON.stringify({ ...head, ...answer }) : comparisonText(bench, answer),
  );
  if (!command.record) return;
  const measured = args.filter((arg) => arg !== "--json" && arg !== "--record").join(" ");
  const day = new Date().toISOString().slice(0, 10);
  await appendFile(page, `${comparisonRow(measured, `${day}, ${machineText()}`, answer)}\n`);
}

function usage(): string {
  const list = BENCHES.map((known) => `  ${known.name.padEnd(10)} ${known.about}`).join("\n");
  return `usage: npm run -s bench -- NAME [--actions N] [--workers N] [--batch N] [--blocks N] [--tx N] [--depth N] [--rounds N] [--memory] [--json] [--record]\n\n${list}`;
}

function machine() {
  return {
    processor: cpus()[0]?.model ?? "unknown",
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()}`,
    node: process.version,
  };
}

function machineText(): string {
  const { processor, cores, node } = machine();
  return `${processor.trim()}, ${cores} cores, Node ${node}`;
}

process.exitCode = await main(process.argv.slice(2));
