/** Writer of generated files, the same for all generators: writes those that differ, or only reports them. */
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { ROOT } from "../lib/command.ts";

/**
 * Compares texts with the files at their paths below the root. Writes those that differ, or with `check` names them and writes
 * nothing. Resolves with the exit status: 1 when a check found a stale file.
 */
export async function writeGenerated(
  texts: ReadonlyMap<string, string>,
  check: boolean,
): Promise<0 | 1> {
  let stale = 0;
  for (const [path, text] of texts) {
    const file = `${ROOT}${path}`;
    if (existsSync(file) && (await readFile(file, "utf8")) === text) continue;
    stale += 1;
    if (check) console.error(`${path} is out of date: run npm run generate`);
    else {
      await writeFile(file, text);
      console.error(`wrote ${path}`);
    }
  }
  return check && stale > 0 ? 1 : 0;
}
