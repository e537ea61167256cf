/**
 * Build plugin that writes `hashes.json` beside the built files: the SHA-256 of each of them (ADR 26). The wallet's About
 * page shows it, `npm run hashes` prints it and compares it with what a server sends.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Plugin } from "vite";
import { isEncodedName } from "../../shared/protocol/http/acceptedEncoding.ts";

/** Name of the list; it does not name itself. */
export const HASHES_FILE = "hashes.json";

/** SHA-256, hex, by path from the root of the pages, in the order of the paths. */
export type FileHashes = Readonly<Record<string, string>>;

/** SHA-256 of some bytes, hex. */
export function sha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The hashes of all files below a folder of built pages, the list itself, hidden files and compressed forms left out. */
export function hashFolder(folder: string): FileHashes {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const rows = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [`/${relative(folder, file).split(sep).join("/")}`, file] as const)
    .filter(([path]) => path !== `/${HASHES_FILE}` && !path.includes("/.") && !isEncodedName(path));
  return Object.fromEntries(
    rows
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, file]) => [path, sha256(readFileSync(file))]),
  );
}

/** The text of the list. Its own hash stands for all of the pages. */
export function hashesText(hashes: FileHashes): string {
  return `${JSON.stringify(hashes, null, 1)}\n`;
}

/** The plugin. It has to be the last one, since it hashes what the others wrote. */
export function fileHashes(): Plugin {
  return {
    name: "file-hashes",
    apply: "build",
    enforce: "post",
    writeBundle({ dir }) {
      if (dir === undefined) throw new Error("the pages are built into a folder");
      writeFileSync(join(dir, HASHES_FILE), hashesText(hashFolder(dir)));
    },
  };
}
