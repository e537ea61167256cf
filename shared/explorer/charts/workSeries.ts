/** Series of the charts over time, from the document `/info/work-history`. A bin without blocks is a gap, not a zero. */

/** A bin of the document, as far as charts read it. */
export type WorkPoint = {
  /** Unix seconds of its beginning. */
  readonly t: number;
  readonly difficulty: number;
  readonly bps: number;
  readonly hashrate: number;
  readonly blocks: number;
  readonly reds: number;
  readonly transactions: number;
};

/** What is drawn of it. `redShare`: red blocks among all of a bin. */
export const WORK_FIELDS = ["hashrate", "difficulty", "bps", "redShare", "transactions"] as const;
export type WorkField = (typeof WORK_FIELDS)[number];

/** A series: places on the axis in rising order, and a value for each. */
export type ChartSeries = {
  readonly xs: readonly number[];
  readonly values: readonly (number | null)[];
};

/** The series of a field. Bins that stand out of order, or twice, are left out. */
export function workSeries(points: readonly WorkPoint[], field: WorkField): ChartSeries {
  const rising = points.filter(({ t }, at) => at === 0 || t > (points[at - 1]?.t ?? 0));
  return {
    xs: rising.map(({ t }) => t),
    values: rising.map((point) => valueOf(point, field)),
  };
}

function valueOf(point: WorkPoint, field: WorkField): number | null {
  // Nothing was found: the rate is known, the work behind it is not.
  if (point.blocks === 0) return field === "bps" || field === "transactions" ? 0 : null;
  return field === "redShare" ? point.reds / point.blocks : point[field];
}

/** So many of the rows of a series at most, evenly spread, the newest among them: for a table beside a chart. */
export function spreadRows(
  { xs, values }: ChartSeries,
  most: number,
): readonly { readonly x: number; readonly value: number | null }[] {
  const every = Math.max(1, Math.ceil(xs.length / most));
  return xs
    .map((x, at) => ({ x, value: values[at] ?? null, at }))
    .filter(({ at }) => (xs.length - 1 - at) % every === 0)
    .map(({ x, value }) => ({ x, value }));
}
