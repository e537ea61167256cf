import { expect, test } from "vitest";
import { passphraseFault } from "./passphraseFault.ts";

test("B9: one fault at a time, and none once it is mended", () => {
  expect(passphraseFault("short", "other")).toBe("short");
  expect(passphraseFault("long enough by far", "another one")).toBe("different");
  expect(passphraseFault("long enough by far", "long enough by far")).toBeNull();
});
