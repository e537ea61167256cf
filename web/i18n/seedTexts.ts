/** Validation messages of the seed field, while the seed is typed and when it is submitted. */
import {
  SEED_CHECK_DIGITS,
  SEED_DIGITS,
  type SeedText,
} from "@svc/shared/wallet/state/seedText.ts";
import { t } from "./translate.ts";

/** How many of the typed characters are digits of a seed. */
export function digitsOf(text: string): number {
  return text.match(/[0-9a-f]/gi)?.length ?? 0;
}

/** The remark below the field while nothing is wrong. */
export function seedHint(typed: SeedText): string {
  if (typed.kind !== "seed") return t("restore.seedHint");
  return t(typed.checked ? "restore.seedChecked" : "restore.seedUnchecked");
}

/**
 * What is wrong, as a sentence; null while the text may still become a seed. A wrong character and digits that do not
 * check are told at once, a missing digit only when the form was submitted.
 */
export function seedFault(typed: SeedText, submitted: boolean): string | null {
  switch (typed.kind) {
    case "seed":
      return null;
    case "bad-character":
      return t("restore.seedCharacter", {
        character: typed.character,
        position: typed.position,
      });
    case "bad-check":
      return t("restore.seedCheckFails");
    case "bad-length": {
      const tooLong = typed.digits > SEED_DIGITS + SEED_CHECK_DIGITS;
      if (!submitted && !tooLong) return null;
      return t("restore.seedLength", { count: typed.digits });
    }
  }
}
