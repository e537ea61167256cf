/**
 * Store fixtures with a chain in them, cached below `.cache/network`: each build of the code that writes them loads a chain
 * once, and tests copy the result.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { coreFingerprint } from "../bench/coreFingerprint.ts";
import { loadIntoNode } from "./chainMaker.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FOLDER = join(ROOT, ".cache/network");
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
  const kept = join(FOLDER, `${name}-${writersDigest()}`);
  if (existsSync(kept)) return kept;
  mkdirSync(FOLDER, { recursive: true });
  for (const old of readdirSync(FOLDER)) {
    // One with a point in its name is being made by another process.
    const isOther = old.startsWith(`${name}-`) && !old.includes(".");
    if (isOther) rmSync(join(FOLDER, old), { recursive: true, force: true });
  }
  const unfinished = `${kept}.${process.pid}`;
  await loadIntoNode(core, { appdir: unfinished, profile, blocks });
  keep(unfinished, kept);
  return kept;
}

/** Two processes may make the same at once: the first one's stays. */
function keep(unfinished: string, kept: string): void {
  try {
    renameSync(unfinished, kept);
  } catch (error) {
    if (!existsSync(kept)) throw error;
    rmSync(unfinished, { recursive: true, force: true });
  }
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
