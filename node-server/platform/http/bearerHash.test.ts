import { expect, it } from "vitest";
import { BearerHash } from "./bearerHash.ts";

const known = new BearerHash(Buffer.from("a-token-of-some-length"));

it.each(["Bearer a-token-of-some-length", "bearer  a-token-of-some-length"])(
  "is in %j",
  (header) => {
    expect(known.isIn(header)).toBe(true);
  },
);

it.each([
  undefined,
  "",
  "Bearer ",
  "Bearer a-token-of-some-lengtH",
  "Bearer a-token-of-some-length-",
  "Basic a-token-of-some-length",
  "a-token-of-some-length",
  "Bearer a-token-of-some-length more",
])("is not in %j", (header) => {
  expect(known.isIn(header)).toBe(false);
});

it("shows nothing of the token", () => {
  expect(JSON.stringify(known)).toBe("{}");
});
