/**
 * Proves the tip of a node and prints the checkpoint of its network: `sh scripts/run.sh scripts/checkpoint.ts URL`. A person compares it with a
 * second node before it goes into a release (`shared/light/checkpointOf.ts`).
 */
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { provedCheckpoint } from "./lib/provedCheckpoint.ts";

const [url] = process.argv.slice(2);
if (url === undefined) {
  console.error("usage: sh scripts/run.sh scripts/checkpoint.ts URL");
  process.exit(2);
}
const core = await loadCoreFile();
const asked = { url: url.replace(/\/+$/, ""), nowMs: systemClock.nowMs() };
const found = await provedCheckpoint(core, asked, new AbortController().signal);
console.error(`${found.network}: ${found.blocks} blocks of the tip's difficulty were shown`);
console.log(found.row);
