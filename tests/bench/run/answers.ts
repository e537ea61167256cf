/** Reports of a benchmark's samples: JSON, a table for people, and a row of `docs/bench.md`. */
import type { Bench, Series } from "./bench.ts";
import { median } from "./median.ts";
import {
  judgeQuantity,
  spreadOf,
  type Comparison,
  type Judged,
  type Spread,
} from "./comparison.ts";
import { PEER_BUILDS, type PeerAbout } from "../peers/peerBuilds.ts";

/** The JSON result of a comparison; fields that do not apply are missing. */
export type ComparisonJson = Judged & {
  readonly more?: Readonly<Record<string, Judged>>;
  /** `ratio` times the cores that ours used. */
  readonly ratio_per_core?: number;
  /** Time with one worker over time with all. */
  readonly speedup?: number;
  readonly phases: Comparison["phases"];
  readonly peers: readonly PeerAbout[];
  readonly samples: Readonly<Record<string, readonly number[]>>;
  readonly notes: readonly string[];
};

/** The fields of a comparison. */
export function comparisonJson(compared: Comparison): ComparisonJson {
  const { phases, peers, notes, more = {}, cores, alone, shared } = compared;
  const judged = judgeQuantity(compared);
  const others = Object.entries(more).map(([name, part]) => [name, judgeQuantity(part)]);
  return {
    ...judged,
    ...(others.length > 0 && { more: Object.fromEntries(others) }),
    ...(cores !== undefined && { ratio_per_core: judged.ratio * cores }),
    ...(alone && shared && { speedup: median(alone) / median(shared) }),
    phases,
    peers,
    samples: samplesOf(compared),
    notes,
  };
}

function samplesOf(compared: Comparison): Record<string, readonly number[]> {
  const samples: Record<string, readonly number[]> = {};
  for (const [name, quantity] of Object.entries({ "": compared, ...compared.more })) {
    const prefix = name === "" ? "" : `${name} `;
    samples[`${prefix}ours`] = quantity.ours;
    for (const { build, way, samples: taken } of quantity.theirs) {
      samples[`${prefix}${build} ${way}`] = taken;
    }
  }
  if (compared.alone) samples["one worker"] = compared.alone;
  if (compared.shared) samples["all workers"] = compared.shared;
  return samples;
}

/** The fields of a series: one entry per quantity. */
export function seriesJson(series: readonly Series[]): Record<string, unknown> {
  const pick = (value: (one: Series) => unknown) =>
    Object.fromEntries(series.map((one) => [one.name, value(one)]));
  return {
    median: pick((one) => median(one.samples)),
    unit: pick((one) => one.unit),
    samples: pick((one) => one.samples),
  };
}

/** A comparison for people. */
export function comparisonText({ about }: Bench, answer: ComparisonJson): string {
  const lines = [about, ...quantityLines(answer)];
  if (answer.ratio_per_core !== undefined) {
    lines.push(`  per core ${answer.ratio_per_core.toFixed(3)}`);
  }
  if (answer.speedup !== undefined) lines.push(`  speed-up ${answer.speedup.toFixed(2)}`);
  for (const other of Object.values(answer.more ?? {})) lines.push(...quantityLines(other));
  for (const [name, part] of Object.entries(answer.phases)) {
    lines.push(`    ${name.padEnd(20)} ${figure(part)} ${answer.unit}`);
  }
  for (const { build, backend, features, opt_level, target_cpu } of answer.peers) {
    const list = features.join(", ");
    lines.push(
      `  ${build}: arithmetic ${backend}, features ${list}, opt-level ${opt_level}, target-cpu ${target_cpu}`,
    );
  }
  return [...lines, ...answer.notes.map((note) => `  (${note})`)].join("\n");
}

function quantityLines({ unit, per, ratio, hardest, builds, spread }: Judged): string[] {
  return [
    `  ours     ${spreadText(spread.ours)} ${unit} per ${per}`,
    ...builds.map(
      (one) =>
        `  ${one.build.padEnd(8)} ${figure(one.theirs)} ${unit}, ratio ${one.ratio.toFixed(3)} (${one.way})`,
    ),
    `  ratio    ${ratio.toFixed(3)} against ${hardest.build}, ${hardest.way}, ${spreadText(spread.theirs)} ${unit}`,
  ];
}

function spreadText({ median, least, most }: Spread): string {
  return `${figure(median)} (${figure(least)} to ${figure(most)})`;
}

/** A series for people. */
export function seriesText({ about }: Bench, series: readonly Series[]): string {
  const rows = series.map(({ name, unit, samples }) => {
    const { median: middle, least, most } = spreadOf(samples);
    const range = `${figure(least)} to ${figure(most)}, ${samples.length} samples`;
    return `  ${name.padEnd(12)} ${figure(middle)} ${unit} (${range})`;
  });
  return [about, ...rows].join("\n");
}

/**
 * A comparison as rows of the table in `docs/bench.md`, one for each of its quantities. `where` names day, machine and
 * commit.
 */
export function comparisonRows(command: string, where: string, answer: ComparisonJson): string {
  const count = answer.samples["ours"]?.length ?? 0;
  const further = [
    answer.ratio_per_core === undefined ? "" : `per core ${answer.ratio_per_core.toFixed(2)}`,
    answer.speedup === undefined ? "" : `speed-up ${answer.speedup.toFixed(2)}`,
  ].filter((text) => text !== "");
  const quantities = Object.values(answer.more ?? {});
  return [answer, ...quantities]
    .map((one) => rowOf(one, { command, where, count, further: one === answer ? further : [] }))
    .join("\n");
}

type Row = {
  readonly command: string;
  readonly where: string;
  readonly count: number;
  readonly further: readonly string[];
};

function rowOf(one: Judged, { command, where, count, further }: Row): string {
  const theirs = PEER_BUILDS.map(({ name }) => {
    const ways = one.builds.filter(({ build }) => build === name).map((way) => way.theirs);
    return ways.length === 0 ? "—" : figure(Math.min(...ways));
  });
  const { ours, theirs: other } = one.spread;
  const range = ({ least, most }: Spread) => `${figure(least)} to ${figure(most)}`;
  const cells = [
    where,
    `\`${command}\`, ${one.per}`,
    `${figure(one.ours)} ${one.unit}`,
    ...theirs,
    `**${one.ratio.toFixed(2)}** (${one.hardest.build})`,
    further.join(", "),
    `${count}: ${range(ours)}; ${range(other)}`,
  ];
  return `| ${cells.join(" | ")} |`;
}

/** Three digits that count, without an exponent. */
function figure(value: number): string {
  return value >= 1000 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
