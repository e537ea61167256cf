/**
 * Message format of the catalogues (slots and plurals), small enough to check at compile time: `{name}` is a slot; a
 * message with `one` and `other` is a plural over its slot `count`.
 */

/** A message of a catalogue. */
export type Message = string | { readonly one: string; readonly other: string };

/** What fills a slot. */
export type SlotValue = string | number | bigint;

/** The slot names of a message. */
export type SlotsOf<M> = M extends string
  ? SlotsOfText<M>
  : M extends { readonly one: infer One; readonly other: infer Other }
    ? "count" | SlotsOfText<One> | SlotsOfText<Other>
    : never;

type SlotsOfText<T> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | SlotsOfText<Rest>
  : never;

/** Fills a message. `locale` decides the plural form and the digits of numbers. */
export function fillMessage(
  message: Message,
  slots: Readonly<Record<string, SlotValue>>,
  locale: string,
): string {
  const text = typeof message === "string" ? message : message[pluralOf(slots["count"], locale)];
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => shown(slots[name], locale));
}

function pluralOf(count: SlotValue | undefined, locale: string): "one" | "other" {
  const rule = new Intl.PluralRules(locale).select(Number(count ?? 0));
  return rule === "one" ? "one" : "other";
}

function shown(value: SlotValue | undefined, locale: string): string {
  if (typeof value === "number" || typeof value === "bigint") {
    return new Intl.NumberFormat(locale).format(value);
  }
  return value ?? "?";
}
