/** Reads JSON that another program wrote. */

/** A value as an object; null for anything else. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value))
    : null;
}

/** A value as text; an empty one for anything else. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
