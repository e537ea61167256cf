/** Rounds of a bench that was stopped. */
import { expect, it } from "vitest";
import { folderOfTest } from "../../node-server/platform/testkit/folderOfTest.ts";
import { BenchRounds } from "./benchRounds.ts";

const round = (ms: number) => ({ ours: { ms }, native: { ms: 2 * ms } });

function place() {
  const folder = folderOfTest();
  return { folder, command: "prove --actions 2", commit: "abc", machine: "this one" };
}

it("come back with the next run of the same part, command, commit and machine", () => {
  const here = place();
  new BenchRounds(here).log("").add(round(1));
  new BenchRounds(here).log("pairs").add(round(2));
  const kept = (other: Partial<typeof here>, part = "") =>
    new BenchRounds({ ...here, ...other }).log(part).kept;
  expect(kept({})).toEqual([round(1)]);
  expect(kept({}, "pairs")).toEqual([round(2)]);
  expect(kept({ machine: "another" })).toEqual([]);
  expect(kept({ commit: "def" })).toEqual([]);
  expect(kept({ command: "prove --actions 38" })).toEqual([]);
});

it("are forgotten when the run has come to its end", () => {
  const here = place();
  const rounds = new BenchRounds(here);
  rounds.log("").add(round(1));
  rounds.end();
  expect(new BenchRounds(here).log("").kept).toEqual([]);
});

it("of sources that are no commit are not kept", () => {
  const changed = { ...place(), commit: undefined };
  const rounds = new BenchRounds(changed);
  rounds.log("").add(round(1));
  rounds.end();
  expect(new BenchRounds(changed).log("").kept).toEqual([]);
});
