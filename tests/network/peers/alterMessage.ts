/** Mutation of a peer-to-peer message: changes one field and leaves the message well formed, as a lying peer would. */
import {
  readEnvelope,
  writeEnvelope,
  type P2pEnvelope,
  type P2pName,
} from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { withFlippedBit } from "@svc/shared/base/testkit/flipBits.ts";
import type { SeededRandom } from "../../testkit/seededRandom.ts";

/** A message with one field that is not what it was. */
export type Altered = {
  readonly bytes: Uint8Array;
  /** Which field: names and numbers in lists, from the outermost on. */
  readonly path: string;
};

/** Which of several bytes is changed. */
export type ByteChoice = "first" | "middle";

type Place = { readonly path: string; readonly change: () => void };

/** The name of an encoded message; `undefined` for one that is not known. */
export function nameOf(bytes: Uint8Array): P2pName | undefined {
  return readEnvelope(bytes).payload?.$case;
}

/** The paths of all fields that `alterMessage` can change, in their order. */
export function fieldsOf(bytes: Uint8Array): string[] {
  return placesIn(readEnvelope(bytes), "middle").map(({ path }) => path);
}

/**
 * Alters a field chosen at random among those whose path passes; null when there is none. Of bytes one bit changes, in the
 * middle or in the first of them.
 */
export function alterMessage(
  bytes: Uint8Array,
  random: SeededRandom,
  isWanted: (path: string) => boolean = () => true,
  where: ByteChoice = "middle",
): Altered | null {
  const envelope = readEnvelope(bytes);
  const wanted = placesIn(envelope, where).filter(({ path }) => isWanted(path));
  const place = wanted[wanted.length === 0 ? 0 : random.below(wanted.length)];
  if (place === undefined) return null;
  place.change();
  return { bytes: writeEnvelope(envelope), path: `${nameOf(bytes)}${place.path}` };
}

function placesIn({ payload }: P2pEnvelope, where: ByteChoice): Place[] {
  if (payload === undefined) throw new Error("the message is not known");
  const places: Place[] = [];
  collect({ holder: payload, key: "value", path: "" }, where, places);
  return places;
}

type Field = { readonly holder: object; readonly key: string; readonly path: string };

/** All numbers, bytes, texts and truths at and below a field. */
function collect({ holder, key, path }: Field, where: ByteChoice, places: Place[]): void {
  const value: unknown = Reflect.get(holder, key);
  const set = (changed: unknown): void => void Reflect.set(holder, key, changed);
  if (value instanceof Uint8Array) {
    const at = where === "first" ? 0 : value.length >> 1;
    if (value.length > 0) places.push({ path, change: () => set(withFlippedBit(value, at)) });
  } else if (typeof value === "bigint") places.push({ path, change: () => set(value ^ 1n) });
  else if (typeof value === "number") places.push({ path, change: () => set(value ^ 1) });
  else if (typeof value === "boolean") places.push({ path, change: () => set(!value) });
  else if (typeof value === "string") places.push({ path, change: () => set(`${value}.`) });
  else if (typeof value === "object" && value !== null) {
    for (const inner of Object.keys(value)) {
      const step = Array.isArray(value) ? `[${inner}]` : `.${inner}`;
      if (inner !== "$case") {
        collect({ holder: value, key: inner, path: `${path}${step}` }, where, places);
      }
    }
  }
}
