import { describe, expect, it } from "vitest";
import { sameIn } from "./pageFrame.ts";

const LANGUAGE = "lang=de";

describe("the same page in another language", () => {
  it.each([
    ["/explorer", "/blocks", "", `/explorer/blocks?${LANGUAGE}`],
    ["", "/blocks", "before=x", `/blocks?before=x&${LANGUAGE}`],
    ["", "/", "", `/?${LANGUAGE}`],
    ["", "//evil.example/x", "", `/evil.example/x?${LANGUAGE}`],
    ["", "///evil.example", "", `/evil.example?${LANGUAGE}`],
    ["", "/\\evil.example", "", `/evil.example?${LANGUAGE}`],
  ])("of base %j and path %j stays on the site", (base, path, query, address) => {
    expect(sameIn({ base, path, query }, "de")).toBe(address);
    expect(new URL(sameIn({ base, path, query }, "de"), "https://own.example").host).toBe(
      "own.example",
    );
  });
});
