/**
 * Recorded wire traffic of an initial sync between two nodes of the reference: every message of one link, in the order in
 * which they went over the wire, and the profile of their network. The one that dialled was fresh, the other one had
 * pruned.
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import * as v from "valibot";

const folder = new URL("./reference/wire/", import.meta.url);
const row = v.object({ from: v.picklist(["dialer", "listener"]), hex: v.string() });

/** A message as it is recorded: who said it, and its bytes as hex. */
export type RecordedRow = v.InferOutput<typeof row>;

/** All messages. */
export function recordedWire(): RecordedRow[] {
  const text = gunzipSync(readFileSync(new URL("ibd.jsonl.gz", folder))).toString("utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => v.parse(row, JSON.parse(line)));
}

/** JSON of the profile. */
export function recordedWireProfile(): string {
  return readFileSync(new URL("profile.json", folder), "utf8");
}
