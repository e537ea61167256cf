/** Looks at a node's store while the node does not run. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { callCore } from "@svc/shared/core/callCore.ts";
import { core, type Scene } from "./scene.ts";

const program = fileURLToPath(new URL("../../node-server/bin/svc.ts", import.meta.url));

/** Hash of a network's genesis block. */
export function genesisHashOf(profile: string): string {
  return callCore(() => core.genesisHash(core.canonicalProfile(profile)));
}

/** What `svc verify` says of a node's store; proofs are taken as the node judged them. */
export async function verifiedStore(scene: Scene, name: string): Promise<unknown> {
  const options = [`--profile=${scene.profileFile}`, `--appdir=${scene.appdir(name)}`];
  const args = [program, "verify", ...options, "--assume-proofs", "--json"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  await once(child, "close");
  return JSON.parse(lines.at(-1) ?? "null");
}
