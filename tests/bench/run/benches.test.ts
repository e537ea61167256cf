import { expect, it } from "vitest";
import { BENCHES } from "./benches.ts";

it("benches have names of their own", () => {
  expect(new Set(BENCHES.map(({ name }) => name)).size).toBe(BENCHES.length);
});
