/** JSON of stored values: 64-bit numbers as decimal text, fields in the order of their names. */

/** Encodes a value. Equal values give equal text, whatever the order of their fields. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => {
    if (typeof item === "bigint") return item.toString();
    if (typeof item !== "object" || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
