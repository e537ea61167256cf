/** Messages for a payment that conflicts with another one, which spends the same notes. */
import type { Rival } from "@svc/shared/wallet/reduce/rival.ts";
import { t } from "./translate.ts";

/** The message; null where nothing conflicts. `isDecided`: a block has the other payment. */
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
