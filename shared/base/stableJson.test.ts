import { describe, expect, it } from "vitest";
import { stableJson } from "./stableJson.ts";
import { SvcError } from "./svcError.ts";

describe("stableJson", () => {
  it("writes fields in the order of their names, at every depth", () => {
    const text = '{"a":[{"x":1,"y":null}],"b":"2"}';
    expect(stableJson({ b: 2n, a: [{ y: null, x: 1 }] })).toBe(text);
    expect(stableJson({ a: [{ x: 1, y: null }], b: 2n })).toBe(text);
  });

  it("leaves out what JSON leaves out, and keeps places in lists", () => {
    expect(stableJson({ b: undefined, a: [undefined, "é\n"] })).toBe('{"a":[null,"é\\n"]}');
  });

  it("writes what says itself how it is written", () => {
    const error = new SvcError("wallet/opening", {});
    expect(JSON.parse(stableJson({ error }))).toEqual({
      error: JSON.parse(JSON.stringify(error)),
    });
  });

  it("takes no name for more than a name", () => {
    const parsed: unknown = JSON.parse('{"b":1,"__proto__":{"z":1,"a":2}}');
    expect(stableJson(parsed)).toBe('{"__proto__":{"a":2,"z":1},"b":1}');
  });
});
