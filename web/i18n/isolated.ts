/** Foreign text inside a sentence of the page, set apart so that neither turns the other around. */
import { plainText } from "./plainText.ts";

/** First strong isolate, and its end (Unicode UAX 9): a name from the right stays one piece between words from the left. */
const [BEGIN, END] = ["\u2068", "\u2069"];

/** The text without marks of direction of its own, isolated from what stands around it; nothing for no text. */
export function isolated(text: string): string {
  const plain = plainText(text);
  return plain === "" ? "" : BEGIN + plain + END;
}
