/** Values of answers in the forms that the API has for them: amounts, balances, memos. */
import { decodeHex } from "@svc/shared/base/hex.ts";
import { COIN_DECIMALS, SOMPI_PER_COIN } from "@svc/shared/base/money.ts";
import { readMemo } from "@svc/shared/wallet/state/memo.ts";
import type { Balances } from "@svc/shared/wallet/plan/balances.ts";

/** Coins with all eight decimals: `12.50000000`. */
export function fixedCoins(value: bigint): string {
  const fraction = (value % SOMPI_PER_COIN).toString().padStart(COIN_DECIMALS, "0");
  return `${value / SOMPI_PER_COIN}.${fraction}`;
}

/** The amounts of a wallet as `/api/status` and `/api/wallet/balance` write them. */
export function balanceFields(balances: Omit<Balances, "returning">) {
  const { total, spendable, maturing, pendingIn, pendingOut } = balances;
  return {
    balance_sompi: total,
    balance_fc: fixedCoins(total),
    spendable_sompi: spendable,
    spendable_fc: fixedCoins(spendable),
    maturing_sompi: maturing,
    maturing_fc: fixedCoins(maturing),
    pending_in_sompi: pendingIn,
    pending_in_fc: fixedCoins(pendingIn),
    pending_out_sompi: pendingOut,
    pending_out_fc: fixedCoins(pendingOut),
  };
}

/** A memo for people: what is no text is shown with its bad bytes replaced. */
export function memoText(hex: string): string | null {
  const memo = readMemo(hex);
  if (memo.kind === "empty") return null;
  return memo.kind === "text" ? memo.text : new TextDecoder().decode(decodeHex(memo.hex));
}
