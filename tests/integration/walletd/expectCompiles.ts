/** Has a public generator make the types of an OpenAPI document, and expects that a caller's program compiles with them. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";
import { expect, onTestFinished } from "vitest";
import { ROOT, runCommand } from "../../../scripts/lib/command.ts";

const COMPILER_OPTIONS = {
  target: "ES2024",
  module: "NodeNext",
  lib: ["ES2024", "DOM", "DOM.Iterable"],
  types: [],
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
};

/** Compiles `program`, which imports the types of `document` from `./api.ts`, in a folder of the test's own named after `name`. */
export async function expectCompiles(
  name: string,
  document: object,
  program: string,
): Promise<void> {
  const folder = join(ROOT, ".cache", `${name}-${process.pid}`);
  await mkdir(folder, { recursive: true });
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const types = astToString(await openapiTS(JSON.stringify(document)));
  await writeFile(join(folder, "api.ts"), types);
  await writeFile(join(folder, "program.ts"), program);
  const config = { compilerOptions: COMPILER_OPTIONS, files: ["program.ts"] };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const { status, output } = await runCommand(process.execPath, [tsc, "-p", folder]);
  expect([status, output]).toEqual([0, ""]);
}
