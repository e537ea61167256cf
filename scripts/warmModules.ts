/**
 * Cache warm-up: runs a node of a network of its own once, from its start to its end. What Node compiled for it is kept in
 * `.cache/modules`, and the verifier's tables in `.cache/derived`, where each later node finds them. Ends with status 1
 * when the node did not come that far.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DERIVED_FOLDER, SET_UP_TABLES } from "../node-server/platform/files/derivedFiles.ts";
import { ROOT } from "./lib/command.ts";

/** ms. Bound of a start that hangs. */
const PATIENCE_MS = 180_000;
/** The last thing that a node does at its start. */
const READY = /^verifying keys ready/;

async function warm(folder: string): Promise<number> {
  const own = ["--simnet", `--appdir=${folder}`];
  const alone = ["--rpclisten=0", "--httplisten=0", "--listen=127.0.0.1:0", "--outpeers=0"];
  const args = ["scripts/run.sh", "node-server/bin/svc.ts", "node", ...own, ...alone];
  const node = spawn("sh", args, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
  const limit = setTimeout(() => node.kill("SIGKILL"), PATIENCE_MS);
  const ended = once(node, "exit");
  createInterface({ input: node.stdout }).on("line", (line) => {
    console.log(line);
    // What was compiled is written when the program ends.
    if (READY.test(line)) node.kill("SIGTERM");
  });
  await ended;
  clearTimeout(limit);
  if (node.exitCode !== 0) return 1;
  // The one folder in it is the network's.
  for (const network of readdirSync(folder)) {
    cpSync(join(folder, network, DERIVED_FOLDER), SET_UP_TABLES, { recursive: true });
  }
  return 0;
}

const folder = mkdtempSync(join(tmpdir(), "svc-warm-"));
try {
  process.exitCode = await warm(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
