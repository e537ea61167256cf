/** Name of a file with a signed message: the day, and nothing of wallet or text. */
import { dayText } from "../welcome/restoreDay.ts";

/** The name, of letters that every disk takes. */
export function messageFileName(date: Date): string {
  return `signed-message-${dayText(date)}.json`;
}
