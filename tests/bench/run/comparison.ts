/** Comparison of our figure with upstream's. Upstream is built in several ways, and its fastest build makes the ratio. */
import { median } from "./median.ts";
import type { PeerAbout, PeerName } from "../peers/peerBuilds.ts";

/** Upstream's samples of one build, and of one way where its library has several. */
export type Theirs = {
  readonly build: PeerName;
  /** The call that was measured. */
  readonly way: string;
  readonly samples: readonly number[];
};

/** One quantity on both sides. */
export type Quantity = {
  readonly unit: "ms" | "µs" | "MiB";
  /** What one unit of the figures is of, for people: "2-action proof". */
  readonly per: string;
  readonly ours: readonly number[];
  readonly theirs: readonly Theirs[];
};

/** The samples of a comparison. */
export type Comparison = Quantity & {
  /** What each build says of itself. */
  readonly peers: readonly PeerAbout[];
  /** Quantities beside the headline. */
  readonly more?: Readonly<Record<string, Quantity>>;
  /** Medians of parts of our figure. */
  readonly phases: Readonly<Record<string, number>>;
  /** Cores that ours used, where they were more than the one that theirs had. */
  readonly cores?: number;
  /** Samples of ours with one worker. */
  readonly alone?: readonly number[];
  /** Samples of ours with all workers, as many as `alone` has. */
  readonly shared?: readonly number[];
  /** Samples are fewer than seven, or not pinned: why. */
  readonly notes: readonly string[];
};

/** A median with the least and the most of its samples. */
export type Spread = { readonly median: number; readonly least: number; readonly most: number };

/** One build's part of a quantity. */
export type AgainstBuild = {
  readonly build: PeerName;
  readonly way: string;
  readonly theirs: number;
  readonly ratio: number;
};

/** The result for one quantity. */
export type Judged = {
  readonly ours: number;
  /** Of the hardest build and way. */
  readonly theirs: number;
  readonly unit: Quantity["unit"];
  readonly per: string;
  /** Ours over theirs. */
  readonly ratio: number;
  readonly hardest: { readonly build: PeerName; readonly way: string };
  readonly builds: readonly AgainstBuild[];
  readonly spread: { readonly ours: Spread; readonly theirs: Spread };
};

/** Sets ours against every build and way; the one that leaves the largest ratio is the one that counts. Throws without any. */
export function judgeQuantity({ unit, per, ours, theirs }: Quantity): Judged {
  const own = median(ours);
  const builds = theirs.map(({ build, way, samples }) => {
    const other = median(samples);
    return { build, way, theirs: other, ratio: own / other };
  });
  const hardest = builds.toSorted((a, b) => b.ratio - a.ratio)[0];
  const samples = theirs.find((one) => one.build === hardest?.build && one.way === hardest.way);
  if (hardest === undefined || samples === undefined)
    throw new Error("there is nothing to compare with");
  const { build, way, ratio } = hardest;
  return {
    ours: own,
    theirs: hardest.theirs,
    unit,
    per,
    ratio,
    hardest: { build, way },
    builds,
    spread: { ours: spreadOf(ours), theirs: spreadOf(samples.samples) },
  };
}

/** Median, least and most. */
export function spreadOf(samples: readonly number[]): Spread {
  return { median: median(samples), least: Math.min(...samples), most: Math.max(...samples) };
}
