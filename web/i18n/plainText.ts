/** Foreign text made safe to be shown: without the characters that change the direction of the text around them. */

/** Marks, embeddings, overrides and isolates of direction (Unicode UAX 9, table 1). */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * A memo or a name that somebody else wrote, in the order in which its letters came: an override could show "cba" for "abc", and
 * go on behind its end. Scripts that run from the right need none of these characters.
 */
export function plainText(text: string): string {
  return text.replaceAll(DIRECTION, "");
}
