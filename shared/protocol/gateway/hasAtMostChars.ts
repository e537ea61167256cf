/** Length of foreign text in characters, as JSON Schema counts them: one beyond the first plane counts once. */

/** Whether a text has at most so many characters. It takes no longer for a longer text. */
export function hasAtMostChars(text: string, most: number): boolean {
  return text.length <= most || (text.length <= 2 * most && [...text].length <= most);
}
