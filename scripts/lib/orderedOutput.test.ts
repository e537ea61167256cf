/** Output of programs that run at the same time. */
import { describe, expect, it } from "vitest";
import { orderedOutput } from "./orderedOutput.ts";

describe("ordered output", () => {
  it("shows the first as it writes, and those after it in their turn", () => {
    const shown: string[] = [];
    const nextTurn = orderedOutput((chunk) => shown.push(String(chunk)));
    const [first, second, third] = [nextTurn(), nextTurn(), nextTurn()];
    second.write("b1");
    third.write("c1");
    first.write("a1");
    expect(shown).toEqual(["a1"]);
    third.end();
    first.write("a2");
    first.end();
    expect(shown).toEqual(["a1", "a2", "b1"]);
    second.write("b2");
    expect(shown.at(-1)).toBe("b2");
    second.end();
    expect(shown).toEqual(["a1", "a2", "b1", "b2", "c1"]);
  });
});
