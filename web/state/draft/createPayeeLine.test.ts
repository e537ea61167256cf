/** One payee of the payment form: what is wrong with it, and for how long that is said. */
import { expect, test } from "vitest";
import { createPayeeLine } from "./createPayeeLine.ts";

const fault = { code: "address/bad-character", data: {} } as const;
const typed = { address: "test:b", amount: "1", memo: "bread" };

test("what is wrong is said until a field changes", () => {
  for (const change of [{ address: "test:q" }, { amount: "2" }, { memo: "" }]) {
    const line = createPayeeLine(typed);
    line.setFault(fault);
    line.set(change);
    expect(line.fault()).toBeNull();
  }
});

test("input that changes nothing leaves it: nobody would look again", () => {
  const line = createPayeeLine(typed);
  line.setFault(fault);
  line.set({ amount: "1" });
  line.set(typed, null);
  expect(line.fault()).toEqual(fault);
});
