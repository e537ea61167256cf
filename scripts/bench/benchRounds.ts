/** Checkpoints of interrupted benchmark runs, kept below `.cache/bench`, so that the next run resumes there. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import type { RoundLog } from "../../tests/bench/run/rounds.ts";
import { CommitRecords } from "../lib/commitRecords.ts";

const sample = v.record(v.string(), v.number());
const recordForm = v.object({
  /** Part of the bench. */
  part: v.string(),
  /** The machine in words: figures of another one do not add up with this one's. */
  machine: v.string(),
  round: v.record(v.string(), sample),
});

/** The run that they belong to. */
export type RoundsOf = {
  /** Folder of all benches. */
  readonly folder: string;
  /** The command with its sizes. */
  readonly command: string;
  /** The sources, or both of two compared ones; undefined where they are no commit, whose rounds are not kept. */
  readonly commit: string | undefined;
  readonly machine: string;
};

/** The rounds of one command at one commit. */
export class BenchRounds {
  readonly #records: CommitRecords<v.InferOutput<typeof recordForm>> | null;
  readonly #machine: string;

  /** Reads what a stopped run left. */
  constructor({ folder, command, commit, machine }: RoundsOf) {
    const place = join(folder, command.replaceAll(/[^a-z0-9]+/g, "-"));
    this.#records =
      commit === undefined
        ? null
        : new CommitRecords(place, commit, recordForm, ({ part }) => part);
    this.#machine = machine;
  }

  /** Where a part of the bench keeps its rounds. */
  log(part: string): RoundLog {
    const [records, machine] = [this.#records, this.#machine];
    if (records === null) return { kept: [], add: () => {} };
    const own = records.all.filter((one) => one.part === part && one.machine === machine);
    return {
      kept: own.map(({ round }) => round),
      add: (round) => records.add({ part, machine, round }),
    };
  }

  /** Forgets them: the run came to its end, and the next one begins anew. */
  end(): void {
    if (this.#records !== null) rmSync(this.#records.file, { force: true });
  }
}
