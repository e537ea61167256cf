import { expect, it } from "vitest";
import * as v from "valibot";
import { wireFault } from "./wireFault.ts";

const schema = v.object({
  payees: v.array(v.object({ to: v.string("a text"), memo: v.optional(v.string("a text")) })),
  limit: v.pipe(v.string("a text"), v.regex(/^\d+$/, "a number")),
});

function faultOf(value: unknown, counted?: ReadonlyMap<string, string>): unknown {
  const { issues } = v.safeParse(schema, value);
  if (issues === undefined) return null;
  const { code, data } = wireFault(issues, "body", counted);
  return { code, ...data };
}

it("tells what is missing, of another type and of wrong content apart", () => {
  expect(faultOf({ payees: [], limit: "7" })).toBeNull();
  expect(faultOf({ payees: [] })).toEqual({ code: "api/missing-field", field: "limit" });
  expect(faultOf({ payees: [], limit: 7 })).toEqual({
    code: "api/wrong-type",
    field: "limit",
    expected: "a text",
  });
  expect(faultOf({ payees: [], limit: "x" })).toEqual({
    code: "api/bad-field",
    field: "limit",
    expected: "a number",
  });
  expect(faultOf(7)).toMatchObject({ code: "api/wrong-type", field: "body" });
});

it("names an item by its place, or by the word of its list", () => {
  const sent = { payees: [{ to: "a" }, { to: 7 }], limit: "7" };
  expect(faultOf(sent)).toMatchObject({ field: "payees[1].to" });
  expect(faultOf(sent, new Map([["payees", "payee"]]))).toMatchObject({ field: "payee 1: to" });
  expect(faultOf({ ...sent, payees: [7] }, new Map([["payees", "payee"]]))).toMatchObject({
    field: "payee 0: it",
  });
});
