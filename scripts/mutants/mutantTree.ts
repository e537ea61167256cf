/**
 * Mutation testing: a copy of one commit's sources, in which mutants are made and tested. The working tree is never
 * touched, and a copy that stays keeps what cargo has compiled.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, runCommand, TIMED_OUT, type CommandResult } from "../lib/command.ts";
import { sourceCommit } from "../lib/sourceCommit.ts";
import { PACKAGES, type Stage } from "./ruleFiles.ts";
import type { Mutant } from "./mutant.ts";

const FOLDER = ".cache/mutants";

/** Seconds of the clock after which a command is ended: far more than it takes. */
const WALL_SECONDS = 3_600;
/**
 * The crates that mutants are in are compiled often and run shortly, so they are optimised less than for other tests; what
 * they stand on stays as it is.
 */
const CONFIG = ["chain", "dag", "shielded", "consensus"].flatMap((crate) =>
  ["opt-level=1", "debug=false"].flatMap((setting) => [
    "--config",
    `profile.dev.package.svc-${crate}.${setting}`,
  ]),
);

/** How the trial of a mutant ended. `hung`: its tests did not end in time. */
export type Verdict = "caught" | "hung" | "missed" | "unviable";

/** The copy. */
export class MutantTree {
  /** The whole hash of its commit. */
  readonly commit: string;
  /** What the last compilation or the last tests said. */
  lastOutput = "";
  readonly #core = `${FOLDER}/tree/wasm-core`;

  private constructor(commit: string) {
    this.commit = commit;
  }

  /** Brings the copy to the sources that are checked out. Rejects outside a git repository. */
  static async open(): Promise<MutantTree> {
    const commit = await sourceCommit();
    mkdirSync(join(ROOT, FOLDER, "tree"), { recursive: true });
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

  /**
   * Runs the tests of a stage in the copy as it stands; `hung` when a test program used up so many seconds of processor
   * time, or when none of it came to an end. Time of the processor, so that a busy machine is no verdict.
   */
  async test(stage: Stage, seconds: number): Promise<"passed" | "failed" | "hung"> {
    const modules = stage.modules.map((name) => `${name}::`);
    const args = ["test", "--locked", ...PACKAGES, ...stage.programs];
    const behind = ["--", "--color=never", ...modules];
    const { status, output } = await this.#run(
      "sh",
      ["-c", `ulimit -S -t ${seconds}; exec cargo "$@"`, "sh", ...CONFIG, ...args, ...behind],
      WALL_SECONDS,
      // The first test that fails is enough.
      /^test .* \.\.\. FAILED$/m,
    );
    this.lastOutput = output;
    if (status === 0) return "passed";
    return status === TIMED_OUT || usedUpItsTime(output) ? "hung" : "failed";
  }

  /**
   * Compiles the tests of a stage without running them. `refused` is the compiler's word on the source: where it failed for
   * another reason, as after a run that was killed while it compiled, it begins anew, and rejects when that fails too.
   */
  async build(stage: Stage): Promise<"built" | "refused"> {
    const args = [...CONFIG, "test", "--locked", ...PACKAGES, ...stage.programs, "--no-run"];
    let came = await this.#compile(args);
    if (came === "broken") {
      await this.#run("cargo", ["clean", "--locked", ...PACKAGES], WALL_SECONDS);
      came = await this.#compile(args);
    }
    if (came === "broken") throw new Error(`nothing can be compiled:\n${this.lastOutput}`);
    return came;
  }

  async #compile(args: readonly string[]): Promise<"built" | "refused" | "broken"> {
    const { status, output } = await this.#run("cargo", args, WALL_SECONDS);
    if (status === TIMED_OUT) throw new Error(`compiling took more than ${WALL_SECONDS} s`);
    this.lastOutput = output;
    if (status === 0) return "built";
    return refusesSource(output) ? "refused" : "broken";
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

  #run(
    program: string,
    args: readonly string[],
    seconds: number,
    enough?: RegExp,
  ): Promise<CommandResult> {
    return runCommand(program, args, {
      folder: this.#core,
      environment: { CARGO_TARGET_DIR: join(ROOT, FOLDER, "target"), SVC_TEST_SIZE: "reduced" },
      seconds,
      ...(enough === undefined ? {} : { enough }),
    });
  }
}

/** Whether rustc says that something is wrong with a line of a source, and not with what was compiled before. */
export function refusesSource(output: string): boolean {
  return /^error.*\n +--> /m.test(output);
}

/** Whether cargo says that a program was ended by SIGXCPU; it leaves the name out where the system gives none. */
export function usedUpItsTime(output: string): boolean {
  return /\(signal: 24[,)]/.test(output);
}

/** The change with the paths that `git apply` wants; cargo-mutants writes a sentence in their place. */
function patchOf({ file, diff }: Mutant): string {
  const [, , ...hunks] = diff.split("\n");
  return [`--- a/${file}`, `+++ b/${file}`, ...hunks].join("\n");
}
