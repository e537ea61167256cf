/** Tests of what is compiled before suites run. */
import { expect, it } from "vitest";
import { SUITES } from "../suites.ts";
import { compilationsOf } from "./compileTests.ts";

const named = (...names: string[]) => SUITES.filter(({ name }) => names.includes(name));

it("suites of the workspace share one compilation, and others have their own", () => {
  const all = compilationsOf(named("core", "sim", "fuzz", "oracle", "kernels"));
  expect(all.map(({ names }) => names)).toEqual([["core", "sim", "fuzz"], ["oracle"], ["kernels"]]);
  for (const { args } of all) expect(args).toContain("--no-run");
});

it("one suite compiles what its neighbours need, so that nothing is compiled twice", () => {
  const [one] = compilationsOf(named("sim"));
  const [all] = compilationsOf(named("core", "sim", "fuzz"));
  expect(one?.args).toEqual(all?.args);
});

it("suites of other runners compile nothing", () => {
  expect(compilationsOf(named("unit", "e2e", "kills"))).toEqual([]);
});
