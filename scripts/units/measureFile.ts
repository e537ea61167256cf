/**
 * Set-up of the unit suite for vitest: measures what the tests and hooks of each file take of the processor, and fails a file
 * that takes too much of it.
 *
 * What a file imports is not counted, and the load of the core with it: a file does both before its first hook. All threads
 * of the process are measured, so that passwords are counted that are stretched beside the tests.
 */
import { relative } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { ROOT } from "../lib/command.ts";
import { calibrate, secondsOf } from "./calibrate.ts";
import { FAILED_LOOPS, judgeUnit, loopBeside, unitLine } from "./unitSeconds.ts";

const IS_FULL = process.env["SVC_TEST_SIZE"] === "full";
let begun = process.cpuUsage();

beforeAll(() => {
  begun = process.cpuUsage();
});

// Hooks after tests run in the opposite order: this one is the last of its file.
// oxlint-disable-next-line eslint/no-empty-pattern -- the runner reads this pattern as "no fixture"
afterAll(({}, { file }) => {
  const seconds = secondsOf(process.cpuUsage(begun));
  const measured = { seconds, loop: loopBeside(seconds, calibrate) };
  file.meta.unitSeconds = measured;
  // The full size repeats what the reduced one draws a part of.
  if (IS_FULL || judgeUnit(measured) !== "failed") return;
  const line = unitLine(relative(ROOT, file.filepath), measured);
  throw new Error(`${line}; a file of unit tests may take ${FAILED_LOOPS} of them`);
});
