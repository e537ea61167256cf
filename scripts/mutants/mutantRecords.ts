/**
 * Mutation testing: results of each mutant at each commit, kept below `docs/records/mutants`, so that an interrupted run
 * resumes.
 */
import * as v from "valibot";
import { CommitRecords } from "../lib/commitRecords.ts";
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

const mutantRecord = v.object({
  mutant: v.string(),
  commit: v.string(),
  verdict: v.picklist(["caught", "hung", "missed", "unviable"] satisfies Verdict[]),
  seconds: v.number(),
});

/** The records of one commit. */
export class MutantRecords extends CommitRecords<MutantRecord> {
  /** Reads what there is. */
  constructor(folder: string, commit: string) {
    super(folder, commit, mutantRecord, ({ mutant }) => mutant);
  }
}
