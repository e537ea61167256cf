/** Runner of a plugin's own tests in PHP, which handed to vitest are tests of their names. */
import { spawn, spawnSync } from "node:child_process";
import { text } from "node:stream/consumers";
import * as v from "valibot";

const names = v.array(v.string());
const result = v.object({ name: v.string(), error: v.nullable(v.string()) });

/** Whether the machine has PHP. */
export function hasPhp(): boolean {
  return spawnSync("php", ["--version"]).status === 0;
}

/** Names of the tests of a plugin, by the path of its `run.php`. Throws what PHP wrote where it cannot list them. */
export function listPhpTests(program: string): readonly string[] {
  const { status, stdout, stderr } = spawnSync("php", [program, "--list"], { encoding: "utf8" });
  if (status !== 0) throw new Error(`PHP lists no tests: ${stdout}${stderr}`);
  return v.parse(names, JSON.parse(stdout));
}

/** Runs all of them; what is wrong with each by its name, null for one that passed. Those behind the end of PHP are missing. */
export async function runPhpTests(
  program: string,
): Promise<{ readonly errors: ReadonlyMap<string, string | null>; readonly output: string }> {
  const child = spawn("php", [program, "--json"], { stdio: ["ignore", "pipe", "pipe"] });
  const [output, faults] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const lines = output.split("\n").filter((line) => line.startsWith("{"));
  const results = lines.map((line) => v.parse(result, JSON.parse(line)));
  const errors = new Map(results.map(({ name, error }) => [name, error]));
  return { errors, output: `${output}${faults}` };
}
