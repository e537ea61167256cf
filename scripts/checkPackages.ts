/** Dependency audit of the packages in npm's lockfiles (licences, checksums, sources): `npm run check -- packages`. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./lib/command.ts";
import { LOCKFILES, lockfileFaults } from "./licences/npmLicences.ts";

const faults = LOCKFILES.flatMap(({ folder, exceptions }) => {
  const text = readFileSync(join(ROOT, folder, "package-lock.json"), "utf8");
  const manifestOf = (path: string) => {
    const file = join(ROOT, folder, path, "package.json");
    return existsSync(file) ? readFileSync(file, "utf8") : null;
  };
  return lockfileFaults(text, manifestOf, exceptions).map((fault) => `${folder}: ${fault}`);
});
for (const fault of faults) console.log(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
