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

/**
 * Steps at which a work of so many steps is killed: the first one, two more of those before it is on its way (`out`), and some of
 * those from there on; every step at the full size.
 */
export function drawnKills(
  random: SeededRandom,
  work: { readonly steps: number; readonly out: number; readonly late: number },
): readonly number[] {
  const all = Array.from({ length: work.steps }, (_, step) => step);
  return [
    ...all.slice(0, 1),
    ...drawnPart(random, all.slice(1, work.out), 2),
    ...drawnPart(random, all.slice(work.out), work.late),
  ];
}
