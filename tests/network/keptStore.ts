/**
 * Store fixtures with a chain in them, cached below `.cache/network`: each build of the code that writes them loads a chain
 * once, and tests copy the result.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { coreFingerprint } from "../testkit/coreFingerprint.ts";
import { KeptThing } from "../testkit/keptThing.ts";
import { loadIntoNode } from "./chainMaker.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** What writes a store, besides the core. */
const WRITERS = [
  "node-server/engine",
  "node-server/storage",
  "shared/base",
  "shared/core",
  "tests/bench/chainLoader.ts",
  "package-lock.json",
];
const DIGITS = 16;

/** Folder of all data of a node that has these blocks above genesis: to be copied, never to be written to. */
export async function keptStore(
  core: CoreGlue,
  { profile, blocks }: { readonly profile: string; readonly blocks: readonly Uint8Array[] },
): Promise<string> {
  const chain = createHash("sha256").update(profile);
  for (const block of blocks) chain.update(block);
  const name = `store-${chain.digest("hex").slice(0, DIGITS)}`;
  const kept = new KeptThing({ folder: "network", name, maker: writersDigest() });
  if (kept.isThere) return kept.path;
  await loadIntoNode(core, { appdir: kept.begin(), profile, blocks });
  kept.keep();
  return kept.path;
}

function writersDigest(): string {
  const digest = createHash("sha256").update(coreFingerprint());
  for (const path of WRITERS.flatMap(filesOf))
    digest.update(path).update(readFileSync(ROOT + path));
  return digest.digest("hex").slice(0, DIGITS);
}

function filesOf(path: string): string[] {
  if (/\.\w+$/.test(path)) return [path];
  return readdirSync(ROOT + path, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .toSorted()
    .map((name) => `${path}/${name}`);
}
