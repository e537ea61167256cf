/** JSON of a stored record or a file, where text that is no JSON is told from damage by whoever checks the form. */

/** The parsed value; undefined for text that is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
