/** The trial of one mutant: does a test fail? */
import type { Mutant } from "./mutant.ts";
import type { MutantTree, Verdict } from "./mutantTree.ts";
import { ruleCrateOf } from "./ruleFiles.ts";

/** Seconds of processor time that a test program may take; without a mutant it takes a fraction of it. */
export const TEST_SECONDS = 120;

/** Tries it. Rejects when the trial says nothing: the compiler was not through in time. */
export function judgeMutant(tree: MutantTree, mutant: Mutant): Promise<Verdict> {
  const stages = ruleCrateOf(mutant.file)?.stages ?? [];
  return tree.during(mutant, async () => {
    for (const stage of stages) {
      if ((await tree.build(stage)) === "refused") return "unviable";
      const came = await tree.test(stage, TEST_SECONDS);
      if (came !== "passed") return came === "hung" ? "hung" : "caught";
    }
    return "missed";
  });
}

/** Runs the tests without a mutant. Rejects when one fails: then every mutant would look caught. */
export async function judgeSources(
  tree: MutantTree,
  stages: readonly (readonly string[])[],
): Promise<void> {
  for (const stage of stages) {
    if ((await tree.build(stage)) === "refused") {
      throw new Error(`the tests do not compile:\n${tree.lastOutput}`);
    }
    // Half of what a mutant gets: one that lasts longer hangs, and does not only wait for its turn.
    const came = await tree.test(stage, TEST_SECONDS / 2);
    if (came !== "passed")
      throw new Error(`without a mutant the tests ${came}: ${stage.join(" ")}`);
  }
}
