/** Text about where the owner's annotations are kept: with the backup file, for a wallet that has one. */
import { t } from "../../i18n/translate.ts";
import type { Snapshot } from "../../wallet-api/walletApi.ts";

/** A wallet that only watches has no seed, and so no backup file. */
export function annotationsText(
  key: "contacts.text" | "remark.hint" | "addresses.text",
  { watchOnly }: Pick<Snapshot, "watchOnly">,
): string {
  return watchOnly ? t(key) : `${t(key)} ${t("backups.brings")}`;
}
