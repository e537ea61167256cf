/** Name of a wallet of this browser, as it is shown: what its owner called it, else its number. */
import { isolated } from "../../i18n/isolated.ts";
import { t } from "../../i18n/translate.ts";
import type { WalletEntry, WalletsView } from "../../wallet-api/walletEntry.ts";

/** The name, set apart from the words around it. */
export function walletName({ name, number }: WalletEntry): string {
  return isolated(name) || t("wallets.number", { number });
}

/** Name of the current wallet where there are several; null where nothing has to be told apart. */
export function currentName({ list, current }: WalletsView): string | null {
  const entry = list.length > 1 ? list.find(({ id }) => id === current) : undefined;
  return entry === undefined ? null : walletName(entry);
}
