import { describe, expect, it } from "vitest";
import { asTimestampMs } from "../base/brand.ts";
import { checkpointOf, checkpointsText, readCheckpoints } from "./checkpointOf.ts";

const [ONE, OTHER] = ["1a".repeat(32), "2b".repeat(32)];

describe("checkpoints", () => {
  it("are read as they are written, by the digest of their network", () => {
    const text = `${ONE}:1d00ffff:1767225600000 ${OTHER}:0300ffff:5`;
    const read = readCheckpoints(` ${text.replace(" ", ",\n")} `);
    expect(read.get(ONE)).toEqual({ bits: 0x1d00ffff, timestamp: 1_767_225_600_000n });
    expect(checkpointsText(read)).toBe(text);
    expect(readCheckpoints(undefined).size).toBe(0);
    expect(readCheckpoints("").size).toBe(0);
  });

  it.each([
    `${ONE}:1d00ffff`,
    `${ONE}:1D00FFFF:5`,
    `${ONE}:1d00ffff:-5`,
    `${ONE.slice(2)}:1d00ffff:5`,
    `${ONE}:1d00ffff:5:6`,
    "constructor",
    // No target, one of 0, a negative one.
    `${ONE}:00000000:5`,
    `${ONE}:01000000:5`,
    `${ONE}:1d80ffff:5`,
  ])("are refused with what is none: %s", (text) => {
    expect(() => readCheckpoints(text)).toThrow(/is no checkpoint/);
  });

  it("are bounded", () => {
    const many = Array.from({ length: 17 }, () => `${ONE}:1d00ffff:5`).join(" ");
    expect(() => readCheckpoints(many)).toThrow("16 checkpoints can be given at most");
  });

  it("are known for the networks that were given, and for no other", () => {
    const given = new Map([[ONE, { bits: 0x1d00ffff, timestamp: asTimestampMs(5n) }]]);
    expect(checkpointOf(ONE, given)).toBe(given.get(ONE));
    expect(checkpointOf(OTHER, given)).toBeNull();
    expect(checkpointOf(OTHER)).toBeNull();
  });
});
