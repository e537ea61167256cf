import { describe, expect, it } from "vitest";
import { chooseFiles, type ChoiceInput } from "./chooseFiles.ts";

const SHOWN = {
  cheap: ["a", "b", "c"],
  dear: ["d", "a", "e"],
};
const ALL = ["a", "b", "c", "d", "e", "f", "g", "h", "suite:sim"];

function choose(given: Partial<ChoiceInput>) {
  return chooseFiles({
    changed: [],
    helped: [],
    rooms: [],
    everything: false,
    all: ALL,
    seconds: new Map(),
    unknownSeconds: 10,
    budgetSeconds: 40,
    draw: 7,
    shown: SHOWN,
    ...given,
  });
}

const names = (units: readonly { file: string }[]): string[] => units.map(({ file }) => file);

describe("chooseFiles", () => {
  it("takes what changed, then the rooms in turn, then a draw", () => {
    const { chosen, left } = choose({ changed: ["h"], rooms: ["dear", "cheap"] });
    expect(chosen).toEqual([
      { file: "h", why: "changed" },
      { file: "d", why: "room dear" },
      { file: "a", why: "room cheap" },
      { file: "b", why: "room cheap" },
    ]);
    expect(left.slice(0, 2)).toEqual([
      { file: "e", why: "room dear" },
      { file: "c", why: "room cheap" },
    ]);
    expect(left.slice(2).map(({ why }) => why)).toEqual(["drawn", "drawn", "drawn"]);
  });

  it("takes each unit once, and none that is not there", () => {
    const { chosen, left } = choose({ changed: ["a", "gone", "a"], rooms: ["cheap", "unknown"] });
    const all = names([...chosen, ...left]);
    expect(all.toSorted()).toEqual(ALL.toSorted());
    expect(chosen[0]).toEqual({ file: "a", why: "changed" });
  });

  it("fills the budget by the seconds that were measured", () => {
    const seconds = new Map([
      ["a", 35],
      ["b", 6],
      ["c", 5],
    ]);
    const { chosen, left } = choose({ rooms: ["cheap"], seconds });
    expect(names(chosen)).toEqual(["a", "c"]);
    expect(left[0]).toEqual({ file: "b", why: "room cheap" });
  });

  it("runs what changed before what a helper changed, and both before all else", () => {
    const { chosen } = choose({ changed: ["h", "g"], helped: ["f", "g"], rooms: ["cheap"] });
    expect(names(chosen.slice(0, 2)).toSorted()).toEqual(["g", "h"]);
    expect(chosen.slice(2)).toEqual([
      { file: "f", why: "helper changed" },
      { file: "a", why: "room cheap" },
    ]);
  });

  it.each(["changed", "helped"] as const)("draws among %s files that do not all fit", (kind) => {
    const files = ["h", "g", "f", "e", "d"];
    const drawn = (draw: number) => choose({ [kind]: files, rooms: ["cheap"], draw });
    const runs = Array.from({ length: 40 }, (_, draw) => names(drawn(draw).chosen));
    for (const run of runs) expect(files).toEqual(expect.arrayContaining(run));
    for (const file of files) expect(runs.some((run) => !run.includes(file))).toBe(true);
    expect(names(drawn(3).chosen)).toEqual(runs[3]);
    expect(drawn(3).left[0]?.why).toBe(kind === "changed" ? "changed" : "helper changed");
  });

  it("leaves a changed file that is beyond the budget alone, and runs the next", () => {
    const { chosen, left } = choose({ changed: ["h", "g"], seconds: new Map([["h", 41]]) });
    expect(chosen[0]).toEqual({ file: "g", why: "changed" });
    expect(left[0]).toEqual({ file: "h", why: "changed" });
  });

  it("draws by the seed alone", () => {
    const drawn = (draw: number, all = ALL): string[] => names(choose({ draw, all }).chosen);
    expect(drawn(7)).toHaveLength(4);
    expect(drawn(7)).toEqual(drawn(7, ALL.toReversed()));
    const draws = new Set(Array.from({ length: 40 }, (_, draw) => drawn(draw).join()));
    expect(draws.size).toBeGreaterThan(30);
    const seen = new Set(Array.from({ length: 40 }, (_, draw) => drawn(draw)).flat());
    expect(Array.from(seen).toSorted()).toEqual(ALL.toSorted());
  });

  it("takes the first witness of each room where everything changed, in an order by lot", () => {
    const first = (draw: number) => choose({ everything: true, draw }).chosen;
    for (let draw = 0; draw < 20; draw++) {
      expect(names(first(draw)).slice(0, 2).toSorted()).toEqual(["a", "d"]);
    }
    expect(new Set(Array.from({ length: 20 }, (_, draw) => first(draw)[0]?.file)).size).toBe(2);
    const own = choose({ everything: true, rooms: ["cheap"] }).chosen;
    expect(names(own).slice(0, 3)).toEqual(["a", "b", "c"]);
  });

  it("chooses nothing without a budget", () => {
    expect(choose({ changed: ["a"], rooms: ["dear"], budgetSeconds: 0 }).chosen).toEqual([]);
  });
});
