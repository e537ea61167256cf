/**
 * Licences, bans and sources of the crates in our lockfiles, by cargo-deny: `npm run check -- crates`. Known weaknesses are
 * looked for only where a database of them lies on this machine; otherwise a line says that they were not. A crate under
 * a licence that is not taken is looked at too, and has to be refused.
 */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { cargoTool, CARGO_DENY } from "./lib/cargoTools.ts";
import { ROOT, runCommand } from "./lib/command.ts";

/** Each with the rules that hold for it. */
const WORKSPACES = [
  ["wasm-core", "wasm-core/deny.toml"],
  ["wasm-core/glue", "wasm-core/deny.toml"],
  ["wasm-core/crates/oracle", "wasm-core/crates/oracle/deny.toml"],
] as const;
const REFUSED = ["scripts/licences/refused", "wasm-core/deny.toml"] as const;

const program = await cargoTool(CARGO_DENY);
const home = process.env["CARGO_HOME"] ?? join(homedir(), ".cargo");
const hasDatabase = ["advisory-dbs", "advisory-db"].some((name) => existsSync(join(home, name)));

function check([folder, config]: readonly [string, string]) {
  const wanted = ["licenses", "bans", "sources", ...(hasDatabase ? ["advisories"] : [])];
  const options = ["--disable-fetch", "--hide-inclusion-graph", "--config", join(ROOT, config)];
  const args = ["--locked", "--color", "never", "check", ...options, ...wanted];
  return runCommand(program, args, { folder });
}

let failed = 0;
for (const workspace of WORKSPACES) {
  const { status, output } = await check(workspace);
  if (status === 0) continue;
  failed += 1;
  console.log(`${workspace[0]}:\n${output}`);
}
const refused = await check(REFUSED);
if (refused.status === 0 || !refused.output.includes("GPL-3.0-only")) {
  failed += 1;
  console.log(`a crate under GPL-3.0-only was not refused:\n${refused.output}`);
}
const told = hasDatabase ? "checked against the database of this machine" : "not checked";
console.log(`advisories: ${told}`);
process.exitCode = failed === 0 ? 0 : 1;
