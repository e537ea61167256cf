/** Order statistics of samples: median and percentile. */

/** The middle sample, or the mean of the two middle ones. Throws without any. */
export function median(samples: readonly number[]): number {
  if (samples.length === 0) throw new Error("no samples");
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1);
  return middle.reduce((sum, sample) => sum + sample, 0) / middle.length;
}

/** The smallest sample that so large a share of them (above 0, at most 1) does not exceed. Throws without any. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const found = sorted[Math.ceil(share * sorted.length) - 1];
  if (found === undefined) throw new Error("no samples");
  return found;
}
