/** Faults that tests must notice: the data of one, its draw, and its change of a text. */
import { createHash } from "node:crypto";
import * as v from "valibot";

const replacement = v.object({ from: v.pipe(v.string(), v.minLength(1)), to: v.string() });
const fault = v.object({
  id: v.pipe(v.string(), v.regex(/^[a-z0-9-]+$/)),
  suite: v.string(),
  test: v.string(),
  file: v.string(),
  what: v.string(),
  change: v.pipe(v.array(replacement), v.minLength(1)),
});
const faultList = v.object({
  faults: v.array(fault),
  leftOut: v.array(v.object({ suite: v.string(), test: v.string(), reason: v.string() })),
});

/**
 * A fault: the file that it is put into, what is wrong then, the texts that change, each of which the file holds once, and the
 * suite and test that noticed it first (docs/records/redTests.md).
 */
export type Fault = v.InferOutput<typeof fault>;

/** All faults, and those of the table that are not tried, with their reasons. */
export type FaultList = v.InferOutput<typeof faultList>;

/** Reads `faults.json`. Throws for another form. */
export function readFaults(json: string): FaultList {
  return v.parse(v.pipe(v.string(), v.parseJson(), faultList), json);
}

/**
 * Draws so many faults by a seed, and gives them in the order of the list. Which ones follows from each fault's own id: a new one
 * leaves what is drawn of the others as it is, but for the one that it displaces.
 */
export function drawFaults(all: readonly Fault[], count: number, seed: string): readonly Fault[] {
  const lots = all.map((one) => {
    const lot = createHash("sha256").update(`${seed}\0${one.id}`).digest("hex");
    return { one, lot };
  });
  const drawn = lots.toSorted((a, b) => (a.lot < b.lot ? -1 : 1)).slice(0, count);
  const ids = new Set(drawn.map(({ one }) => one.id));
  return all.filter(({ id }) => ids.has(id));
}

/** The text of a file with a fault in it. Throws when the text does not hold each changed part exactly once. */
export function withFault(text: string, { id, file, change }: Fault): string {
  let changed = text;
  for (const { from, to } of change) {
    const parts = changed.split(from);
    if (parts.length !== 2) {
      throw new Error(`${id}: ${file} holds ${parts.length - 1} times: ${from}`);
    }
    changed = parts.join(to);
  }
  if (changed === text) throw new Error(`${id} changes nothing`);
  return changed;
}
