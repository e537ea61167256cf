import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { suiteRows } from "./lib/suiteTable.ts";
import { SUITES } from "./suites.ts";

it("docs/testing.md shows the suites as they are", () => {
  const text = readFileSync(new URL("../docs/testing.md", import.meta.url), "utf8");
  expect(text).toContain(`---:|---:|\n${suiteRows(SUITES)}\n\n`);
});

it("suites have names of their own and reduced sizes within full ones", () => {
  expect(new Set(SUITES.map(({ name }) => name)).size).toBe(SUITES.length);
  for (const { name, seconds } of SUITES) {
    expect(seconds.reduced, name).toBeLessThanOrEqual(seconds.full);
  }
});
