import { expect, test } from "vitest";
import { runProgram } from "./runProgram.ts";

const never = new AbortController().signal;

test("the exit status is the program's", async () => {
  expect(await runProgram(process.execPath, ["-e", "process.exit(3)"], never)).toBe(3);
});

test("a program that is not there is told from one that fails", async () => {
  expect(await runProgram("/nowhere/no-such-program", [], never)).toBeNull();
});

test("the signal stops it", async () => {
  const stop = new AbortController();
  const forever = "setInterval(() => {}, 1000)";
  const running = runProgram(process.execPath, ["-e", forever], stop.signal);
  stop.abort();
  expect(await running).not.toBe(0);
});
