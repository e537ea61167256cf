/** Vectors of peers' messages: recorded from nodes of the reference, and made of known values by another library. */
import { readFileSync } from "node:fs";
import * as v from "valibot";

const recorded = v.object({ type: v.string(), hex: v.string() });
const made = v.object({ ...recorded.entries, value: v.unknown() });
const file = v.object({ recorded: v.array(recorded), made: v.array(made) });

/** All of them: names of messages, and their bytes as hex. */
export type P2pVectors = v.InferOutput<typeof file>;

/** Reads the file. */
export function p2pVectors(): P2pVectors {
  const url = new URL("./reference/p2p.json", import.meta.url);
  return v.parse(file, JSON.parse(readFileSync(url, "utf8")));
}
