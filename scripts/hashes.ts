/**
 * Build verification: prints the SHA-256 of every file of the built pages and compares a server with them, `npm run hashes
 * [-- URL]`.
 *
 * The last line is the hash of the list, which stands for all of them and is what the wallet's About page shows. With the
 * address of a server, each file is fetched from it and compared, its headers too: the exit status tells.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { HeaderRow } from "@svc/shared/explorer/headerRows.ts";
import { hashesText, hashFolder, sha256 } from "../web/build/fileHashes.ts";
import { ROOT } from "./lib/command.ts";
import { compareServed } from "./lib/compareServed.ts";

const folder = join(ROOT, "web", "dist");
const hashes = hashFolder(folder);
for (const [path, hash] of Object.entries(hashes)) console.log(`${hash}  ${path}`);
console.log(`${sha256(hashesText(hashes))}  all of them, as hashes.json`);

const [server] = process.argv.slice(2);
if (server !== undefined) {
  const rows: readonly HeaderRow[] = JSON.parse(readFileSync(join(folder, "headers.json"), "utf8"));
  const { origin } = new URL(server);
  const faults = await compareServed(origin, { hashes, rows });
  console.log(faults.length === 0 ? `${origin} sends this build` : faults.join("\n"));
  process.exitCode = faults.length === 0 ? 0 : 1;
}
