/** The trial of one mutant: does a test fail? */
import type { Mutant } from "./mutant.ts";
import type { MutantTree, Verdict } from "./mutantTree.ts";
import { ruleCrateOf } from "./ruleFiles.ts";

/** Seconds that the tests of one mutant may take; they take a fraction of it without a mutant. */
export const TEST_SECONDS = 120;
/** Seconds that compiling may take. Beyond it the machine is too busy for any verdict. */
const BUILD_SECONDS = 900;
/** Exit status of a command that was ended for its time. */
const TIMED_OUT = 124;

/** What came of it, and the seconds that its tests took. */
export type Trial = { readonly verdict: Verdict; readonly seconds: number };

/** Tries it. Rejects when the trial says nothing: the compiler was not through in time. */
export function judgeMutant(tree: MutantTree, mutant: Mutant): Promise<Trial> {
  const stages = ruleCrateOf(mutant.file)?.stages ?? [];
  return tree.during(mutant, async () => {
    let seconds = 0;
    for (const stage of stages) {
      const built = await tree.build(stage, BUILD_SECONDS);
      if (built.status === TIMED_OUT) throw new Error(`${mutant.name}: compiling took too long`);
      if (built.status !== 0) return { verdict: "unviable", seconds };
      const tested = await tree.test(stage, TEST_SECONDS - seconds);
      seconds += tested.seconds;
      if (tested.status === TIMED_OUT) return { verdict: "hung", seconds };
      if (tested.status !== 0) return { verdict: "caught", seconds };
    }
    return { verdict: "missed", seconds };
  });
}

/** Seconds that all stages of a crate take without a mutant. Rejects when a test fails or they take too long. */
export async function judgeSources(
  tree: MutantTree,
  stages: readonly (readonly string[])[],
): Promise<number> {
  let seconds = 0;
  for (const stage of stages) {
    const built = await tree.build(stage, 4 * BUILD_SECONDS);
    if (built.status !== 0) throw new Error(`the tests do not compile:\n${built.output}`);
    const tested = await tree.test(stage, TEST_SECONDS);
    if (tested.status !== 0) throw new Error(`the tests fail without a mutant:\n${tested.output}`);
    seconds += tested.seconds;
  }
  // Otherwise a slow machine would look like a mutant that never ends.
  if (seconds > TEST_SECONDS / 2) {
    throw new Error(`the tests take ${seconds.toFixed(0)} s without a mutant: the machine is busy`);
  }
  return seconds;
}
