/** Results of the crash tests at one commit, kept below `docs/records/kills`, so that kill points add up over several runs. */
import * as v from "valibot";
import { CommitRecords } from "../lib/commitRecords.ts";
import { KILL_SOURCES, KILLS_WANTED, type KillKind } from "./killSources.ts";

/** The result of one run of one source. */
export type KillRecord = {
  readonly kind: KillKind;
  readonly seed: number;
  readonly points: number;
  /** Points after which something acknowledged was missing; a run that failed in any way counts as one. */
  readonly lost: number;
  /** When it ended, as `2026-11-23`. */
  readonly day: string;
};

const killRecord = v.object({
  kind: v.picklist(KILL_SOURCES.map(({ kind }) => kind)),
  seed: v.number(),
  points: v.number(),
  lost: v.number(),
  day: v.string(),
});

/** The runs of one commit. */
export class KillRecords extends CommitRecords<KillRecord> {
  /** Reads what there is. */
  constructor(folder: string, commit: string) {
    super(folder, commit, killRecord, ({ kind }) => kind);
  }

  /** Points of one kind. */
  pointsOf(kind: KillKind): number {
    return sum(this.all.filter((one) => one.kind === kind).map(({ points }) => points));
  }

  /** A seed that no run of this kind has had. */
  nextSeed(kind: KillKind): number {
    return 1 + Math.max(0, ...this.all.filter((one) => one.kind === kind).map(({ seed }) => seed));
  }
}

/** The points and losses that a run's output names for a kind: the sum of its `kills:` lines. */
export function countKills(output: string, kind: KillKind): { points: number; lost: number } {
  // oxlint-disable-next-line no-control-regex -- runners colour their output
  const plain = output.replaceAll(/\u001b\[[0-9;]*m/g, "");
  const lines = [...plain.matchAll(/^kills: (\w+) (\d+) points, (\d+) lost$/gm)];
  const own = lines.filter(([, name]) => name === kind);
  return {
    points: sum(own.map(([, , points]) => Number(points))),
    lost: sum(own.map(([, , , lost]) => Number(lost))),
  };
}

/** Whether these kinds have reached their goals and lost nothing; all of them together the wanted number, too. */
export function hasReached(
  records: KillRecords,
  kinds: readonly string[] = KILL_SOURCES.map(({ kind }) => kind),
): boolean {
  const judged = KILL_SOURCES.filter(({ kind }) => kinds.includes(kind));
  const own = records.all.filter(({ kind }) => kinds.includes(kind));
  const goals = judged.every(({ kind, goal }) => records.pointsOf(kind) >= goal);
  const isAll = judged.length === KILL_SOURCES.length;
  const points = sum(records.all.map((one) => one.points));
  return (
    judged.length > 0 &&
    goals &&
    (!isAll || points >= KILLS_WANTED) &&
    own.every(({ lost }) => lost === 0)
  );
}

/** The row of a commit for the table in docs/testing.md. */
export function killRow(records: KillRecords, commit: string): string {
  const days = records.all.map(({ day }) => day).toSorted();
  const seeds = KILL_SOURCES.map(({ kind }) => {
    const own = records.all.filter((one) => one.kind === kind);
    return `${kind} 1–${own.length === 0 ? 0 : Math.max(...own.map(({ seed }) => seed))}`;
  });
  const counts = KILL_SOURCES.map(({ kind }) => String(records.pointsOf(kind)));
  const lost = String(sum(records.all.map((one) => one.lost)));
  const points = String(sum(records.all.map((one) => one.points)));
  const cells = [
    days.at(-1) ?? "—",
    commit.slice(0, 12),
    seeds.join(", "),
    ...counts,
    points,
    lost,
  ];
  return `| ${cells.join(" | ")} |`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
