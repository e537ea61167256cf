/** Parser for the names of failed tests in the runners' reports, which are shown at the end of a long output. */
import { relative } from "node:path";
import * as v from "valibot";
import { ROOT } from "./command.ts";

/** Names that are shown of one suite; more than these are not read. */
const SHOWN = 20;

const failedTest = v.object({
  file: v.string(),
  state: v.literal("failed"),
  name: v.optional(v.string(), ""),
  reason: v.optional(v.string(), ""),
});
/** A file that ended with more failures than its tests explain, as one that did not load. */
const failedFile = v.object({ file: v.string(), failed: v.pipe(v.number(), v.minValue(1)) });

/** Failed tests in the output of cargo, and of programs that write as it does: `test NAME ... FAILED`. */
export function failedInOutput(output: string): readonly string[] {
  // oxlint-disable-next-line no-control-regex -- cargo colours its output
  const plain = output.replaceAll(/\u001b\[[0-9;]*m/g, "");
  const names = [...plain.matchAll(/^test (.+?) \.\.\. FAILED/gm)].map(([, name = ""]) => name);
  return shown(names);
}

/** Failed tests in the lines that `VitestTally` wrote: file, test and reason, or the file alone where no test of it failed. */
export function failedInVitest(text: string): readonly string[] {
  const lines = text.split("\n");
  const tests = lines.flatMap((one) => {
    const read = v.safeParse(v.pipe(v.string(), v.parseJson(), failedTest), one);
    return read.success ? [read.output] : [];
  });
  const files = lines.flatMap((one) => {
    const read = v.safeParse(v.pipe(v.string(), v.parseJson(), failedFile), one);
    return read.success && !tests.some(({ file }) => file === read.output.file)
      ? [place(read.output.file)]
      : [];
  });
  const named = tests.map(({ file, name, reason }) => {
    const because = reason === "" ? "" : ` (${reason})`;
    return `${place(file)} ${name}${because}`;
  });
  return shown([...named, ...files]);
}

/** The path of a file below the root; its name begins with that of the project. */
function place(file: string): string {
  const path = file.slice(file.indexOf(" ") + 1);
  return path.startsWith(ROOT) ? relative(ROOT, path) : path;
}

function shown(names: readonly string[]): readonly string[] {
  const rest = names.length - SHOWN;
  return rest > 0 ? [...names.slice(0, SHOWN), `and ${rest} more`] : names;
}
