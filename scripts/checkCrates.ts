/**
 * Dependency audit of the crates in our lockfiles (licences, bans, sources), by cargo-deny: `npm run check -- crates`.
 * Known weaknesses are looked for only where a database of them lies on this machine; otherwise a line says that they were
 * not. A crate under a licence that is not taken is looked at too, and has to be refused.
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

/** The database of weaknesses is read as it lies there: nothing is fetched for it. */
function check([folder, config]: readonly [string, string], wanted: readonly string[]) {
  const options = ["--color", "never", "--config", join(ROOT, config)];
  const access = wanted.includes("advisories") ? "--frozen" : "--locked";
  const args = [access, ...options, "check", "--hide-inclusion-graph", ...wanted];
  return runCommand(program, args, { folder });
}

const RULES = ["licenses", "bans", "sources"];
let failed = 0;
for (const workspace of WORKSPACES) {
  for (const wanted of [RULES, ...(hasDatabase ? [["advisories"]] : [])]) {
    const { status, output } = await check(workspace, wanted);
    if (status === 0) continue;
    failed += 1;
    console.log(`${workspace[0]}:\n${output}`);
  }
}
const refused = await check(REFUSED, RULES);
if (refused.status === 0 || !refused.output.includes("GPL-3.0-only")) {
  failed += 1;
  console.log(`a crate under GPL-3.0-only was not refused:\n${refused.output}`);
}
const told = hasDatabase ? "checked against the database of this machine" : "not checked";
console.log(`advisories: ${told}`);
process.exitCode = failed === 0 ? 0 : 1;
