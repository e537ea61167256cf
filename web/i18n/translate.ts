/** Translation function: texts of the catalogue by key. A missing key, a missing slot or one too many is a compile error. */
import { en } from "./en.ts";
import { fillMessage, type Message, type SlotsOf, type SlotValue } from "./message.ts";

/** The shape that a catalogue of another language must have. */
export type Catalogue = { readonly [K in keyof typeof en]: Message };

/** A key of the catalogue. */
export type TextKey = keyof typeof en;

/** Keys whose text has no slots. */
export type PlainKey = {
  [K in TextKey]: SlotsOf<(typeof en)[K]> extends never ? K : never;
}[TextKey];

type Arguments<K extends TextKey> =
  SlotsOf<(typeof en)[K]> extends never
    ? []
    : [slots: { readonly [S in SlotsOf<(typeof en)[K]>]: SlotValue }];

/** The language that the catalogue is written in. */
export const LOCALE = "en";

/** The text of a key, its slots filled. */
export function t<K extends TextKey>(key: K, ...[slots]: Arguments<K>): string {
  const catalogue: Catalogue = en;
  return fillMessage(catalogue[key], slots ?? {}, LOCALE);
}
