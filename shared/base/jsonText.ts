/** JSON encoding for the wire: 64-bit numbers are decimal text. */

/** Encodes a plain value. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === "bigint" ? String(item) : item,
  );
}
