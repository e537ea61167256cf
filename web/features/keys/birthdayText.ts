/** Text of a wallet's birthday, on paper and beside a viewing key. */
import { t } from "../../i18n/translate.ts";
import type { BackupFacts } from "../../wallet-api/backupFacts.ts";

const DAY_MS = 86_400_000;

/** A day as the form that restores takes it, counted in UTC; words where everything has to be scanned. */
export function birthdayText(birthday: BackupFacts["birthday"]): string {
  if (birthday === "genesis") return t("paper.birthdayGenesis");
  return new Date(birthday.day * DAY_MS).toISOString().slice(0, 10);
}
