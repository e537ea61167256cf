/** Sampling in rounds, with the sides taking turns; rounds are kept, so that an interrupted run resumes. */
import { CAN_PIN } from "../peers/lineProcess.ts";

/** What one measurement gives: one or several figures by name. */
export type Sample = Readonly<Record<string, number>>;

/** One sample of each side. */
export type Round = Readonly<Record<string, Sample>>;

/** Where the rounds of one part of a run are kept. */
export type RoundLog = {
  /** Those of a run of the same sources on the same machine that was stopped. */
  readonly kept: readonly Round[];
  add(round: Round): void;
};

/** Number of rounds to take. */
export type RoundPlan = {
  readonly rounds: number;
  /** Milliseconds after which fewer rounds are enough; infinite when a person named their number. */
  readonly longestMs: number;
  readonly log: RoundLog;
  /** False when the sides have been warmed before; otherwise a round goes before that is not counted. */
  readonly warm?: boolean;
};

/** The rounds that were taken. */
export class Rounds {
  readonly all: readonly Round[];
  /** What is to be said about them. */
  readonly notes: readonly string[];

  constructor(all: readonly Round[], notes: readonly string[]) {
    this.all = all;
    this.notes = notes;
  }

  /** Every sample of one figure of one side. Throws when a round lacks it. */
  of(side: string, figure: string): readonly number[] {
    return this.all.map((round) => {
      const value = round[side]?.[figure];
      if (value === undefined) throw new Error(`${side} did not measure ${figure}`);
      return value;
    });
  }

  /** The names of a side's figures, each named by at least one sample. */
  figuresOf(side: string): readonly string[] {
    return [...new Set(this.all.flatMap((round) => Object.keys(round[side] ?? {})))];
  }

  /** Samples of a figure that not every measurement gives. */
  some(side: string, figure: string): readonly number[] {
    return this.all.flatMap((round) => round[side]?.[figure] ?? []);
  }
}

/**
 * Takes rounds until there are as many as planned, with those that were kept. Each round begins with another side, so that
 * none profits from its place. The first round, counted or not, shows how long one takes.
 */
export async function inTurns(
  sides: Readonly<Record<string, () => Promise<Sample>>>,
  { rounds, longestMs, log, warm = true }: RoundPlan,
): Promise<Rounds> {
  const all = [...log.kept].slice(0, rounds);
  const kept = all.length;
  let wanted = rounds;
  const start = performance.now();
  if (warm && kept < rounds) {
    await takeRound(sides, 0);
    wanted = affordable(rounds, longestMs, performance.now() - start);
  }
  while (all.length < wanted) {
    const begun = performance.now();
    const round = await takeRound(sides, all.length);
    log.add(round);
    all.push(round);
    if (!warm && all.length === kept + 1) {
      wanted = affordable(rounds, longestMs, performance.now() - begun);
    }
  }
  const notes = [...fewerNote(all.length, rounds), ...pinNote()];
  if (kept > 0) notes.push(`${kept} of the samples are from a run that was stopped`);
  return new Rounds(all, notes);
}

/** The note for results where programs cannot be pinned. */
export function pinNote(): readonly string[] {
  return CAN_PIN ? [] : ["not pinned: there is no taskset on this machine"];
}

/** The note for results with fewer samples than wanted. */
export function fewerNote(samples: number, wanted: number): readonly string[] {
  const note = `${samples} samples: ${wanted} would take more than ten minutes (--rounds ${wanted} takes them all)`;
  return samples < wanted ? [note] : [];
}

function affordable(rounds: number, longestMs: number, roundMs: number): number {
  return Math.max(1, Math.min(rounds, Math.floor(longestMs / roundMs)));
}

async function takeRound(
  sides: Readonly<Record<string, () => Promise<Sample>>>,
  number: number,
): Promise<Round> {
  const entries = Object.entries(sides);
  const first = number % entries.length;
  const round: Record<string, Sample> = {};
  for (const [name, measure] of [...entries.slice(first), ...entries.slice(0, first)]) {
    round[name] = await measure();
  }
  return round;
}
