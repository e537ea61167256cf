import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "../../node-server/platform/testkit/temporaryFolder.ts";
import { FlowRecords, type FlowRun } from "./flowRecords.ts";

const [FIRST, SECOND] = ["a.test.ts", "b.test.ts"] as const;

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

function run(flow: string, failed = 0, beside = 6): FlowRun {
  const where = { day: "2026-11-28", machine: "two cores" };
  return { flow, beside, passed: 2, failed, seconds: 10, ...where, reasons: [] };
}

describe("the records of flows", () => {
  it("count the runs of every commit, and those beside as many busy processes alone", () => {
    const place = join(folder.path, "flows");
    const before = new FlowRecords(place, "aa");
    before.add(run(FIRST));
    before.add(run(FIRST, 1));
    before.add(run(FIRST, 0, 2));
    const now = new FlowRecords(place, "bb");
    now.add(run(FIRST));
    expect(now.sumOf(FIRST, 6)).toEqual({ runs: 3, red: 1, seconds: 30 });
    expect(new FlowRecords(place, "bb").sumOf(FIRST, 6)).toEqual(now.sumOf(FIRST, 6));
    expect(now.sumOf(FIRST, 2).runs).toBe(1);
  });

  it("go on with the flow that ran least, until each ran as often as wanted", () => {
    mkdirSync(folder.path, { recursive: true });
    const records = new FlowRecords(folder.path, "aa");
    const asked: (string | null)[] = [];
    for (let turn = 0; turn < 5; turn++) {
      const next = records.nextOf([FIRST, SECOND], 6, 2);
      asked.push(next);
      if (next !== null) records.add(run(next));
    }
    expect(asked).toEqual([FIRST, SECOND, FIRST, SECOND, null]);
  });

  it("count a run without any test as red", () => {
    const records = new FlowRecords(folder.path, "aa");
    records.add({ ...run(FIRST), passed: 0 });
    expect(records.sumOf(FIRST, 6).red).toBe(1);
  });
});
