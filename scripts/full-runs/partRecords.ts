/**
 * Test results of each part of a full-size run at one commit, kept below `docs/records/suites`, so that an interrupted run
 * resumes.
 */
import * as v from "valibot";
import { CommitRecords } from "../lib/commitRecords.ts";

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const partRecord = v.object({
  /** As `partsOf` names it. */
  part: v.string(),
  passed: count,
  failed: count,
  skipped: count,
  /** Of its tests with chance in them; null for a part that has none. */
  seed: v.nullable(count),
  seconds: v.number(),
  /** When it ended, as `2026-11-23`. */
  day: v.string(),
  machine: v.string(),
});

/** The result of one run of one part. */
export type PartRecord = v.InferOutput<typeof partRecord>;

/** The runs of one commit. */
export class PartRecords extends CommitRecords<PartRecord> {
  /** Reads what there is. */
  constructor(folder: string, commit: string) {
    super(folder, commit, partRecord, ({ part }) => part);
  }

  /** The seed of this commit's parts, if one has run with any: a part that is repeated has the one it failed with. */
  get seed(): number | undefined {
    return this.all.find(({ seed }) => seed !== null)?.seed ?? undefined;
  }
}
