/** Command line of the program under test, from its sources. */
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../node-server/bin/svc.ts", import.meta.url));

/** The command line of `svc` with these arguments; modules of `imports` run before it. */
export function svcCommand(
  args: readonly string[],
  imports: readonly string[] = [],
): readonly [string, ...string[]] {
  const before = imports.map((path) => `--import=${path}`);
  return [process.execPath, "--disable-warning=ExperimentalWarning", ...before, program, ...args];
}
