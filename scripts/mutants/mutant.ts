/** Mutation testing: one mutant, which is a small fault that cargo-mutants puts into a file, and the random sample of mutants. */
import { createHash } from "node:crypto";
import { ruleCrateOf } from "./ruleFiles.ts";

/** A mutant of a file that holds rules. */
export type Mutant = {
  /** As cargo-mutants names it: `crates/dag/src/depth.rs:41:9: replace > with ==`. */
  readonly name: string;
  /** Below `wasm-core`. */
  readonly file: string;
  /** The change, as `git apply` reads it, with paths below `wasm-core`. */
  readonly diff: string;
};

/** Reads what `cargo mutants --list --json --diff` printed, and keeps the mutants of files that hold rules. */
export function readMutants(json: string): Mutant[] {
  const list: unknown = JSON.parse(json);
  if (!Array.isArray(list)) throw new Error("cargo-mutants printed no list");
  return list.map(readMutant).filter(({ file }) => ruleCrateOf(file) !== undefined);
}

function readMutant(value: unknown): Mutant {
  if (typeof value === "object" && value !== null && "name" in value) {
    const { name } = value;
    const file = "file" in value ? value.file : undefined;
    const diff = "diff" in value ? value.diff : undefined;
    if (typeof name === "string" && typeof file === "string" && typeof diff === "string") {
      return { name, file, diff };
    }
  }
  throw new Error(`cargo-mutants printed what is no mutant: ${JSON.stringify(value)}`);
}

/** The name without line and column, which change with every line above. */
export function stableName(name: string): string {
  return name.replace(/\.rs:\d+:\d+: /, ".rs: ");
}

/**
 * Draws a sample of `count` mutants by a seed. Which ones follows from each mutant's own name, not from its place in the
 * list: a change of one file leaves what is drawn of the others as it is. They come in the order of their files.
 */
export function drawMutants(all: readonly Mutant[], count: number, seed: string): Mutant[] {
  const seen = new Map<string, number>();
  const lots = all.map((mutant) => {
    const name = stableName(mutant.name);
    const twin = (seen.get(name) ?? 0) + 1;
    seen.set(name, twin);
    const lot = createHash("sha256").update(`${seed}\0${name}\0${twin}`).digest("hex");
    return { mutant, lot };
  });
  const drawn = lots.toSorted((a, b) => (a.lot < b.lot ? -1 : 1)).slice(0, count);
  return drawn
    .map(({ mutant }) => mutant)
    .toSorted((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
}
