/**
 * Licences, bans and sources of the crates in our lockfiles, by cargo-deny: `npm run check -- crates`. Known weaknesses are
 * looked for only where a database of them lies on this machine; otherwise a line says that they were not. A folder can
 * be given to look at another workspace.
 */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { cargoTool, CARGO_DENY } from "./lib/cargoTools.ts";
import { runCommand } from "./lib/command.ts";

const WORKSPACES = ["wasm-core", "wasm-core/glue", "wasm-core/crates/oracle"];

const folders = process.argv.slice(2);
const program = await cargoTool(CARGO_DENY);
const home = process.env["CARGO_HOME"] ?? join(homedir(), ".cargo");
const hasDatabase = ["advisory-dbs", "advisory-db"].some((name) => existsSync(join(home, name)));
const advisories = hasDatabase ? ["advisories"] : [];
let failed = 0;
for (const folder of folders.length > 0 ? folders : WORKSPACES) {
  const config = folder === "wasm-core/glue" ? ["--config", "../deny.toml"] : [];
  const args = ["--locked", "--color", "never", "check", "--hide-inclusion-graph", ...config];
  const checks = ["--disable-fetch", "licenses", "bans", "sources", ...advisories];
  const { status, output } = await runCommand(program, [...args, ...checks], { folder });
  if (status === 0) continue;
  failed += 1;
  console.log(`${folder}:\n${output}`);
}
console.log(
  `advisories: ${hasDatabase ? "checked against the database of this machine" : "not checked"}`,
);
process.exitCode = failed === 0 ? 0 : 1;
