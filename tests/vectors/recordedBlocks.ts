/** Vectors of raw blocks, a selection of a recorded chain. */
import { readFileSync } from "node:fs";
import * as v from "valibot";

const file = v.object({ blocks: v.array(v.object({ hash: v.string(), raw: v.string() })) });

/** A block by its hash, raw as hex. */
export type RecordedBlock = v.InferOutput<typeof file>["blocks"][number];

/** Reads the file. */
export function recordedBlocks(): readonly RecordedBlock[] {
  const url = new URL("./recorded-blocks.json", import.meta.url);
  return v.parse(file, JSON.parse(readFileSync(url, "utf8"))).blocks;
}
