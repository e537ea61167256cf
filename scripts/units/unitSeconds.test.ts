/** Tests of the rule for slow files of unit tests, and of its calibration loop. */
import { describe, expect, it } from "vitest";
import { calibrate, secondsOf } from "./calibrate.ts";
import { FAILED_LOOPS, judgeUnit, loopBeside, NAMED_SECONDS, unitLine } from "./unitSeconds.ts";

describe("a file of unit tests", () => {
  it("is quick up to the seconds, and named above them", () => {
    expect(judgeUnit({ seconds: NAMED_SECONDS, loop: null })).toBe("quick");
    expect(judgeUnit({ seconds: NAMED_SECONDS + 0.01, loop: 1 })).toBe("named");
  });

  it("fails above so many loops, however long a loop takes", () => {
    for (const loop of [0.4, 1, 5]) {
      expect(judgeUnit({ seconds: FAILED_LOOPS * loop, loop })).toBe("named");
      expect(judgeUnit({ seconds: FAILED_LOOPS * loop + 0.01, loop })).toBe("failed");
    }
    // A machine on which the loop takes a moment only: what is quick stays quick.
    expect(judgeUnit({ seconds: NAMED_SECONDS, loop: 0.01 })).toBe("quick");
  });

  it("that one loop would fail is held against the slowest of eight", () => {
    const loops = (...seconds: number[]) => {
      const rest = seconds.values();
      const loop = loopBeside(6, () => rest.next().value ?? Number.NaN);
      return { loop, left: Array.from(rest).length };
    };
    expect(loops(0.8, 9)).toEqual({ loop: 0.8, left: 1 });
    expect(loops(0.5, 0.6, 0.8, 9)).toEqual({ loop: 0.8, left: 1 });
    expect(loops(0.5, 0.6, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 9)).toEqual({ loop: 0.6, left: 1 });
    expect(loopBeside(NAMED_SECONDS, () => Number.NaN)).toBeNull();
  });

  it("is named with its seconds and loops", () => {
    expect(unitLine("a.test.ts", { seconds: 6.04, loop: 0.5 })).toBe(
      "a.test.ts: 6.0 s of the processor, 12.1 calibration loops",
    );
    expect(unitLine("a.test.ts", { seconds: 0.5, loop: null })).toBe(
      "a.test.ts: 0.5 s of the processor",
    );
  });
});

describe("the calibration loop", () => {
  it("counts what this thread took of the processor, more for more loops", () => {
    const begun = process.threadCpuUsage();
    const short = calibrate(0.02);
    const long = calibrate(0.2);
    expect(long).toBeGreaterThan(short);
    expect(secondsOf(process.threadCpuUsage(begun))).toBeGreaterThan(0.99 * (long + short));
  });
});
