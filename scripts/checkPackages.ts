/** Dependency audit of the packages in npm's lockfile (licences, checksums, sources): `npm run check -- packages`. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./lib/command.ts";
import { lockfileFaults } from "./licences/npmLicences.ts";

const faults = lockfileFaults(readFileSync(join(ROOT, "package-lock.json"), "utf8"), (path) => {
  const file = join(ROOT, path, "package.json");
  return existsSync(file) ? readFileSync(file, "utf8") : null;
});
for (const fault of faults) console.log(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
