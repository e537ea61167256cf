/** What is wrong with a passphrase that is being chosen. */
import { LIMITS } from "@svc/shared/base/limits.ts";

/** The first fault of a passphrase typed twice; null when there is none. Characters are counted as the vault counts them. */
export function passphraseFault(first: string, second: string): "short" | "different" | null {
  if ([...first.normalize("NFKC")].length < LIMITS.passphraseMinChars) return "short";
  return first === second ? null : "different";
}
