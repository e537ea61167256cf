/** Mounts of the parts in which a visitor's browser checks what the page shows. */
import type { PageFrame } from "../frame/pageFrame.ts";
import type { PartName, PartOptions } from "./mountedParts.ts";

type CheckPart = Extract<PartName, `check-${string}` | "supply-audit">;

/** By their names. Each loads what it needs when its place is there; the core is loaded by the first check. */
export const CHECK_MOUNTS: {
  readonly [Name in CheckPart]: (
    place: HTMLElement,
    options: PartOptions<Name>,
    frame: PageFrame,
  ) => Promise<() => void>;
} = {
  "check-block": async (place, { hash }, frame) => {
    const { mountBlockCheck } = await import("../check/mountChecks.ts");
    const shown = () => frame.store.read("block", `/blocks/${hash}`).body ?? undefined;
    return mountBlockCheck(place, { ...checkOptions(frame), hash, shown });
  },
  "check-transaction": async (place, { txid }, frame) => {
    const { mountTransactionCheck } = await import("../check/mountChecks.ts");
    const shown = () => frame.store.read("transaction", `/transactions/${txid}`).body ?? undefined;
    return mountTransactionCheck(place, { ...checkOptions(frame), txid, shown });
  },
  "supply-audit": async (place, _, frame) => {
    const { mountSupplyAudit } = await import("../check/mountChecks.ts");
    const shown = () => frame.store.read("shielded", "/info/shielded").body ?? undefined;
    const shownCoins = () => frame.store.read("coinSupply", "/info/coinsupply").body ?? undefined;
    return mountSupplyAudit(place, { ...checkOptions(frame), shown, shownCoins });
  },
  "check-disclosure": async (place, _, frame) => {
    const { mountDisclosureCheck } = await import("../check/mountChecks.ts");
    return mountDisclosureCheck(place, checkOptions(frame));
  },
  "check-receipt": async (place, _, frame) => {
    const { mountReceiptCheck } = await import("../check/receipt/mountReceiptCheck.ts");
    return mountReceiptCheck(place, checkOptions(frame));
  },
  "check-address": async (place, _, frame) => {
    const { mountAddressCheck } = await import("../check/mountChecks.ts");
    return mountAddressCheck(place, checkOptions(frame));
  },
  "check-message": async (place, _, frame) => {
    const { mountMessageCheck } = await import("../check/mountChecks.ts");
    return mountMessageCheck(place, checkOptions(frame));
  },
};

function checkOptions({ texts, apiBase }: PageFrame) {
  return { locale: texts.locale, apiBase };
}
