/** Build of the pages for tests that serve them without a node. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** Builds the pages into a folder, for the node at this address alone. Throws what the build said when it fails. */
export function buildPages(folder: string, nodeUrl: string): void {
  const { status, stderr } = spawnSync(
    process.execPath,
    ["node_modules/vite/bin/vite.js", "build", "--outDir", folder, "--emptyOutDir"],
    { cwd: ROOT, env: { ...process.env, SVC_NODE_ORIGINS: nodeUrl }, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(stderr);
}
