/** Set-up and reporter that measure the unit suite: a real run of vitest over files with planted seconds. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { temporaryFolder } from "../../node-server/platform/testkit/temporaryFolder.ts";
import { ROOT, runCommand, type CommandResult } from "../lib/command.ts";
import { HANG_MS, STEP_HANG_MS } from "../../tests/testkit/hangMs.ts";

/** From this line on the process seems to have taken so many seconds more, once. */
const plant = (seconds: number): string => `
  const real = process.cpuUsage;
  process.cpuUsage = (begun) => {
    process.cpuUsage = real;
    const { user, system } = real.call(process, begun);
    return { user: user + ${seconds} * 1e6, system };
  };`;

const FILES: Readonly<Record<string, string>> = {
  "quick.test.js": `test("is quick", () => {});`,
  // Planted before the first hook, as what a file imports is.
  "imports.test.js": `${plant(1_000)} test("is quick", () => {});`,
  "named.test.js": `test("takes a while", () => {${plant(2.01)}});`,
  "failed.test.js": `test("takes long", () => {${plant(1_000)}});`,
  "hook.test.js": `afterAll(() => {${plant(2_000)}}); test("is quick", () => {});`,
};

async function runFiles(size: "reduced" | "full"): Promise<CommandResult> {
  const { path: folder, remove } = temporaryFolder();
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  const units = join(ROOT, "scripts", "units");
  const setupFiles = [join(units, "measureFile.ts")];
  const timeouts = { testTimeout: HANG_MS, hookTimeout: HANG_MS };
  const test = { setupFiles, globals: true, isolate: false, maxWorkers: 1, ...timeouts };
  writeFileSync(join(folder, "vitest.config.mjs"), `export default ${JSON.stringify({ test })}`);
  const reporter = `--reporter=${join(units, "unitSecondsReporter.ts")}`;
  const args = ["run", "--root", folder, "--reporter=default", reporter];
  const environment = { SVC_TEST_SIZE: size, NO_COLOR: "1" };
  const result = await runCommand("vitest", args, { environment, seconds: STEP_HANG_MS / 1000 });
  remove();
  return result;
}

/** Names of the files that the reporter lists, in its order. */
function namedIn({ output }: CommandResult): readonly string[] {
  const [, list = ""] = output.split("unit files above 2 s of the processor:\n");
  return [...list.matchAll(/^ {2}\S*\b(\w+)\.test\.js: .* loops$/gm)].map(([, name = ""]) => name);
}

let reduced: CommandResult;
beforeAll(async () => {
  reduced = await runFiles("reduced");
});

it("names what is slow, the slowest first, and counts no imports", () => {
  expect(namedIn(reduced)).toEqual(["hook", "failed", "named"]);
});

it("fails files far above the calibration loop, and the run with them", () => {
  expect(reduced.status, reduced.output).toBe(1);
  const failed = [...reduced.output.matchAll(/FAIL +(\S+)/g)].map(([, file]) => file);
  expect(new Set(failed)).toEqual(new Set(["failed.test.js", "hook.test.js"]));
  expect(reduced.output).toMatch(
    /failed\.test\.js: 1\d{3}\.\d s of the processor, [\d.]+ calibration loops; a file of unit tests may take 8 of them/,
  );
});

it("names them alone at the full size, which repeats more", async () => {
  const full = await runFiles("full");
  expect(full.status, full.output).toBe(0);
  expect(namedIn(full)).toEqual(namedIn(reduced));
});
