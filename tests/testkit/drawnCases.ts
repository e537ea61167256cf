/** Random draws of test cases by the seed of a test: which of them a run of the reduced size has, and their order. */
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import type { SeededRandom } from "./seededRandom.ts";

/** So many of the cases in their order; all of them at the full size. */
export function drawnPart<Case>(
  random: SeededRandom,
  cases: readonly Case[],
  count: number,
): readonly Case[] {
  if (IS_FULL) return cases;
  const left = [...cases];
  while (left.length > count) left.splice(random.below(left.length), 1);
  return left;
}

/** All of the cases, in an order of chance. */
export function drawnOrder<Case>(random: SeededRandom, cases: readonly Case[]): readonly Case[] {
  const left = [...cases];
  return cases.flatMap(() => left.splice(random.below(left.length), 1));
}
