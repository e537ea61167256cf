/** The stand-in for wasm-bindgen's program, with a fake glue program. */
import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { folderOfTest } from "../../node-server/platform/testkit/folderOfTest.ts";
import { STEP_HANG_MS } from "../../tests/testkit/hangMs.ts";

const program = fileURLToPath(new URL("./wasm-bindgen", import.meta.url));

function run(...args: string[]) {
  const bin = folderOfTest();
  writeFileSync(join(bin, "svc-glue"), '#!/bin/sh\necho "$@"\n');
  chmodSync(join(bin, "svc-glue"), 0o755);
  const env = { PATH: `${bin}:/usr/bin:/bin` };
  const { status, stdout, stderr } = spawnSync("sh", [program, ...args], {
    encoding: "utf8",
    env,
    timeout: STEP_HANG_MS,
  });
  return { status, said: `${stdout}${stderr}`.trim() };
}

it("calls the glue program with name, folder and module", () => {
  const options = ["--typescript", "--target", "web", "--out-name", "core", "--no-demangle"];
  expect(run("a module.wasm", "--out-dir", "a folder", ...options)).toEqual({
    status: 0,
    said: "core a folder a module.wasm",
  });
  expect(run("--version")).toEqual({ status: 0, said: "--version" });
});

it.each([["--target", "bundler"], ["--weak-refs"]])("refuses %s", (...options) => {
  expect(run("module.wasm", ...options)).toMatchObject({ status: 2 });
});
