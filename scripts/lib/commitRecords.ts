/** Append-only record file of one commit, a line of JSON for each record, by which an interrupted run resumes. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";

type Schema<T> = v.BaseSchema<unknown, T, v.BaseIssue<unknown>>;

/** The records of one commit, in the order in which they were added. */
export class CommitRecords<T> {
  /** Where they are kept. */
  readonly file: string;
  readonly #records: T[] = [];
  readonly #keyOf: (record: T) => string;

  /** Reads what there is. A line that was cut off by a kill is left out. `keyOf`: what a record is about. */
  constructor(folder: string, commit: string, schema: Schema<T>, keyOf: (record: T) => string) {
    this.#keyOf = keyOf;
    mkdirSync(folder, { recursive: true });
    this.file = join(folder, `${commit}.jsonl`);
    if (!existsSync(this.file)) return;
    for (const line of readFileSync(this.file, "utf8").split("\n")) {
      const read = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), line);
      if (read.success) this.#records.push(read.output);
    }
  }

  /** All records so far. */
  get all(): readonly T[] {
    return this.#records;
  }

  /** The last record of a key. */
  lastOf(key: string): T | undefined {
    return this.#records.findLast((record) => this.#keyOf(record) === key);
  }

  /** Keeps one. */
  add(record: T): void {
    // On a line of its own, whatever a kill left of the line before.
    appendFileSync(this.file, `\n${JSON.stringify(record)}`);
    this.#records.push(record);
  }
}
