/** A benchmark's samples as JSON, as a table for people, and as a row of `docs/bench.md`. */
import { median, type Bench, type Comparison, type Series } from "./bench.ts";

/** What a comparison answers; fields that do not apply are missing. */
export type ComparisonJson = {
  readonly ours: number;
  readonly theirs: number;
  readonly unit: string;
  readonly per: string;
  /** Ours over theirs. */
  readonly ratio: number;
  readonly phases: Comparison["phases"];
  readonly samples: Readonly<Record<string, readonly number[]>>;
  readonly speedup?: number;
  readonly peak_mib?: number;
  readonly ratio_batch?: number;
  readonly notes: readonly string[];
};

/** The fields of a comparison. */
export function comparisonJson(compared: Comparison): ComparisonJson {
  const { unit, per, phases, notes, theirsBatch, speedup, peakMiB } = compared;
  const [ours, theirs] = [median(compared.ours), median(compared.theirs)];
  return {
    ours,
    theirs,
    unit,
    per,
    ratio: compared.ratio ?? ours / theirs,
    phases,
    samples: {
      ours: compared.ours,
      theirs: compared.theirs,
      ...(theirsBatch && { theirs_batch: theirsBatch }),
    },
    ...(speedup !== undefined && { speedup }),
    ...(peakMiB !== undefined && { peak_mib: peakMiB }),
    ...(theirsBatch && { ratio_batch: ours / median(theirsBatch) }),
    notes,
  };
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
  const { ours, theirs, unit, per, ratio } = answer;
  const lines = [
    about,
    `  ours    ${figure(ours)} ${unit} per ${per}`,
    `  theirs  ${figure(theirs)} ${unit}`,
    `  ratio   ${ratio.toFixed(3)}`,
  ];
  if (answer.ratio_batch !== undefined) lines.push(`  batch   ${answer.ratio_batch.toFixed(3)}`);
  if (answer.speedup !== undefined) lines.push(`  speedup ${answer.speedup.toFixed(2)}`);
  if (answer.peak_mib !== undefined) lines.push(`  peak    ${figure(answer.peak_mib)} MiB`);
  for (const [name, part] of Object.entries(answer.phases)) {
    const text =
      typeof part === "number"
        ? `${figure(part)} ${unit}`
        : `${figure(part.ours)} ${part.unit}, theirs ${figure(part.theirs)}, ratio ${part.ratio.toFixed(3)}`;
    lines.push(`    ${name.padEnd(20)} ${text}`);
  }
  return [...lines, ...answer.notes.map((note) => `  (${note})`)].join("\n");
}

/** A series for people. */
export function seriesText({ about }: Bench, series: readonly Series[]): string {
  const rows = series.map(({ name, unit, samples }) => {
    const [middle, least, most] = [median(samples), Math.min(...samples), Math.max(...samples)];
    const range = `${figure(least)} to ${figure(most)}, ${samples.length} samples`;
    return `  ${name.padEnd(12)} ${figure(middle)} ${unit} (${range})`;
  });
  return [about, ...rows].join("\n");
}

/** A comparison as a row of the table in `docs/bench.md`. */
export function comparisonRow(command: string, day: string, answer: ComparisonJson): string {
  const extra = [
    answer.ratio_batch === undefined ? "" : `batch ${answer.ratio_batch.toFixed(2)}`,
    answer.speedup === undefined ? "" : `speed-up ${answer.speedup.toFixed(2)}`,
    answer.peak_mib === undefined ? "" : `peak ${figure(answer.peak_mib)} MiB`,
  ].filter((text) => text !== "");
  const cells = [
    day,
    `\`${command}\``,
    `${figure(answer.ours)} ${answer.unit}`,
    `${figure(answer.theirs)} ${answer.unit}`,
    answer.ratio.toFixed(2),
    extra.join(", "),
    String(answer.samples["ours"]?.length ?? 0),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** Three digits that count, without an exponent. */
function figure(value: number): string {
  return value >= 1000 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
