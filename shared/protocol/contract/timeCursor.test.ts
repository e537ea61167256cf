import { describe, expect, it } from "vitest";
import { readTimeCursor, timeCursor } from "./timeCursor.ts";

const ID = `ref_${"0a".repeat(16)}`;
const FORM = { prefix: "ref", digits: 15, field: "after" };

describe("a cursor of a list by time", () => {
  it("is read as it was made", () => {
    expect(readTimeCursor(timeCursor(17n, ID), FORM)).toEqual({ ms: 17n, id: ID });
  });

  it.each([
    "",
    "17",
    `-${ID}`,
    `17-inv_${"0a".repeat(16)}`,
    `${"1".repeat(16)}-${ID}`,
    `17-${ID}0`,
  ])("that is %j is refused, by the name of its field", (text) => {
    expect(() => readTimeCursor(text, FORM)).toThrow(
      expect.objectContaining({
        code: "api/bad-field",
        data: expect.objectContaining({ field: "after" }),
      }),
    );
  });
});
