/**
 * Store fixtures with a chain in them, cached below `.cache/network`: each build of the code that writes them loads a chain
 * once, and tests copy the result.
 */
import { createHash } from "node:crypto";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { KeptThing } from "../../testkit/keptThing.ts";
import { loadIntoNode } from "./chainMaker.ts";
import { sourcesDigest } from "./sourcesDigest.ts";

/** What writes a store, besides the core. */
const WRITERS = [
  "node-server/engine",
  "node-server/storage",
  "shared/base",
  "shared/core",
  "tests/bench/chain/chainLoader.ts",
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
  const kept = new KeptThing({ folder: "network", name, maker: sourcesDigest(WRITERS) });
  if (kept.isThere) return kept.path;
  await loadIntoNode(core, { appdir: kept.begin(), profile, blocks });
  kept.keep();
  return kept.path;
}
