import { describe, expect, test } from "vitest";
import { Attempts } from "./attempts.ts";

describe("attempts", () => {
  test("three are free, then the pause doubles up to its bound", () => {
    const attempts = new Attempts();
    const pauses = Array.from({ length: 10 }, () => {
      attempts.failed(1_000);
      return attempts.pauseMs(1_000) / 1_000;
    });
    expect(pauses).toEqual([0, 0, 0, 1, 2, 4, 8, 16, 30, 30]);
  });

  test("the pause runs out and success forgets it", () => {
    const attempts = new Attempts();
    for (let i = 0; i < 5; i += 1) attempts.failed(0);
    expect(attempts.pauseMs(500)).toBe(1_500);
    expect(attempts.pauseMs(2_000)).toBe(0);
    attempts.succeeded();
    attempts.failed(3_000);
    expect(attempts.pauseMs(3_000)).toBe(0);
  });
});
