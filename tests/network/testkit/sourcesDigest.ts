/** Digest of sources, by which what they made is known to be theirs. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { coreFingerprint } from "../../testkit/coreFingerprint.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const DIGITS = 16;

/** Digest of the core and of files and folders below the root, of folders the TypeScript files. */
export function sourcesDigest(paths: readonly string[]): string {
  const digest = createHash("sha256").update(coreFingerprint());
  for (const path of paths.flatMap(filesOf)) digest.update(path).update(readFileSync(ROOT + path));
  return digest.digest("hex").slice(0, DIGITS);
}

function filesOf(path: string): string[] {
  if (/\.\w+$/.test(path)) return [path];
  return readdirSync(ROOT + path, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .toSorted()
    .map((name) => `${path}/${name}`);
}
