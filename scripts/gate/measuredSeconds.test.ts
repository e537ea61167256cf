import { describe, expect, it } from "vitest";
import { SUITES, type Suite } from "../suites.ts";
import { measuredSeconds, withSeconds } from "./measuredSeconds.ts";

const passed = {
  ...{ version: 1 as const, commit: "", tree: "", day: "", machine: "" },
  suites: { sim: 12, unit: 90 },
  files: {
    "tests/network/a.test.ts": 30,
    "tests/network/b.test.ts": 6,
    "tests/hashes/b.test.ts": 7,
  },
};

function suiteOf(name: string): Suite {
  const found = SUITES.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no suite ${name}`);
  return found;
}

const { workers = 0 } = suiteOf("network");

describe("measuredSeconds", () => {
  it("shares the seconds of a file among the workers of its suite", () => {
    expect(workers).toBeGreaterThan(1);
    expect(measuredSeconds({ passed })).toEqual(
      new Map([
        ["tests/network/a.test.ts", 30 / workers],
        ["tests/network/b.test.ts", 6 / workers],
        ["tests/hashes/b.test.ts", 7],
        ["suite:sim", 12],
        ["suite:unit", 90],
      ]),
    );
  });

  it("knows none without a whole run", () => {
    expect(measuredSeconds({ refused: "edited" }).size).toBe(0);
  });
});

describe("withSeconds", () => {
  const chosen = [
    { suite: suiteOf("unit") },
    { suite: suiteOf("core") },
    { suite: suiteOf("network"), files: ["tests/network/a.test.ts", "tests/network/b.test.ts"] },
    { suite: suiteOf("e2e"), files: ["tests/e2e/wallet/wallet.test.ts"] },
  ];

  it("adds up the files that were chosen, and leaves out what nobody measured", () => {
    const seconds = withSeconds(chosen, { passed }).map((one) => one.seconds);
    expect(seconds).toEqual([90, undefined, 36 / workers, undefined]);
  });

  it("leaves the suites as they are without a whole run", () => {
    expect(withSeconds(chosen, { refused: "edited" })).toEqual(chosen);
  });
});
