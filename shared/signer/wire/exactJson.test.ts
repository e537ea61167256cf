/** Numbers of JSON that a number does not hold. */
import { expect, test } from "vitest";
import { codeOf } from "../../base/testkit/codeOf.ts";
import { parseExactJson } from "./exactJson.ts";

test("a long whole number keeps its digits", () => {
  const text = '{"a":18446744073709551615,"b":[9007199254740993,-9007199254740993],"c":123}';
  expect(parseExactJson(text)).toEqual({
    a: "18446744073709551615",
    b: ["9007199254740993", "-9007199254740993"],
    c: 123,
  });
});

test("texts and fractions stay as they are", () => {
  const text = String.raw`{"12345678901234567":"12345678901234567 \" 12345678901234567","b":0.12345678901234567,"c":1e21}`;
  expect(parseExactJson(text)).toEqual(JSON.parse(text));
});

test("what is no JSON, or too long, is refused", () => {
  for (const text of ["", "{", '"', '"\\', "01234567890123456", "[1", "nul"]) {
    expect(
      codeOf(() => parseExactJson(text)),
      text,
    ).toBe("signer/bad-prepared");
  }
  expect(codeOf(() => parseExactJson(" ".repeat(1_048_577)))).toBe("signer/bad-prepared");
});

test("a hostile text is read in one pass", () => {
  for (const text of ['"\\"', '\\"', '"', "\\", "1", "-1", '"1']) {
    const long = `"${text.repeat(1_000_000 / text.length)}`;
    expect(
      codeOf(() => parseExactJson(long)),
      text,
    ).toMatch(/bad-prepared|none/);
  }
  expect(codeOf(() => parseExactJson("1".repeat(1_000_000)))).toBe("none");
});
