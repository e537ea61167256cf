/** Mutation testing: the trial of one mutant, which is caught when a test fails that passes without it. */
import type { Mutant } from "./mutant.ts";
import type { MutantTree, Verdict } from "./mutantTree.ts";
import { ruleCrateOf, type Stage } from "./ruleFiles.ts";

/** Seconds of processor time that a test program may take: two minutes of two cores. */
const TEST_SECONDS = 240;
/** The same without a mutant, where the longest takes about 110 on a quiet machine. */
const SOUND_SECONDS = 180;
/** Characters of what failing tests said that are shown. */
const OUTPUT_SHOWN = 4_000;

/** Runs the tests against mutants, one after the other, in one copy of the sources. */
export class MutantJudge {
  readonly #tree: MutantTree;
  /** Stages whose tests are known to pass without a mutant. */
  readonly #sound = new Set<string>();

  constructor(tree: MutantTree) {
    this.#tree = tree;
  }

  /** Tries one. Rejects when the trial says nothing: the compiler was not through, or tests fail without the mutant too. */
  async judge(mutant: Mutant): Promise<Verdict> {
    const stages = ruleCrateOf(mutant.file)?.stages ?? [];
    const { verdict, stage } = await this.#tree.during(mutant, () => this.#tryStages(stages));
    if (stage !== undefined) await this.#requireSound(stage);
    return verdict;
  }

  /** The verdict, and the stage that failed if one did. */
  async #tryStages(stages: readonly Stage[]): Promise<{ verdict: Verdict; stage?: Stage }> {
    for (const stage of stages) {
      if ((await this.#tree.build(stage)) === "refused") return { verdict: "unviable" };
      const came = await this.#tree.test(stage, TEST_SECONDS);
      if (came !== "passed") return { verdict: came === "hung" ? "hung" : "caught", stage };
    }
    return { verdict: "missed" };
  }

  /** Runs a stage on the sources as they are, once: a test that fails there has caught nothing. */
  async #requireSound(stage: Stage): Promise<void> {
    const name = [...stage.programs, ...stage.modules].join(" ");
    if (this.#sound.has(name)) return;
    if ((await this.#tree.build(stage)) === "refused") {
      throw new Error(`the tests do not compile:\n${this.#tree.lastOutput}`);
    }
    // Less than what a mutant gets: one that lasts longer hangs, and does not only take its time.
    const came = await this.#tree.test(stage, SOUND_SECONDS);
    if (came !== "passed") {
      const said = this.#tree.lastOutput.slice(-OUTPUT_SHOWN);
      throw new Error(`without a mutant the tests ${came}: ${name}\n${said}`);
    }
    this.#sound.add(name);
  }
}
