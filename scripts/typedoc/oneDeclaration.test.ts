/** Which of TypeDoc's warnings are taken back. */
import { LogLevel } from "typedoc";
import { beforeEach, expect, it, vi } from "vitest";
import { OneDeclaration } from "./oneDeclaration.ts";

const SEVERAL = "blues has multiple declarations with a comment. An arbitrary comment will be used";
const listed = (...places: string[]) =>
  ["The comments for blues are declared at:", ...places].join("\n\t");

beforeEach(() => {
  for (const name of ["log", "info", "warn", "error"] as const) {
    vi.spyOn(console, name).mockReturnValue(undefined);
  }
  return () => vi.restoreAllMocks();
});

function warningsOf(...said: readonly [string, LogLevel][]): number {
  const logger = new OneDeclaration();
  for (const [text, level] of said) {
    if (level === LogLevel.Warn) logger.warn(text);
    else logger.info(text);
  }
  return logger.warningCount;
}

it("counts no warning of several comments that are one", () => {
  const place = "./blockFacts.ts:19";
  expect(warningsOf([SEVERAL, LogLevel.Warn], [listed(place, place), LogLevel.Info])).toBe(0);
});

it("counts one of comments in two places, of two names, and every other", () => {
  const places = listed("./blockFacts.ts:19", "./tipFacts.ts:7");
  expect(warningsOf([SEVERAL, LogLevel.Warn], [places, LogLevel.Info])).toBe(1);
  expect(warningsOf([SEVERAL, LogLevel.Warn], ["a link leads nowhere", LogLevel.Warn])).toBe(2);
  expect(warningsOf([SEVERAL, LogLevel.Warn], ["of another name:\n\tplace", LogLevel.Info])).toBe(
    1,
  );
  expect(warningsOf(["a link leads nowhere", LogLevel.Warn])).toBe(1);
});
