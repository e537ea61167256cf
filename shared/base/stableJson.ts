/** JSON of stored values: 64-bit numbers as decimal text, fields in the order of their names. */

/** Encodes a value. Equal values give equal text, whatever the order of their fields. */
export function stableJson(value: unknown): string {
  return JSON.stringify(ordered(value));
}

/** A copy in order: asking back for each value, as a replacer does, would cost twice as much. */
function ordered(value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => ordered(item));
  if ("toJSON" in value && typeof value.toJSON === "function") return ordered(value.toJSON());
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value).toSorted()) {
    const item = ordered(Reflect.get(value, name));
    // A name that means something to objects is a field like any other.
    if (name === "__proto__") Object.defineProperty(copy, name, { ...FIELD, value: item });
    else copy[name] = item;
  }
  return copy;
}

const FIELD = { configurable: true, enumerable: true, writable: true } as const;
