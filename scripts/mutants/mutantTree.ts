/**
 * A copy of one commit's sources, in which mutants are made and tested. The working tree is never touched, and a
 * copy that stays keeps what cargo has compiled.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, runCommand, type CommandResult } from "../lib/command.ts";
import { PACKAGES } from "./ruleFiles.ts";
import type { Mutant } from "./mutant.ts";

const FOLDER = ".cache/mutants";

/** How the trial of a mutant ended. `hung`: its tests did not end in time. */
export type Verdict = "caught" | "hung" | "missed" | "unviable";

/** The copy. */
export class MutantTree {
  /** The whole hash of its commit. */
  readonly commit: string;
  readonly #core = `${FOLDER}/tree/wasm-core`;

  private constructor(commit: string) {
    this.commit = commit;
  }

  /** Brings the copy to the commit that is checked out. Rejects outside a git repository. */
  static async open(): Promise<MutantTree> {
    const head = await runCommand("git", ["rev-parse", "HEAD"]);
    if (head.status !== 0) throw new Error(`mutants are made from a commit:\n${head.output}`);
    mkdirSync(join(ROOT, FOLDER, "tree"), { recursive: true });
    const commit = head.output.trim();
    const tree = new MutantTree(commit);
    // An index of its own: only files that differ are written, so cargo compiles no more than it has to.
    const laid = await runCommand(
      "git",
      [`--work-tree=${FOLDER}/tree`, "read-tree", "--reset", "-u", commit],
      {
        environment: { GIT_INDEX_FILE: join(ROOT, FOLDER, "index") },
      },
    );
    if (laid.status !== 0) throw new Error(`the copy could not be made:\n${laid.output}`);
    return tree;
  }

  /** Every mutant that cargo-mutants finds in the copy, as its JSON. */
  async list(program: string): Promise<string> {
    const args = ["mutants", "--list", "--json", "--diff", ...PACKAGES];
    const listed = await runCommand(program, [...args, "--colors=never"], { folder: this.#core });
    const start = listed.output.indexOf("[");
    if (listed.status !== 0 || start < 0) throw new Error(`no list of mutants:\n${listed.output}`);
    return listed.output.slice(start);
  }

  /** Runs the tests of a stage in the copy as it stands; status 124 when they were not through after so many seconds. */
  async test(stage: readonly string[], seconds: number): Promise<CommandResult> {
    return this.#cargo(["test", "--locked", ...PACKAGES, ...stage, "--quiet"], seconds);
  }

  /** Compiles the tests of a stage without running them. */
  async build(stage: readonly string[], seconds: number): Promise<CommandResult> {
    return this.#cargo(["test", "--locked", ...PACKAGES, ...stage, "--no-run"], seconds);
  }

  /** Does something with the mutant in place, and takes it out again whatever happens. */
  async during<T>(mutant: Mutant, act: () => Promise<T>): Promise<T> {
    const path = join(ROOT, this.#core, mutant.file);
    const before = readFileSync(path);
    const patch = join(ROOT, FOLDER, "mutant.diff");
    writeFileSync(patch, patchOf(mutant));
    try {
      const applied = await runCommand("git", ["apply", patch], {
        folder: this.#core,
        // Not as a part of the repository around it, which ignores this folder.
        environment: { GIT_CEILING_DIRECTORIES: join(ROOT, FOLDER, "tree") },
      });
      if (applied.status !== 0) throw new Error(`${mutant.name}:\n${applied.output}`);
      return await act();
    } finally {
      writeFileSync(path, before);
    }
  }

  #cargo(args: readonly string[], seconds: number): Promise<CommandResult> {
    return runCommand("cargo", args, {
      folder: this.#core,
      environment: { CARGO_TARGET_DIR: join(ROOT, FOLDER, "target"), SVC_TEST_SIZE: "reduced" },
      seconds,
    });
  }
}

/** The change with the paths that `git apply` wants; cargo-mutants writes a sentence in their place. */
function patchOf({ file, diff }: Mutant): string {
  const [, , ...hunks] = diff.split("\n");
  return [`--- a/${file}`, `+++ b/${file}`, ...hunks].join("\n");
}
