import { expect, it } from "vitest";
import { queryRecord } from "./queryRecord.ts";

it("has a word for a name, and a list for one that is repeated", () => {
  const record = queryRecord(new URLSearchParams("status=paid&orderId=1&status=new&text="));
  expect(record).toEqual({ status: ["paid", "new"], orderId: "1", text: "" });
});

it("has names that objects know, as they are written", () => {
  const record = queryRecord(new URLSearchParams("__proto__=1&constructor=2&constructor=3"));
  expect(Object.entries(record)).toEqual([
    ["__proto__", "1"],
    ["constructor", ["2", "3"]],
  ]);
});
