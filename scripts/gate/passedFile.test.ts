/** Tests of the record of the last whole run: what is read back, and what is refused. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderOfTest } from "../../node-server/platform/testkit/folderOfTest.ts";
import type { Git } from "../lib/sourceCommit.ts";
import { lastPassed, parsePassed, PASSED_PATH, passedText, type PassedRun } from "./passedFile.ts";

const COMMIT = "c".repeat(40);
const TREE = "7".repeat(40);
const RUN: PassedRun = {
  version: 1,
  commit: COMMIT,
  tree: TREE,
  day: "2026-11-28",
  machine: "a machine",
  suites: { unit: 60.5 },
  files: { "tests/e2e/a.test.ts": 3.5 },
};

/** Git of a history in which the record is committed and its commit is there; `answers` changes statuses and outputs. */
function gitOf(answers: Readonly<Record<string, { status?: number; output?: string }>> = {}): Git {
  return ([verb = ""]) => {
    const usual = verb === "rev-parse" ? `${TREE}\n` : "";
    return Promise.resolve({ status: 0, output: usual, seconds: 0, ...answers[verb] });
  };
}

/** A tree that holds the record. */
function rootWith(text: string): string {
  const root = folderOfTest();
  mkdirSync(join(root, "tests"));
  writeFileSync(join(root, PASSED_PATH), text);
  return root;
}

describe("the record of a whole run", () => {
  it("is read back as it was written, whatever the order of its fields", () => {
    expect(parsePassed(passedText(RUN))).toEqual({ passed: RUN });
    const turned = { ...RUN, suites: { b: 2, a: 1 } };
    const text = passedText({ ...turned, suites: { a: 1, b: 2 } });
    expect(parsePassed(text)).toEqual({ passed: turned });
  });

  it.each([
    ["a second less", (text: string) => text.replace("60.5", "6.5")],
    ["another tree", (text: string) => text.replace(TREE, COMMIT)],
    ["a file more", (text: string) => text.replace('"files": {', '"files": { "b": 1,')],
  ])("is refused where it was edited: %s", (_, edit) => {
    const edited = edit(passedText(RUN));
    expect(edited).not.toBe(passedText(RUN));
    expect(parsePassed(edited)).toEqual({ refused: `${PASSED_PATH} was edited` });
  });

  it.each([
    "",
    "{}",
    passedText(RUN).slice(0, -4),
    passedText(RUN).replace('"version": 1', '"version": 2'),
  ])("is refused where it cannot be read", (text) => {
    expect(parsePassed(text)).toEqual({ refused: `${PASSED_PATH} cannot be read` });
  });
});

describe("the last whole run", () => {
  it("is that of the record", async () => {
    expect(await lastPassed(gitOf(), rootWith(passedText(RUN)))).toEqual({ passed: RUN });
  });

  it("is unknown without a record", async () => {
    expect(await lastPassed(gitOf(), folderOfTest())).toEqual({
      refused: `there is no ${PASSED_PATH}`,
    });
  });

  it.each([
    ["not tracked", { "ls-files": { status: 1 } }, "is not committed"],
    ["changed since the commit", { diff: { status: 1 } }, "is not committed"],
    ["of an unknown commit", { "rev-parse": { status: 1, output: "" } }, "before this one"],
    ["of a commit with another tree", { "rev-parse": { output: COMMIT } }, "before this one"],
    ["of another branch", { "merge-base": { status: 1 } }, "before this one"],
  ])("is refused where the record is %s", async (_, answers, why) => {
    const read = await lastPassed(gitOf(answers), rootWith(passedText(RUN)));
    expect("refused" in read ? read.refused : "taken").toContain(why);
  });
});
