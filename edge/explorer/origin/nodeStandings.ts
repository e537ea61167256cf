/**
 * Ranking of the nodes by their observed health: which may be asked, and in which order. Nothing that a node says of itself makes it better than
 * another: a tip counts as the best only if a second node is near it, where there are three or more.
 */
import { EXPLORER_LIMITS } from "../../explorerLimits.ts";

/** What was seen of a node. */
export type NodeView = {
  readonly name: string;
  /** False for a node of another network. */
  readonly isOurs: boolean;
  /** DAA score of its tip; null before it was seen. */
  readonly score: number | null;
  /** Unix ms. When its tip was seen; null for never. */
  readonly seenMs: number | null;
  /** Unix ms. Since when it is behind the others; null if it is not. */
  readonly behindSinceMs: number | null;
  /** What it says of itself: whether it follows the chain. */
  readonly isHealthy: boolean;
};

/** What is known of the nodes, as one object tells another. */
export type NodeViews = readonly NodeView[];

/** A node of which nothing was seen. */
export function unseenNode(name: string): NodeView {
  return {
    ...{ name, isOurs: true, score: null, seenMs: null, behindSinceMs: null },
    isHealthy: true,
  };
}

/** Notes a tip of a node, and finds out anew who is behind. */
export function withTip(
  views: NodeViews,
  name: string,
  tip: { readonly isOurs: boolean; readonly score: number },
  nowMs: number,
): NodeViews {
  const noted = views.map((view) =>
    view.name === name
      ? { ...view, isOurs: tip.isOurs, score: tip.score, seenMs: tip.isOurs ? nowMs : view.seenMs }
      : view,
  );
  const best = bestScore(noted);
  return noted.map((view) => {
    const isBehind =
      view.isOurs && view.score !== null && best - view.score > EXPLORER_LIMITS.nodeLagScore;
    return { ...view, behindSinceMs: isBehind ? (view.behindSinceMs ?? nowMs) : null };
  });
}

/** Notes what a node says of itself. */
export function withHealth(views: NodeViews, name: string, isHealthy: boolean): NodeViews {
  return views.map((view) => (view.name === name ? { ...view, isHealthy } : view));
}

/**
 * The nodes that may be asked. First those that were seen lately and are well, then those that were not, then those that say of
 * themselves that they are not well; in each of these the first of the list first.
 */
export function usableNodes(views: NodeViews, nowMs: number): readonly string[] {
  const usable = views.filter(
    ({ isOurs, behindSinceMs }) =>
      isOurs && (behindSinceMs === null || nowMs - behindSinceMs < EXPLORER_LIMITS.nodeLagMs),
  );
  const orderOf = ({ isHealthy, seenMs }: NodeView): number => {
    if (!isHealthy) return 2;
    return seenMs !== null && nowMs - seenMs < EXPLORER_LIMITS.nodeSeenMs ? 0 : 1;
  };
  return usable.toSorted((a, b) => orderOf(a) - orderOf(b)).map(({ name }) => name);
}

/** ms. How long ago a node that is well was seen on the network; null for never. */
export function lagOf(views: NodeViews, nowMs: number): number | null {
  const usable = new Set(usableNodes(views, nowMs));
  const seen = views.flatMap(({ name, seenMs, isHealthy }) =>
    seenMs !== null && isHealthy && usable.has(name) ? [seenMs] : [],
  );
  return seen.length === 0 ? null : Math.max(0, nowMs - Math.max(...seen));
}

const NODES_THAT_OUTVOTE = 3;

function bestScore(views: NodeViews): number {
  const scores = views
    .flatMap(({ isOurs, score }) => (isOurs && score !== null ? [score] : []))
    .toSorted((a, b) => b - a);
  const [first = 0, second = first] = scores;
  return scores.length >= NODES_THAT_OUTVOTE ? second : first;
}
