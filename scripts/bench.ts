/**
 * Runs one benchmark: `npm run -s bench -- NAME [--json]`.
 *
 * With `--json` one line goes to standard output: `{bench, about, machine, median, samples, unit}`
 * where the last three have one entry per measured quantity. Without it, a table for people.
 */
import { availableParallelism, cpus, platform, release, totalmem } from "node:os";
import { type Bench, median, type Series } from "../tests/bench/bench.ts";
import { BENCHES } from "../tests/bench/benches.ts";

const args = process.argv.slice(2);
const name = args.find((arg) => !arg.startsWith("--"));
const bench = BENCHES.find((candidate) => candidate.name === name);

if (bench === undefined) {
  const list = BENCHES.map((known) => `  ${known.name.padEnd(10)} ${known.about}`).join("\n");
  console.error(`usage: npm run -s bench -- NAME [--json]\n\n${list}`);
  process.exitCode = 2;
} else {
  await run(bench, args.includes("--json"));
}

async function run(chosen: Bench, json: boolean): Promise<void> {
  const controller = new AbortController();
  process.once("SIGINT", () => controller.abort());
  const series = await chosen.run(controller.signal);
  console.log(json ? JSON.stringify(answer(chosen, series)) : table(chosen, series));
}

function answer(chosen: Bench, series: readonly Series[]): Record<string, unknown> {
  const pick = (value: (one: Series) => unknown) =>
    Object.fromEntries(series.map((one) => [one.name, value(one)]));
  return {
    bench: chosen.name,
    about: chosen.about,
    machine: machine(),
    median: pick((one) => median(one.samples)),
    unit: pick((one) => one.unit),
    samples: pick((one) => one.samples),
  };
}

function machine(): Record<string, string | number> {
  return {
    processor: cpus()[0]?.model ?? "unknown",
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()}`,
    node: process.version,
  };
}

function table(chosen: Bench, series: readonly Series[]): string {
  const rows = series.map(({ name: quantity, unit, samples }) => {
    const figures = [median(samples), Math.min(...samples), Math.max(...samples)];
    const [middle, least, most] = figures.map((figure) => figure.toPrecision(4));
    return `  ${quantity.padEnd(12)} ${middle} ${unit} (${least} to ${most}, ${samples.length} samples)`;
  });
  return [chosen.about, ...rows].join("\n");
}
