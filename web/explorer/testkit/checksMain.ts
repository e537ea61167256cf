/** Entry point of a page for tests that holds one check: its address says which, and of what. */
import "../../ui/styles/tokens.css";
import "../../ui/styles/base.css";
import {
  mountAddressCheck,
  mountBlockCheck,
  mountDisclosureCheck,
  mountMessageCheck,
  mountSupplyAudit,
  mountTransactionCheck,
} from "../check/mountChecks.ts";
import { mountReceiptCheck } from "../check/receipt/mountReceiptCheck.ts";

const query = new URLSearchParams(location.search);
const locale = query.get("lang") === "de" ? "de" : "en";
const id = query.get("id") ?? "";
const place = document.createElement("main");
const options = { locale, apiBase: "/api", shown: () => undefined } as const;
document.body.append(place);
switch (query.get("check")) {
  case "block":
    mountBlockCheck(place, { ...options, hash: id });
    break;
  case "transaction":
    mountTransactionCheck(place, { ...options, txid: id });
    break;
  case "supply":
    mountSupplyAudit(place, { ...options, shownCoins: () => undefined });
    break;
  case "receipt":
    mountReceiptCheck(place, options);
    break;
  default:
    for (const mount of [mountDisclosureCheck, mountAddressCheck, mountMessageCheck]) {
      const part = document.createElement("section");
      place.append(part);
      mount(part, options);
    }
}
