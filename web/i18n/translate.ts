/** Translation function: texts of the catalogue by key. A missing key, a missing slot or one too many is a compile error. */
import type { TextKey } from "./catalogue.ts";
import type { en } from "./en/en.ts";
import { language, numbers } from "./language.ts";
import { fillMessage, type SlotsOf, type SlotValue } from "./message.ts";

/** Keys whose text has no slots. */
export type PlainKey = {
  [K in TextKey]: SlotsOf<(typeof en)[K]> extends never ? K : never;
}[TextKey];

type Arguments<K extends TextKey> =
  SlotsOf<(typeof en)[K]> extends never
    ? []
    : [slots: { readonly [S in SlotsOf<(typeof en)[K]>]: SlotValue }];

/** The text of a key in the language of the page, its slots filled. */
export function t<K extends TextKey>(key: K, ...[slots]: Arguments<K>): string {
  const { texts } = language();
  return fillMessage(texts[key], slots ?? {}, numbers());
}
