/** The parts of the runner of kills; the runner itself needs hours. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { folderOfTest } from "../../node-server/platform/testkit/folderOfTest.ts";
import { countKills, hasReached, KillRecords, killRow } from "./killRecords.ts";
import { KILL_SOURCES, KILLS_WANTED } from "./killSources.ts";

const full = (records: KillRecords) => {
  for (const { kind, goal } of KILL_SOURCES) {
    records.add({ kind, seed: 1, points: goal, lost: 0, day: "2026-11-23" });
  }
};

describe("sources of kills", () => {
  it("come to the wanted number, and each names tests that are there", () => {
    expect(KILL_SOURCES.reduce((sum, { goal }) => sum + goal, 0)).toBeGreaterThanOrEqual(
      KILLS_WANTED,
    );
    const root = new URL("../../", import.meta.url);
    for (const source of KILL_SOURCES) {
      const file = source.arguments.find((argument) => argument.startsWith("tests/"));
      if (file !== undefined) expect(existsSync(new URL(file, root)), file).toBe(true);
    }
    const goalOf = (name: string) => KILL_SOURCES.find(({ kind }) => kind === name)?.goal;
    expect(goalOf("program")).toBeGreaterThanOrEqual(300);
    expect(goalOf("tab")).toBeGreaterThanOrEqual(50);
    expect(goalOf("wallet")).toBeGreaterThanOrEqual(50);
    expect(goalOf("walletd")).toBeGreaterThanOrEqual(950);
    expect(goalOf("gateway")).toBeGreaterThanOrEqual(300);
    expect(goalOf("hosted")).toBeGreaterThanOrEqual(100);
  });
});

describe("counted kills", () => {
  it("are the sum of one kind's lines, coloured or not", () => {
    const output = [
      "\u001b[22m\u001b[39mkills: lmdb 50 points, 0 lost",
      "kills: lmdb 20 points, 3 lost",
      "kills: node 7 points, 0 lost",
      "no kills: lmdb 9 points, 0 lost",
    ].join("\n");
    expect(countKills(output, "lmdb")).toEqual({ points: 70, lost: 3 });
    expect(countKills(output, "tab")).toEqual({ points: 0, lost: 0 });
  });

  it("add up over runs of one commit, and not over commits", () => {
    const path = folderOfTest();
    const run = { kind: "node", seed: 1, points: 60, lost: 0, day: "2026-11-23" } as const;
    new KillRecords(path, "c").add(run);
    const again = new KillRecords(path, "c");
    expect(again.nextSeed("node")).toBe(2);
    expect(again.nextSeed("tab")).toBe(1);
    again.add({ ...run, seed: 2 });
    writeFileSync(again.file, `${readFileSync(again.file, "utf8")}\n{"kind":"node","poi`);
    expect(new KillRecords(path, "c").pointsOf("node")).toBe(120);
    expect(new KillRecords(path, "d").pointsOf("node")).toBe(0);
  });

  it("pass when every kind has its number and nothing is lost", () => {
    const records = new KillRecords(folderOfTest(), "c");
    expect(hasReached(records)).toBe(false);
    full(records);
    expect(hasReached(records)).toBe(true);
    expect(killRow(records, "0123456789abcdef")).toBe(
      "| 2026-11-23 | 0123456789ab | program 1–1, tab 1–1, wallet 1–1, walletd 1–1, gateway 1–1, hosted 1–1, index 1–1, node 1–1, lmdb 1–1, store 1–1 | 300 | 50 | 50 | 950 | 300 | 100 | 100 | 200 | 400 | 9050 | 11500 | 0 |",
    );
    records.add({ kind: "node", seed: 2, points: 10, lost: 1, day: "2026-11-23" });
    expect(hasReached(records)).toBe(false);
    expect(hasReached(records, ["node", "tab"])).toBe(false);
    expect(hasReached(records, ["tab", "wallet"])).toBe(true);
    expect(hasReached(records, ["nothing"])).toBe(false);
  });
});
