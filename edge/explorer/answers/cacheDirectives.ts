/** Reads a header `Cache-Control`. */

/** Its directives by name, in small letters; one without seconds, or with seconds of another form, has none: 0. */
export function cacheDirectives(header: string): ReadonlyMap<string, number> {
  const parts = header.split(",").map((part) => part.trim().toLowerCase().split("="));
  return new Map(
    parts.map(([name = "", seconds = ""]) => [
      name,
      /^\d{1,9}$/.test(seconds) ? Number(seconds) : 0,
    ]),
  );
}
