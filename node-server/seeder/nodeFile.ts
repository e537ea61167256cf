/** Persistence of the seeder's nodes: a JSON file with a version, replaced as a whole. */
import { open, readFile, rename, stat } from "node:fs/promises";
import * as v from "valibot";
import { SEEDER_LIMITS } from "./seederLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { addressText, parseNetAddress } from "../platform/net/netAddress.ts";
import type { KnownNode } from "./nodeBook.ts";
import { WINDOW_COUNT } from "./probeHistory.ts";

const VERSION = 1;
const NO_PORT = 0;

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const share = v.pipe(v.number(), v.finite(), v.minValue(0));
const address = v.pipe(
  v.string(),
  v.transform((text) => parseNetAddress(text, NO_PORT)),
  v.custom<{ ip: string; port: number }>((parsed) => parsed !== undefined, "no address"),
);
const row = v.object({
  address,
  giver: v.nullable(v.string()),
  history: v.object({
    tries: count,
    successes: count,
    failuresInRow: count,
    lastTryMs: v.nullable(count),
    lastSuccessMs: v.nullable(count),
    windows: v.pipe(
      v.array(v.object({ good: share, all: share, count: share })),
      v.length(WINDOW_COUNT),
    ),
  }),
});
const content = v.object({
  version: v.literal(VERSION),
  nodes: v.pipe(v.array(row), v.maxLength(SEEDER_LIMITS.seederNodes)),
});

/** Reads a file; nothing when there is none. Rejects with `store/corrupt`. */
export async function readNodeFile(path: string): Promise<KnownNode[]> {
  const size = await stat(path).then(
    (found) => found.size,
    () => null,
  );
  if (size === null) return [];
  try {
    if (size > SEEDER_LIMITS.seederFileBytes) throw new Error(`it has ${size} bytes`);
    return v.parse(content, JSON.parse(await readFile(path, "utf8"))).nodes;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SvcError("store/corrupt", { table: path, reason }, error);
  }
}

/** Writes a file: it is the old one or the new one, whatever happens meanwhile. */
export async function writeNodeFile(path: string, nodes: readonly KnownNode[]): Promise<void> {
  const rows = nodes.map((node) => ({ ...node, address: addressText(node.address) }));
  const fresh = `${path}.new`;
  const file = await open(fresh, "w");
  try {
    await file.writeFile(JSON.stringify({ version: VERSION, nodes: rows }));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(fresh, path);
}
