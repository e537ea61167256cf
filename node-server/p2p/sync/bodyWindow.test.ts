import { describe, expect, it } from "vitest";
import { BodyWindow } from "./bodyWindow.ts";
import { hashOf } from "./testkit/numberedChain.ts";

describe("the window of bodies", () => {
  it("gives the lowest batch out again when nothing else may be asked for", () => {
    const window = new BodyWindow<string>();
    for (const number of [1, 2, 3]) window.add([hashOf(number)], hashOf(number));
    const lowest = window.take("stalling");
    const second = window.take("other");
    expect(window.takeLowest("third")).toBeUndefined();
    if (lowest === undefined || second === undefined) throw new Error("nothing is wanted");
    window.fill(second, [new Uint8Array(5)]);
    expect(window.shift()).toBeUndefined();
    window.giveBack(lowest);
    expect(window.takeLowest("other")).toBe(lowest);
    expect(lowest.source).toBe("other");
    window.fill(lowest, [new Uint8Array(7)]);
    expect(window.bytes).toBe(12);
    expect([window.shift(), window.shift(), window.shift()]).toEqual([lowest, second, undefined]);
    expect(window.takeLowest("other")?.hashes).toEqual([hashOf(3)]);
  });
});
