/**
 * What is known of each mutant at each state of the sources, kept below `.cache/mutants/results`, so that a run goes on
 * where the one before stopped.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Verdict } from "./mutantTree.ts";

/** The trial of one mutant. */
export type MutantRecord = {
  /** As cargo-mutants names it. */
  readonly mutant: string;
  /** Commit whose sources were tried. */
  readonly commit: string;
  readonly verdict: Verdict;
  /** Of its trial, compiling included. */
  readonly seconds: number;
};

const VERDICTS: readonly string[] = ["caught", "hung", "missed", "unviable"] satisfies Verdict[];

/** The records of one commit, a line of JSON each. */
export class MutantRecords {
  readonly #file: string;
  readonly #known = new Map<string, MutantRecord>();

  /** Reads what there is. A last line that was cut off by a kill is left out. */
  constructor(folder: string, commit: string) {
    mkdirSync(folder, { recursive: true });
    this.#file = join(folder, `${commit}.jsonl`);
    if (!existsSync(this.#file)) return;
    for (const line of readFileSync(this.#file, "utf8").split("\n")) {
      const record = readRecord(line);
      if (record !== null) this.#known.set(record.mutant, record);
    }
  }

  /** What came of a mutant, if it was tried. */
  of(mutant: string): MutantRecord | undefined {
    return this.#known.get(mutant);
  }

  /** Keeps what came of one. */
  add(record: MutantRecord): void {
    // On a line of its own, whatever a kill left of the line before.
    appendFileSync(this.#file, `\n${JSON.stringify(record)}`);
    this.#known.set(record.mutant, record);
  }
}

function readRecord(line: string): MutantRecord | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  return isRecord(value) ? value : null;
}

function isRecord(value: unknown): value is MutantRecord {
  if (typeof value !== "object" || value === null) return false;
  const fields: Record<string, unknown> = { ...value };
  const { mutant, commit, verdict, seconds } = fields;
  const texts = [mutant, commit, verdict].every((field) => typeof field === "string");
  return texts && VERDICTS.includes(String(verdict)) && typeof seconds === "number";
}
