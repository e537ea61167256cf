/** The test files and suites of tier T2 that one run has time for. */
import { SHOWN_BY } from "./shownRooms.ts";
import { seededShuffle } from "./seededShuffle.ts";

/** The units to choose from and the change to choose for. A unit is a test file or a suite of cargo. */
export type ChoiceInput = {
  /** Test files that changed. */
  readonly changed: readonly string[];
  /** Test files whose helpers changed. */
  readonly helped: readonly string[];
  /** Rooms that changed, the most changed first. */
  readonly rooms: readonly string[];
  /** Whether something changed that every test is built or run by. */
  readonly everything: boolean;
  /** All units. Nothing else is chosen. */
  readonly all: readonly string[];
  /** Seconds of units as they were measured. */
  readonly seconds: ReadonlyMap<string, number>;
  /** Seconds of a unit that was never measured. */
  readonly unknownSeconds: number;
  readonly budgetSeconds: number;
  /** Seed of the draw, one for each commit. */
  readonly draw: number;
  /** Rows to choose by, instead of `SHOWN_BY`. */
  readonly shown?: Readonly<Record<string, readonly string[]>>;
};

/** A unit, and why it is wanted: "changed", "helper changed", "room NAME" or "drawn". */
export type WantedUnit = { readonly file: string; readonly why: string };

/** The units that run, in their order, and those left out: wanted without time first, then never drawn. */
export type Choice = {
  readonly chosen: readonly WantedUnit[];
  readonly left: readonly WantedUnit[];
};

/**
 * Fills the budget: changed test files first, then those of changed helpers, files of the changed rooms, one of each room in turn, and a
 * draw. Changed files and those of helpers are drawn too: of a change that is too wide for the budget each commit runs others. A unit that
 * does not fit is left, and the next one is tried. The same input gives the same choice.
 */
export function chooseFiles(input: ChoiceInput): Choice {
  const { all, budgetSeconds, draw, seconds, unknownSeconds } = input;
  const open = new Set(all);
  const chosen: WantedUnit[] = [];
  const left: WantedUnit[] = [];
  let used = 0;
  const take = (units: readonly WantedUnit[]): void => {
    for (const unit of units) {
      if (!open.delete(unit.file)) continue;
      const cost = seconds.get(unit.file) ?? unknownSeconds;
      if (used + cost > budgetSeconds) {
        left.push(unit);
        continue;
      }
      used += cost;
      chosen.push(unit);
    }
  };
  const shuffled = (files: readonly string[]) => seededShuffle(files.toSorted(), draw);
  take(shuffled(input.changed).map((file) => ({ file, why: "changed" })));
  take(shuffled(input.helped).map((file) => ({ file, why: "helper changed" })));
  take(unitsOfRooms(input));
  take(shuffled(Array.from(open)).map((file) => ({ file, why: "drawn" })));
  return { chosen, left };
}

/** Where everything changed, every room counts, after those that changed themselves and in an order that is drawn. */
function unitsOfRooms({ rooms, everything, draw, shown = SHOWN_BY }: ChoiceInput): WantedUnit[] {
  const drawn = everything ? seededShuffle(Object.keys(shown).toSorted(), draw) : [];
  return [...inTurn(rooms, shown), ...inTurn(drawn, shown)];
}

/** The first unit of each room, then the second of each, and so on. */
function inTurn(
  rooms: readonly string[],
  shown: Readonly<Record<string, readonly string[]>>,
): WantedUnit[] {
  const rows = rooms.map((room) => ({ room, units: shown[room] ?? [] }));
  const longest = Math.max(0, ...rows.map(({ units }) => units.length));
  return Array.from({ length: longest }, (_, rank) =>
    rows.flatMap(({ room, units }) =>
      units.slice(rank, rank + 1).map((file) => ({ file, why: `room ${room}` })),
    ),
  ).flat();
}
