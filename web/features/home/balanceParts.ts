/** View model of the three balances on the home screen: labels, sums and the remarks beside them. */
import { PAGE_LIMITS } from "../../pageLimits.ts";
import type { WalletStatus } from "@svc/shared/wallet/view/status.ts";
import type { MaturingView, WalletView } from "../../wallet-api/walletApi.ts";
import { amountText, dateText, durationText } from "../../i18n/format.ts";
import { t } from "../../i18n/translate.ts";

function maturingHint(next: MaturingView | undefined, moving: boolean): string {
  if (next === undefined) return t("home.maturingNone");
  if (!moving) return t("home.maturingStopped");
  return t("home.maturingNext", { time: durationText(next.secondsLeft) });
}

/** One balance with its texts. */
export type BalancePart = {
  readonly name: "spendable" | "maturing" | "pending";
  readonly label: string;
  readonly value: bigint;
  readonly hint: string;
};

/** True for a wallet that has seen no payment at all: there is nothing to tell apart in its balance. */
export function isEmpty({
  historyLength,
  balances,
}: Pick<WalletView, "historyLength" | "balances">): boolean {
  return historyLength === 0 && balances.total === 0n && balances.pendingIn === 0n;
}

/** True while new blocks arrive: only then does a countdown of blocks tell a time. */
export function isMoving({ phase }: Pick<WalletStatus, "phase">): boolean {
  return phase === "ready" || phase === "catching-up" || phase === "scanning";
}

/** The balances: spendable, maturing and pending. Pending is what is in motion: in, out, and back as change. */
export function balanceParts(
  wallet: Pick<WalletView, "balances" | "maturing" | "noteCount"> & {
    readonly status: Pick<WalletStatus, "phase">;
  },
) {
  const { spendable, maturing, returning, pendingIn, pendingOut } = wallet.balances;
  const [next] = wallet.maturing;
  const pendingHints = [
    pendingIn > 0n ? t("home.pendingIn", { amount: amountText(pendingIn) }) : "",
    pendingOut > 0n ? t("home.pendingOut", { amount: amountText(pendingOut) }) : "",
    returning > 0n ? t("home.returning", { amount: amountText(returning) }) : "",
  ].filter((hint) => hint !== "");
  const parts: readonly BalancePart[] = [
    {
      name: "spendable",
      label: t("home.spendable"),
      value: spendable,
      hint: t("home.spendableHint", { count: wallet.noteCount }),
    },
    {
      name: "maturing",
      label: t("home.maturing"),
      value: maturing,
      hint: maturingHint(next, isMoving(wallet.status)),
    },
    {
      name: "pending",
      label: t("home.pending"),
      value: pendingIn + returning,
      hint: pendingHints.length === 0 ? t("home.pendingNone") : pendingHints.join(", "),
    },
  ];
  return parts;
}

/** Whether the balances are stale, so that their time has to be shown: the wallet is behind, or the node's chain stands still. */
export function isOld(
  { asOf, status }: Pick<WalletView, "asOf"> & { readonly status: Pick<WalletStatus, "phase"> },
  nowMs: number,
): boolean {
  if (asOf.timestamp === 0n) return false;
  return status.phase !== "ready" || nowMs - Number(asOf.timestamp) > PAGE_LIMITS.walletStaleMs;
}

/** Of when the balances are. While no node answers, also how long ago that was. */
export function asOfText(
  { asOf, status }: Pick<WalletView, "asOf"> & { readonly status: Pick<WalletStatus, "phase"> },
  nowMs: number,
): string {
  const time = dateText(asOf.timestamp);
  if (status.phase !== "offline") return t("status.asOf", { time });
  const seconds = (nowMs - Number(asOf.timestamp)) / 1_000;
  return t("start.asOf", { time, age: durationText(seconds) });
}
