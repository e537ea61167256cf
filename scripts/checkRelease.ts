/**
 * Checks that a release may go out for these built-in networks: `sh scripts/run.sh scripts/checkRelease.ts NETWORK…`. It fails for one whose work
 * the release does not know: its wallets and gateways would call nothing confirmed (docs/light-client.md, "The floor").
 */
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { networksWithoutWork } from "./lib/networksWithoutWork.ts";

const names = process.argv.slice(2);
if (names.length === 0) {
  console.error("usage: sh scripts/run.sh scripts/checkRelease.ts NETWORK…");
  process.exit(2);
}
const missing = networksWithoutWork(await loadCoreFile(), names);
for (const name of missing) {
  console.error(`${name}: no checkpoint. scripts/checkpoint.ts makes one of a node's tip`);
}
process.exitCode = missing.length === 0 ? 0 : 1;
