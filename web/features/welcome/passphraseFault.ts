/** Validation of a new passphrase. */
import { PAGE_LIMITS } from "../../pageLimits.ts";

/** The first fault of a passphrase typed twice; null when there is none. Characters are counted as the vault counts them. */
export function passphraseFault(first: string, second: string): "short" | "different" | null {
  if ([...first.normalize("NFKC")].length < PAGE_LIMITS.passphraseMinChars) return "short";
  return first === second ? null : "different";
}
