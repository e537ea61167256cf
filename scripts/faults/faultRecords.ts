/** Verdicts of faults by commit, kept below `docs/records/faults`, so that a stopped run resumes. */
import * as v from "valibot";
import { CommitRecords } from "../lib/commitRecords.ts";

const faultRecord = v.object({
  id: v.string(),
  commit: v.string(),
  verdict: v.picklist(["caught", "survived"]),
  suite: v.nullable(v.string()),
  file: v.nullable(v.string()),
  test: v.nullable(v.string()),
  reason: v.nullable(v.string()),
  why: v.nullable(v.string()),
  ran: v.array(v.string()),
  seconds: v.number(),
  day: v.string(),
});

/**
 * The trial of one fault: the commit whose sources were tried, the suite, file, test and first words of what went red, why that
 * ran ("reaches", or the reason of the choice), all steps that ran, and the seconds of the trial.
 */
export type FaultRecord = Readonly<v.InferOutput<typeof faultRecord>>;

/** The records of one commit. */
export class FaultRecords extends CommitRecords<FaultRecord> {
  /** Reads what there is. */
  constructor(folder: string, commit: string) {
    super(folder, commit, faultRecord, ({ id }) => id);
  }
}
