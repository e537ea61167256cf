/** What is said of a payment whose coins another one spends. */
import type { Rival } from "@svc/shared/wallet/rival.ts";
import { t } from "./translate.ts";

/** The sentences; null where nobody else spends them. `isDecided`: a block has the other payment. */
export function rivalText(rival: Rival | null, isDecided: boolean): string | null {
  switch (rival) {
    case "own":
      return t(isDecided ? "rival.ownPaid" : "rival.ownWaits");
    case "elsewhere":
      return t(isDecided ? "rival.elsewherePaid" : "rival.elsewhereWaits");
    case null:
      return null;
  }
}
