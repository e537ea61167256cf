/** Reads the header `Accept-Language` (RFC 9110, 12.5.4). */

/** Characters of the header that are read; what follows is not looked at. */
const HEADER_CHARS = 2_048;

/** The language tags of the header, the most wanted first; those that are not wanted (`q=0`) are left out. */
export function acceptedLanguages(header: string): readonly string[] {
  return header
    .slice(0, HEADER_CHARS)
    .split(",")
    .map((part) => {
      const [tag = "", ...parameters] = part.trim().split(/\s*;\s*/);
      const weight = parameters.find((text) => text.startsWith("q="))?.slice(2) ?? "1";
      return { tag, weight: /^[01](\.\d{0,3})?$/.test(weight) ? Number(weight) : 0 };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}
