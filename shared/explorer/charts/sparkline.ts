/** Sparkline: the course of a series as an SVG path, for pages without script. Pure geometry; no text, no colour. */

/** A value of a series; null where nothing was measured: the line has a gap there. */
export type SparkValue = number | null;

/** The drawing, in a box from 0 to `width` and from 0 to `height`, larger values above. */
export type Sparkline = {
  /** Path of the line. Empty without two values beside each other. */
  readonly line: string;
  /** Path of the ground between the line and the lower edge. Empty where the line is. */
  readonly area: string;
  /** Strokes without length, one for each value that has no neighbour: round ends make a dot of each. */
  readonly dots: string;
  /** The least and the greatest value; null without one. */
  readonly range: readonly [number, number] | null;
};

/** The box, and whether the lower edge is zero: else it is a little below the least value. */
export type SparkBox = {
  readonly width: number;
  readonly height: number;
  readonly fromZero: boolean;
};

const DECIMALS = 100;

/** Draws the values, the first at the left edge and the last at the right one, a single one in the middle. What is no finite number is a gap. */
export function sparkline(values: readonly SparkValue[], box: SparkBox): Sparkline {
  const finite = values.filter((value): value is number => isMeasured(value));
  if (finite.length === 0) return { line: "", area: "", dots: "", range: null };
  const range = rangeOf(finite);
  const low = box.fromZero ? Math.min(0, range[0]) : range[0];
  const span = range[1] - low;
  const xOf = (at: number) =>
    values.length > 1 ? (at * box.width) / (values.length - 1) : box.width / 2;
  // A level series stands in the middle, and so does the only value.
  const isLevel = span === 0 || !Number.isFinite(span) || values.length === 1;
  const yOf = (value: number) =>
    isLevel ? box.height / 2 : box.height - ((value - low) / span) * box.height;
  const runs = runsOf(values).map((run) =>
    run.map(({ at, value }) => [rounded(xOf(at)), rounded(yOf(value))] as const),
  );
  const lines = runs.filter((points) => points.length > 1);
  const line = lines.map(pathOf).join("");
  const area = lines
    .map((points) => {
      const [first, last] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0];
      return `${pathOf(points)}L${last} ${box.height}L${first} ${box.height}Z`;
    })
    .join("");
  const alone = runs.filter((points) => points.length === 1);
  const dots = alone.map((points) => `${pathOf(points)}h0`).join("");
  return { line, area, dots, range };
}

function isMeasured(value: SparkValue): value is number {
  return value !== null && Number.isFinite(value);
}

function rangeOf(values: readonly number[]): readonly [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return [least, most];
}

type Measured = { readonly at: number; readonly value: number };

/** Values without a gap between them, by their place. */
function runsOf(values: readonly SparkValue[]): readonly (readonly Measured[])[] {
  const runs: Measured[][] = [];
  let run: Measured[] = [];
  values.forEach((value, at) => {
    if (isMeasured(value)) {
      run.push({ at, value });
      return;
    }
    if (run.length > 0) runs.push(run);
    run = [];
  });
  if (run.length > 0) runs.push(run);
  return runs;
}

function pathOf(points: readonly (readonly [number, number])[]): string {
  return points.map(([x, y], index) => `${index === 0 ? "M" : "L"}${x} ${y}`).join("");
}

function rounded(value: number): number {
  return Math.round(value * DECIMALS) / DECIMALS;
}
